! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! Image control, atomic subroutines, collectives and allocation.
module bench_caf_control
  use, intrinsic :: iso_c_binding, only: c_double, c_int, c_loc, c_long, c_ptr
  use, intrinsic :: iso_fortran_env, only: atomic_int_kind, event_type, lock_type
  implicit none
  integer, parameter :: many = 2**17
  type(event_type) :: event[*]
  type(lock_type) :: lock_of[*]
  integer(atomic_int_kind), target :: counter[*]
  real(c_double), target :: one, block(many), source(many)

contains

  ! ---- image control ----

  subroutine meet() bind(C, name='bench_caf_meet')
    sync all
  end subroutine

  subroutine meet_image(image) bind(C, name='bench_caf_meet_image')
    integer(c_int), value :: image
    sync images (image)
  end subroutine

  subroutine post(image) bind(C, name='bench_caf_post')
    integer(c_int), value :: image
    event post (event[image])
  end subroutine

  subroutine await() bind(C, name='bench_caf_await')
    event wait (event)
  end subroutine

  subroutine take_and_release(n, image) bind(C, name='bench_caf_take_and_release')
    integer(c_long), value :: n
    integer(c_int), value :: image
    integer(c_long) :: i
    do i = 1, n
      lock (lock_of[image])
      unlock (lock_of[image])
    end do
  end subroutine

  ! ---- atomic subroutines ----

  type(c_ptr) function counter_place() bind(C, name='bench_caf_counter')
    counter_place = c_loc(counter)
  end function

  subroutine add(n, image) bind(C, name='bench_caf_add')
    integer(c_long), value :: n
    integer(c_int), value :: image
    integer(c_long) :: i
    do i = 1, n
      call atomic_add(counter[image], 1)
    end do
  end subroutine

  subroutine fetch_add(n, image) bind(C, name='bench_caf_fetch_add')
    integer(c_long), value :: n
    integer(c_int), value :: image
    integer(c_long) :: i
    integer(atomic_int_kind) :: old
    do i = 1, n
      call atomic_fetch_add(counter[image], 1, old)
    end do
  end subroutine

  ! ---- collectives, which begin with this image's share ----

  subroutine sums(scalar, array, share) bind(C, name='bench_caf_sums')
    type(c_ptr), intent(out) :: scalar, array, share
    scalar = c_loc(one)
    array = c_loc(block)
    share = c_loc(source)
  end subroutine

  subroutine sum_scalar() bind(C, name='bench_caf_sum_scalar')
    one = source(1)
    call co_sum(one)
  end subroutine

  subroutine sum_block() bind(C, name='bench_caf_sum_block')
    block = source
    call co_sum(block)
  end subroutine

  ! ---- allocation ----

  subroutine allocation() bind(C, name='bench_caf_allocation')
    real(c_double), allocatable :: coarray(:)[:]
    allocate (coarray(1000)[*])
    coarray(1000) = 0
    deallocate (coarray)
  end subroutine

end module
