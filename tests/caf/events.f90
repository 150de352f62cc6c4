! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! Events: scalars and arrays, static and allocated, until_count, event_query; what was put before a post is
! there after the wait.
program events
  use, intrinsic :: iso_fortran_env, only: event_type
  use check
  implicit none
  type(event_type), save :: one[*], many(3)[*], grid(2, 3)[*]
  type(event_type), allocatable :: allocated(:)[:]
  integer :: number[*], data(20)[*]
  integer :: i, j, count, stat
  character(30) :: message
  call check_begin()
  call counts()
  call arrays()
  call pipeline()
  call allocated_events()
  call check_end()
contains
  subroutine counts()
    call event_query(one, count)
    call expect_equal(count, 0, 'an event starts at 0')
    sync all
    event post (one[next])
    event wait (one)
    call event_query(one, count)
    call expect_equal(count, 0, 'after post and wait')
    sync all
    do i = 1, 5
      event post (one[next], stat=stat)
      call expect_equal(stat, 0, 'event post, stat')
    end do
    sync all
    call event_query(one, count, stat)
    call expect_equal(count, 5, 'after five posts')
    call expect_equal(stat, 0, 'event_query, stat')
    event wait (one, until_count=3, stat=stat, errmsg=message)
    call expect_equal(stat, 0, 'event wait, stat')
    call event_query(one, count)
    call expect_equal(count, 2, 'until_count=3 takes three')
    event wait (one, until_count=2)
    ! Less than 1 means 1.
    event post (one)
    event wait (one, until_count=0)
    call event_query(one, count)
    call expect_equal(count, 0, 'until_count=0 takes one')
    sync all
    ! All to one.
    event post (one[1])
    event post (one[1])
    if (me == 1) event wait (one, until_count=2 * images)
    call event_query(one, count)
    call expect_equal(count, 0, 'all have posted to one')
    sync all
  end subroutine

  subroutine arrays()
    integer :: k
    event post (many(2)[next])
    event post (many(3)[next])
    event post (many(3)[next])
    sync all
    do k = 1, 3
      call event_query(many(k), count)
      call expect_equal(count, k - 1, 'an array of events')
    end do
    event wait (many(3), until_count=2)
    event wait (many(2))
    do i = 1, 2
      do j = 1, 3
        do k = 1, 10 * i + j
          event post (grid(i, j)[next])
        end do
      end do
    end do
    sync all
    do i = 1, 2
      do j = 1, 3
        call event_query(grid(i, j), count)
        call expect_equal(count, 10 * i + j, 'a matrix of events')
        event wait (grid(i, j), until_count=count)
      end do
    end do
    sync all
  end subroutine

  ! A number goes round; each image adds to it. An element of an array lies beside it.
  subroutine pipeline()
    integer, parameter :: rounds = 20
    number = 0
    data = 0
    sync all
    if (me == 1) event post (one)
    do i = 1, rounds
      event wait (one)
      number = number + 1
      data(i) = number
      number[next] = number
      data(i)[next] = number
      event post (one[next])
    end do
    sync all
    if (me == 1) then
      event wait (one)
      call expect_equal(number, rounds * images, 'a number that has gone round')
    end if
    call expect(all(data == [(merge(i * images, (i - 1) * images + me, me == 1), i = 1, rounds)]), &
      'elements that have gone round')
    sync all
  end subroutine

  subroutine allocated_events()
    do i = 1, 3
      allocate (allocated(4)[*], stat=stat)
      call expect_equal(stat, 0, 'allocate of events, stat')
      call event_query(allocated(4), count)
      call expect_equal(count, 0, 'an allocated event starts at 0')
      sync all
      event post (allocated(4)[prev])
      event post (allocated(1)[next])
      event wait (allocated(1))
      sync all
      call event_query(allocated(4), count)
      call expect_equal(count, 1, 'an allocated event')
      deallocate (allocated)
    end do
  end subroutine
end program
