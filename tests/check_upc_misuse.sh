#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Calls of the UPC library that break its rules end the job with a message that names the call, the thread and
# the values. Only builds with --enable-debug check addresses.
# time-limit: 120
set -u
. "$(dirname "$0")/misuse.sh"
UPC_SHARED_HEAP_SIZE=1048576; export UPC_SHARED_HEAP_SIZE

ways() {
  case $1 in
    bad-heap) echo UPC_SHARED_HEAP_SIZE=abc ;;
    negative-heap) echo UPC_SHARED_HEAP_SIZE=-5 ;;
    large-heap) echo UPC_SHARED_HEAP_SIZE=99999G ;;
    *) echo ;;
  esac
}

# Before there is a job each process reports for itself; both see that barriers differ.
speaker() {
  case $1 in
    early* | bad-heap) echo 'penstock: ' ;;
    *) echo 'penstock: thread [01] of 2: ' ;;
  esac
}
several() { case $1 in early* | *-heap | mismatch) true ;; *) false ;; esac; }

misuse upc/misuse upc/misuse <<'END'
mismatch upc_barrier: barrier mismatch: .* number is [56]
other_wait upc_wait: its number is 8, that of upc_notify was 7
lone_wait upc_wait: there was no upc_notify
two_notifies upc_notify: the last upc_notify has had no upc_wait
all_between upc_all_alloc: collective calls are not allowed between upc_notify and upc_wait
no_thread upc_memput: the pointer's thread is 77
outside upc_memget: 4 bytes from address 0x4000000000000 on are not in shared memory
null_pointer upc_memset: the pointer is NULL
double_free upc_free: .address %p, thread 0, phase 0. is no pointer .* freed
double_global_free upc_free: .address %p, thread 0, phase 0. is no pointer .* freed
bad_free upc_free: .address %p, thread 0, phase 0. is no pointer .* freed
exhausted upc_alloc: no 1099511627776 contiguous bytes .* 1048576 .*UPC_SHARED_HEAP_SIZE
exhausted_global upc_global_alloc: no [0-9]+ contiguous bytes .* 1048576 .*UPC_SHARED_HEAP_SIZE
exhausted_in_pieces upc_alloc: no [0-9]+ contiguous bytes .* 1048576 .*UPC_SHARED_HEAP_SIZE
too_much upc_global_alloc: 1099511627776 blocks of 1099511627776 bytes are too much
bad_unlock upc_unlock: this thread does not have the lock
own_lock upc_lock: this thread has the lock already
freed_lock upc_lock: %p is no lock, or it has been freed
freed_attempt upc_lock_attempt: %p is no lock, or it has been freed
freed_twice upc_lock_free: %p is no lock, or it has been freed
freed_before upc_lock: %p is no lock, or it has been freed
freed_while_held upc_lock: %p is no lock, or it has been freed
lock_of_no_thread upc_lock: %p is no lock
nested_regions upc_begin_accessregion: the last one has not ended
no_region upc_end_accessregion: there was no upc_begin_accessregion
wait_in_region upc_waitsynci: called inside an access region
init_twice upc_init: called twice
early upc_wait: upc_init has not been called
early-alloc upc_alloc: upc_init has not been called
bad-heap UPC_SHARED_HEAP_SIZE="abc" is not valid: it must be a size
negative-heap upc_init: UPC_SHARED_HEAP_SIZE is -5; it must not be negative
large-heap upc_init: UPC_SHARED_HEAP_SIZE is 99999G; twice as much must fit into a segment
totals upc_memput_vlist: dstlist has 24 bytes, srclist 25
short_stride upc_memput_fstrided: dstchunkstride is 7; it must be at least dstchunklen, 8
not_mine upc_sem_wait: .* is not a semaphore of this thread; it is for thread 1
END
finish
