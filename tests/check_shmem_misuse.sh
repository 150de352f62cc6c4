#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Calls of the OpenSHMEM library that break its rules end the job with a message that names the routine, the
# PE and the values. Only SMA_DEBUG and builds with --enable-debug check what would slow down each call.
# time-limit: 120
set -u
. "$(dirname "$0")/misuse.sh"
lists='--list --list-debug'
programs() { echo "$build/tests/$1"; }

is_debug() { "$program" --list-debug | grep -qx -e "$1"; }
ways() {
  case $1 in
    bad-heap) echo SMA_SYMMETRIC_SIZE=abc ;;
    negative-heap) echo SMA_SYMMETRIC_SIZE=-5 ;;
    large-heap) echo SMA_SYMMETRIC_SIZE=99999T ;;
    bad-heap-shmem) echo SHMEM_SYMMETRIC_SIZE=12X ;;
    *) if is_debug "$1"; then echo SMA_DEBUG=1; else printf '\nSMA_DEBUG=1\n'; fi ;;
  esac
}

# Before there is a job each process reports for itself.
speaker() {
  case $1 in
    early*) echo 'penstock: ' ;;
    *) echo 'penstock: PE [01] of 2: ' ;;
  esac
}
several() {
  case $1 in
    early* | late_put | set_* | negative_start | not_a_member | bad_root | stack_target | negative_count | \
    past_the_heap | double_free | bad_free | foreign_free | bad_realloc | bad_alignment | exhausted) true ;;
    *) false ;;
  esac
}

misuse shmem/misuse shmem/misuse <<'END'
stack_put shmem_long_put: target %p is no symmetric address: it is on the stack
stack_p shmem_int_p: address %p is no symmetric address: it is on the stack
malloc_get shmem_long_get: source %p is no symmetric address: it is in memory .
malloc_iget shmem_double_iget: source %p is no symmetric address: it is in memory .
stack_atomic shmem_long_fadd: target %p is no symmetric address: it is on the stack
stack_swap shmem_float_swap: target %p is no symmetric address: it is on the stack
constant_put shmem_putmem: target %p is no symmetric address: it is in the constants or the code of the 
null_put shmem_put32: target .* is no symmetric address: it is not mapped
system_put shmem_putmem: target %p is no symmetric address: it is in .*, which was loaded after the start or .
past_the_heap shmem_putmem: target %p: 1099511627776 bytes from there reach beyond the symmetric heap
stack_lock shmem_set_lock: lock %p is no symmetric address: it is on the stack
negative_pe shmem_long_p: there is no PE -1; PEs are 0 to 1
large_pe shmem_long_g: there is no PE 2; PEs are 0 to 1
put_to_no_pe shmem_long_put: there is no PE 77; PEs are 0 to 1
iput_to_no_pe shmem_long_iput: there is no PE 2; PEs are 0 to 1
get_from_no_pe shmem_getmem: there is no PE -5; PEs are 0 to 1
atomic_at_no_pe shmem_long_inc: there is no PE 2; PEs are 0 to 1
early_put shmem_long_p: start_pes has not been called
early_barrier shmem_barrier_all: start_pes has not been called
early_alloc shmalloc: start_pes has not been called
early_lock shmem_set_lock: start_pes has not been called
forked_put shmem_long_p: called in a process that a PE has forked
forked_alloc shmalloc: called in a process that a PE has forked
forked_barrier shmem_barrier_all: called in a process that a PE has forked
late_put shmem_long_p: called after shmem_finalize
bad-heap start_pes: SMA_SYMMETRIC_SIZE is "abc"; it must be a number of bytes
negative-heap start_pes: SMA_SYMMETRIC_SIZE is "-5"; it must be a number of bytes
large-heap start_pes: SMA_SYMMETRIC_SIZE is "99999T"; it must be a number of bytes from 0 to [0-9]+, .
bad-heap-shmem start_pes: SHMEM_SYMMETRIC_SIZE is "12X"; it must be a number of bytes
set_too_large shmem_barrier: PE_start 0, logPE_stride 0, PE_size 3 is no set of PEs; there are 2
set_with_step shmem_barrier: PE_start 1, logPE_stride 3, PE_size 2 is no set of PEs; there are 2
negative_start shmem_long_sum_to_all: PE_start -1, logPE_stride 0, PE_size 2 is no set of PEs; there are 2
not_a_member shmem_fcollect64: this PE is not in its set: PE_start [01], logPE_stride 0, PE_size 1
bad_root shmem_broadcast64: PE_root 2 is not .
stack_target shmem_broadcast64: target %p is no symmetric address: it is on the stack
negative_count shmem_long_sum_to_all: nreduce is -1
stack_wait shmem_long_wait: .* %p is no symmetric address: it is on the stack
bad_comparison shmem_long_wait_until: 77 is none of the comparisons
not_held shmem_clear_lock: lock %p: this PE does not have it
held_by_another shmem_clear_lock: lock %p: this PE does not have it
held_twice shmem_set_lock: lock %p: this PE has it already
overwritten-lock shmem_set_lock: %p is no lock: locks are 0 at first, and nothing else changes them
other_size shmalloc: 101 bytes, but PE 0 says 100
other_free shfree: block or alignment [0-9a-fx]+, but PE 0 says [0-9a-fx]+
other_call shmalloc: PE 0 is in shfree; all PEs have to call the same
double_free shfree: %p is free already
bad_free shfree: %p is not the beginning of a block
foreign_free shfree: %p is not in the symmetric heap
bad_realloc shrealloc: %p is not the beginning of a block
bad_alignment shmalign: an alignment of 24 is no power of two
exhausted shmalloc: no 1125899906842624 contiguous bytes are left of [0-9]+ .*; raise S[A-Z]*_SYMMETRIC_SIZE
END
finish
