! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! Uneven tasks: an image that is idle takes the next number from a counter on image 1, by an atomic operation.
! It puts the task's result into image 1 and posts an event there. Image 1 does its share of the tasks, and
! then waits for as many posts as there are tasks.
program queue
  use, intrinsic :: iso_fortran_env, only: atomic_int_kind, event_type, error_unit
  implicit none
  integer, parameter :: tasks = 300, numbers = 1000, primes_of_all = 25997 ! below 300,000
  integer(atomic_int_kind) :: next[*] = 0
  type(event_type) :: done[*]
  integer :: primes(0:tasks - 1)[*] = -1, by(0:tasks - 1)[*] = 0 ! by: which image has done a task
  integer(atomic_int_kind) :: task
  integer :: mine

  mine = 0
  sync all ! now the counter and the results of image 1 have their values
  do
    call atomic_fetch_add(next[1], 1, task)
    if (task >= tasks) exit
    primes(task)[1] = primes_between(task * numbers, (task + 1) * numbers - 1)
    by(task)[1] = this_image()
    event post (done[1]) ! what image 1 sees after the event includes both puts
    mine = mine + 1
  end do

  if (this_image() == 1) then
    event wait (done, until_count=tasks)
    call judge()
  end if
  call co_max(mine)
  if (this_image() == 1) print '(3(i0, a))', tasks, ' tasks on ', num_images(), &
    ' images: each done once, right; the busiest image had ', mine, ' of them'

contains

  integer function primes_between(first, last)
    integer, intent(in) :: first, last
    integer :: i
    primes_between = count([(is_prime(i), i=first, last)])
  end function

  pure logical function is_prime(n)
    integer, intent(in) :: n
    integer :: d
    is_prime = n > 1
    do d = 2, int(sqrt(real(n)))
      is_prime = mod(n, d) /= 0
      if (.not. is_prime) return
    end do
  end function

  subroutine judge()
    if (any(primes < 0) .or. any(by < 1) .or. any(by > num_images())) then
      write (error_unit, '(a)') 'queue: a task has not been done'
      error stop
    end if
    if (sum(primes) /= primes_of_all) then
      write (error_unit, '(2(a, i0))') 'queue: there are ', sum(primes), ' primes, and not ', primes_of_all
      error stop
    end if
  end subroutine

end program
