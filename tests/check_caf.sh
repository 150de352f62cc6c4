#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# How programs with coarrays end, seen from outside: codes and texts of stop and error stop, what was written
# before, images that do not exist, a program without coarrays, a main program in C, constructs that gfortran
# cannot express. On shared memory and on each network.
# time-limit: 120
# lists: full short
set -u
. "$(dirname "$0")/script.sh"
need_caf
cd "$tmp" || exit 1

cat >ends.f90 <<'END'
program ends
  use, intrinsic :: iso_fortran_env, only: team_type, stat_stopped_image
  implicit none
  integer :: x[*], y(4)[*], i, code = 3
  integer, allocatable :: nothing(:)[:]
  type object
    integer, allocatable :: k
  end type
  type(object) :: o
  type(team_type) :: team
  character(40) :: how
  character(20) :: text = 'text of a variable'
  call get_command_argument(1, how)
  write (*, '(a)') 'before'
  x = this_image()
  sync all
  select case (how)
  case ('end')
  case ('stop'); stop
  case ('stop-number'); stop 3
  case ('stop-variable'); stop code
  case ('stop-text'); stop 'all is done'
  case ('stop-quiet'); stop 4, quiet=.true.
  case ('error-stop'); error stop
  case ('error-stop-number'); error stop 5
  case ('error-stop-text'); error stop 'it is wrong'
  case ('error-stop-variable'); error stop text
  case ('error-stop-quiet'); error stop 'never seen', quiet=.true.
  case ('exit'); call exit(6)
  case ('one-stops-with-number')
    if (this_image() == 1) stop 7
  case ('one-stops')
    if (this_image() == num_images()) stop
    x[1 + modulo(this_image(), num_images())] = 0
  case ('one-error-stops')
    if (this_image() == num_images()) error stop 8
    do
      sync memory
    end do
  case ('one-error-stops-others-wait')
    if (this_image() == num_images()) error stop 9
    sync all
    sync all
  case ('no-image'); i = x[num_images() + 1]
  case ('beyond'); i = 1000; y(i)[1] = 1
  case ('before'); i = -1000; i = y(i)[1]
  case ('beyond-section'); i = 5; y(1:i)[1] = 1
  case ('fail'); fail image
  case ('image-0'); x[num_images() - num_images()] = 1
  case ('sync-no-image'); sync images (num_images() + 1)
  case ('sync-stopped')
    if (this_image() == 1) stop
    sync all
    error stop 'sync all returns'
  case ('sum-stopped')
    if (this_image() == 1) stop
    i = 1
    call co_sum(i, stat=code)
    if (code /= stat_stopped_image) error stop 'co_sum has no status'
    call co_sum(i)
    error stop 'co_sum returns'
  case ('team-stopped')
    if (this_image() == 1) stop
    form team (1, team)
    error stop 'form team returns'
  case ('random-stopped')
    if (this_image() == 1) stop
    call random_init(.false., .false.)
    error stop 'random_init returns'
  case ('broadcast-not-allocated')
    if (this_image() == 1) o%k = 1
    call co_broadcast(o, 1)
  case ('not-allocated'); i = nothing(1)[num_images() - 1]
  case ('item'); print *, x[num_images() + 1]
  case ('item-stop'); print *, item(1)
  case ('item-error-stop'); print *, item(2)
  case ('item-exit'); print *, item(3)
  case ('stop-zeros'); stop 'a' // achar(0) // 'b'
  end select
contains
  integer function item(what)
    integer, intent(in) :: what
    item = what
    if (what == 1) stop 3
    if (what == 2) error stop 'in an item'
    call exit(6)
  end function
end program
END
must "ends.f90" "$build/bin/caf" -O1 -Wall ends.f90 -o ends || exit 1

# ends HOW CODE IMAGES: what it wrote is in out and err.
ends() {
  count=$((count + 1))
  title="$1 x$3${way:+ $way}"
  env $way timeout 60 "$run" -n "$3" ./ends "$1" >out 2>err </dev/null
  local rc=$?
  cat out err >log
  [ $rc -eq "$2" ] || fail "$title: exit code $rc, not $2: $(head -5 log)"
}
# As many lines of standard error as given that are all of a text.
lines() { [ "$(grep -cxF -- "$2" err)" -eq "$1" ] || fail "$title: not $1 lines '$2': $(head -5 err)"; }
nothing() { [ ! -s err ] || fail "$title: it says $(head -5 err)"; }
wrote() { [ "$(grep -cx before out)" -ge "$1" ] || fail "$title: lost what was written: $(head -5 out)"; }

