! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! Atomic subroutines: each alone with its old value, and all images at one variable.
program atomics
  use, intrinsic :: iso_fortran_env, only: atomic_int_kind, atomic_logical_kind
  use check
  implicit none
  integer(atomic_int_kind) :: x[*], y(0:5)[*]
  logical(atomic_logical_kind) :: flag[*]
  integer(atomic_int_kind) :: old, value
  integer :: i, stat
  call check_begin()
  call alone()
  call flags()
  call together()
  call spin()
  call check_end()
contains
  ! Each image at the next one's.
  subroutine alone()
    x = 100 + me
    y = -1
    sync all
    call atomic_ref(value, x[next], stat)
    call expect_equal(value, 100 + next, 'atomic_ref')
    call expect_equal(stat, 0, 'atomic_ref, stat')
    sync all
    call atomic_define(x[next], 5)
    call atomic_fetch_add(x[next], 7, old)
    call expect_equal(old, 5, 'atomic_fetch_add, old value')
    call atomic_fetch_and(x[next], 10, old)
    call expect_equal(old, 12, 'atomic_fetch_and, old value')
    call atomic_fetch_or(x[next], 19, old)
    call expect_equal(old, 8, 'atomic_fetch_or, old value')
    call atomic_fetch_xor(x[next], 6, old)
    call expect_equal(old, 27, 'atomic_fetch_xor, old value')
    call atomic_add(x[next], -1)
    call atomic_ref(value, x[next])
    call expect_equal(value, 28, 'atomic_add of a negative number')
    call atomic_and(x[next], 20)
    call atomic_or(x[next], 3)
    call atomic_xor(x[next], 1)
    call atomic_ref(value, x[next])
    call expect_equal(value, 22, 'atomic_and, atomic_or, atomic_xor')
    call atomic_cas(x[next], old, 21, 50)
    call expect_equal(old, 22, 'atomic_cas that does not swap, old value')
    call atomic_cas(x[next], old, 22, 50)
    call expect_equal(old, 22, 'atomic_cas that swaps, old value')
    call atomic_define(y(3)[next], me)
    call atomic_add(y(5)[next], me + 1, stat)
    call expect_equal(stat, 0, 'atomic_add, stat')
    sync all
    call atomic_ref(value, x)
    call expect_equal(value, 50, 'atomic_ref of this image')
    call expect(all(y == [-1, -1, -1, prev, -1, prev]), 'atomic operations on elements')
    ! The values of other kinds are converted.
    call atomic_define(x, 9_1)
    call atomic_add(x, 4_8)
    call atomic_ref(value, x)
    call expect_equal(value, 13, 'values of other kinds')
    sync all
  end subroutine

  subroutine flags()
    logical(atomic_logical_kind) :: is, was
    flag = .false.
    sync all
    call atomic_define(flag[next], .true.)
    call atomic_ref(is, flag[next])
    call expect(is, 'atomic_ref of a logical variable')
    call atomic_cas(flag[next], was, .false., .true.)
    call expect(was, 'atomic_cas of a logical variable that does not swap')
    call atomic_cas(flag[next], was, .true., .false.)
    call expect(was, 'atomic_cas of a logical variable that swaps')
    sync all
    call expect(.not. flag, 'what atomic_cas has stored')
    sync all
  end subroutine

  ! Old values of what all images add to one variable are all different; bits are set and cleared by one image
  ! each.
  subroutine together()
    integer, parameter :: rounds = 200
    integer :: seen(rounds), last
    logical, allocatable :: was_there(:)
    integer, allocatable :: all_seen(:)[:]
    x = 0
    y = 0
    allocate (all_seen(rounds)[*])
    sync all
    last = -1
    do i = 1, rounds
      call atomic_fetch_add(x[1], 1, seen(i))
      call expect(seen(i) > last, 'old values go up')
      last = seen(i)
      call atomic_xor(y(1)[images], ishft(1, modulo(me, 31)))
      call atomic_fetch_or(y(2)[images], ishft(1, modulo(me, 31)), old)
      call expect(btest(old, modulo(me, 31)) .eqv. i > 1, 'atomic_fetch_or of one bit')
      do
        call atomic_ref(value, y(4)[1])
        call atomic_cas(y(4)[1], old, value, value + 3)
        if (old == value) exit
      end do
    end do
    all_seen = seen
    sync all
    if (me == 1) then
      allocate (was_there(0:images * rounds - 1), source=.false.)
      do i = 1, images
        seen = all_seen(:)[i]
        was_there(seen) = .true.
      end do
      call expect(all(was_there), 'all old values are there')
      call expect_equal(x, images * rounds, 'the sum')
      call expect_equal(y(4), images * rounds * 3, 'the sum by atomic_cas')
    end if
    if (me == images) call expect_equal(y(1), 0, 'bits that are set and cleared')
    sync all
  end subroutine

  ! A baton that goes round through variables which their images look at.
  subroutine spin()
    integer, parameter :: rounds = 5
    x = 0
    sync all
    if (me == 1) call atomic_define(x, 1)
    do i = 1, rounds
      do
        call atomic_ref(value, x)
        if (value >= i) exit
      end do
      call atomic_define(x[next], merge(i + 1, i, next == 1))
    end do
    call expect_equal(i, rounds + 1, 'a baton')
    sync all
  end subroutine
end program
