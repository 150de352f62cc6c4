! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! Locks and critical constructs: each image alone changes what they guard; the values of stat= and
! acquired_lock=.
program locks
  use, intrinsic :: iso_fortran_env, only: lock_type, stat_locked, stat_locked_other_image
  use check
  implicit none
  type(lock_type), save :: one[*], many(2, 3)[*]
  type(lock_type), allocatable :: allocated(:)[:]
  integer :: total[*], text(8)[*]
  integer :: i, sum, stat
  logical :: is_mine
  character(40) :: message
  call check_begin()
  call exclusion()
  call constructs()
  call states()
  call allocated_locks()
  call check_end()
contains
  ! The sum is read and written elsewhere, a row of numbers by one image at a time.
  subroutine exclusion()
    integer :: mine(8)
    total = 0
    text = 0
    sync all
    do i = 1, 30
      lock (one[images])
      sum = total[1]; total[1] = sum + i
      mine = text(:)[images]
      call expect(all(mine == mine(1)), 'what a lock guards is whole')
      text(:)[images] = me * 100 + i
      unlock (one[images])
    end do
    sync all
    if (me == 1) call expect_equal(total, images * 465, 'a sum under a lock')
    sync all
    total = 0
    sync all
    do i = 1, 12
      lock (many(2, 1 + modulo(i, 3))[1])
      sum = text(1 + modulo(i, 3))[1]; text(1 + modulo(i, 3))[1] = sum + 1
      unlock (many(2, 1 + modulo(i, 3))[1])
    end do
    sync all
  end subroutine

  subroutine constructs()
    total = 0
    text = 0
    sync all
    do i = 1, 20
      critical
        sum = total[1]; total[1] = sum + i
      end critical
      critical
        sum = text(2)[next]; text(2)[next] = sum + 1
      end critical
    end do
    sync all
    if (me == 1) call expect_equal(total, images * 210, 'a sum in a critical construct')
    call expect_equal(text(2), 20, 'another critical construct')
    sync all
  end subroutine

  subroutine states()
    if (me == 1) then
      lock (one, acquired_lock=is_mine, stat=stat)
      call expect(is_mine, 'acquired_lock of a free lock')
      call expect_equal(stat, 0, 'acquired_lock, stat')
      message = 'before'
      lock (one, stat=stat, errmsg=message)
      call expect_equal(stat, stat_locked, 'lock of what this image holds')
      call expect(message /= 'before' .and. len_trim(message) > 0, 'lock of what this image holds, errmsg')
    end if
    sync all
    if (me /= 1) then
      is_mine = .true.
      lock (one[1], acquired_lock=is_mine)
      call expect(.not. is_mine, 'acquired_lock of what another image holds')
      unlock (one[1], stat=stat)
      call expect_equal(stat, stat_locked_other_image, 'unlock of what another image holds')
    end if
    sync all
    if (me == 1) then
      message = 'before'
      unlock (one, stat=stat, errmsg=message)
      call expect_equal(stat, 0, 'unlock, stat')
      call expect(message == 'before', 'unlock, errmsg stays')
      ! gfortran's stat_unlocked is 0.
      unlock (one, stat=stat)
      call expect(stat /= 0 .and. stat /= stat_locked .and. stat /= stat_locked_other_image, &
        'unlock of a free lock')
    end if
    sync all
    lock (many(1, 3)[next], acquired_lock=is_mine)
    call expect(is_mine, 'each image locks an element')
    unlock (many(1, 3)[next])
    sync all
    ! Each lock of the array is one of its own.
    lock (many(1, 1)[next], stat=stat)
    lock (many(2, 1)[next], acquired_lock=is_mine)
    call expect(is_mine, 'two elements at once')
    unlock (many(1, 1)[next])
    unlock (many(2, 1)[next])
    sync all
  end subroutine

  subroutine allocated_locks()
    do i = 1, 3
      allocate (allocated(3)[*])
      total = 0
      sync all
      lock (allocated(2)[1])
      sum = total[1]; total[1] = sum + 1
      unlock (allocated(2)[1])
      lock (allocated(3)[next], acquired_lock=is_mine)
      call expect(is_mine, 'allocated locks are free')
      unlock (allocated(3)[next])
      sync all
      if (me == 1) call expect_equal(total, images, 'a sum under an allocated lock')
      deallocate (allocated)
    end do
  end subroutine
end program