all_ends() { # images
  ends end 0 "$1"; nothing; wrote "$1"
  ends stop 0 "$1"; nothing; wrote "$1"
  ends stop-number 3 "$1"; lines "$1" 'STOP 3'; wrote "$1"
  ends stop-text 0 "$1"; lines "$1" 'STOP all is done'
  ends stop-quiet 4 "$1"; nothing
  ends exit 6 "$1"; wrote "$1"
  ends error-stop 1 "$1"; grep -qx 'ERROR STOP' err || fail "$title: no ERROR STOP"; wrote 1
  ends error-stop-number 5 "$1"; grep -qx 'ERROR STOP 5' err || fail "$title: no ERROR STOP 5"
  ends error-stop-text 1 "$1"; grep -qx 'ERROR STOP it is wrong' err || fail "$title: no text"
  ends error-stop-quiet 1 "$1"; ! grep -q 'ERROR STOP\|never' err || fail "$title: it is not quiet"
}
some_ends() { # images
  ends one-stops-with-number 7 "$1"; lines 1 'STOP 7'; wrote "$1"
  ends one-stops 0 "$1"; nothing; wrote "$1"
  ends one-error-stops 8 "$1"; lines 1 'ERROR STOP 8'; wrote 1
  ends one-error-stops-others-wait 9 "$1"; lines 1 'ERROR STOP 9'
}
all_ends 1
all_ends 3
ends stop-variable 3 2; lines 2 'STOP 3'
ends error-stop-variable 1 1; lines 1 'ERROR STOP text of a variable  '
some_ends 3
ends no-image 1 2
grep -q '^penstock: image [12] of 2: .*image 3' err || fail "$title: $(head -3 err)"
ends image-0 1 2
grep -q '^penstock: image [12] of 2: .*image 0' err || fail "$title: $(head -3 err)"
for how in beyond before beyond-section; do
  ends $how 1 2
  grep -q '^penstock: image [12] of 2: .* not in the coarray, which has 16 bytes' err ||
    fail "$title: $(head -3 err)"
done
ends fail 1 2
grep -q '^penstock: image [12] of 2: fail image: .*CAF_FAILED_IMAGES=1' err || fail "$title: $(head -3 err)"
ends sync-no-image 1 2
grep -q '^penstock: image [12] of 2: sync images: .*3' err || fail "$title: $(head -3 err)"
ends sync-stopped 1 2
grep -q '^penstock: image 2 of 2: sync all: .*stopped' err || fail "$title: $(head -3 err)"
ends sum-stopped 1 3
grep -q '^penstock: image [23] of 3: co_sum: an image that it waits for has stopped' err ||
  fail "$title: $(head -3 err)"
ends team-stopped 1 3
grep -q '^penstock: image [23] of 3: form team: an image .* has stopped' err || fail "$title: $(head -3 err)"
ends random-stopped 1 3
grep -q '^penstock: image [23] of 3: random_init: an image .* has stopped' err ||
  fail "$title: $(head -3 err)"
ends broadcast-not-allocated 1 2
grep -q '^penstock: image 2 of 2: co_broadcast: .* is not allocated' err || fail "$title: $(head -3 err)"
ends not-allocated 1 2
grep -q '^penstock: image [12] of 2: .* the coarray is not allocated' err || fail "$title: $(head -3 err)"
# While the item of a list is computed, libgfortran keeps the unit locked.
ends item 1 2
grep -q '^penstock: image [12] of 2: .*image 3' err || fail "$title: $(head -3 err)"
ends item-stop 3 1; lines 1 'STOP 3'
ends item-error-stop 1 2; grep -qx 'ERROR STOP in an item' err || fail "$title: $(head -3 err)"
ends item-exit 6 1
ends stop-zeros 0 1; tr '\0' 0 <err | grep -qx 'STOP a0b' || fail "$title: $(head -3 err)"
if [ "${PST_LIST:-full}" = full ]; then
  for way in GASNET_AM_ONLY=1 $(networks | sed s/^/GASNET_CONDUIT=/); do
    export GASNET_SUPERNODE_MAXSIZE=1
    some_ends 3
    ends sum-stopped 1 3
    grep -q '^penstock: image [23] of 3: co_sum: ' err || fail "$title: $(head -3 err)"
    ends stop-number 3 3; lines 3 'STOP 3'; wrote 3
    ends error-stop-text 1 3; grep -qx 'ERROR STOP it is wrong' err || fail "$title: no text"
    unset GASNET_SUPERNODE_MAXSIZE
  done
  way=''
fi

# ---- programs without coarrays of their own, and with a main program in C ----

printf '%s\n' 'program p' "print '(i0, a, i0)', this_image(), ' of ', num_images()" 'end program' >plain.f90
must "plain.f90" "$build/bin/caf" plain.f90 -o plain
must "plain x3" "$run" -n 3 ./plain
[ "$(sort log)" = "$(printf '%s\n' '1 of 3' '2 of 3' '3 of 3')" ] || fail "plain.f90 prints $(cat log)"

cat >part.f90 <<'END'
subroutine part(failed) bind(c)
  use, intrinsic :: iso_c_binding, only: c_int
  integer(c_int) :: failed
  integer, save :: x[*] = 4
  integer, allocatable :: a(:)[:]
  integer :: next
  next = 1 + modulo(this_image(), num_images())
  failed = 0
  if (x[next] /= 4) failed = 1
  allocate (a(2)[*])
  a(2)[next] = this_image()
  sync all
  if (a(2) /= 1 + modulo(this_image() - 2 + num_images(), num_images())) failed = 2
end subroutine
END
printf '%s\n' 'void part(int *);' 'int main(void) { int failed = 9; part(&failed); return failed; }' >main.c
must "part.f90" "$build/bin/caf" -c part.f90
must "main.c" ${CC:-cc} -c main.c
must "main and part" "$build/bin/caf" main.o part.o -o main
for n in 1 3; do must "a main program in C, x$n" "$run" -n $n ./main; done

[ $bad = 0 ] && echo "ok: $count programs" && exit 0
exit 1
