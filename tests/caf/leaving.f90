! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! Image 2 stops while the others are in collective subroutines, or before that. Subroutines in which it has
! been too have their results. Others give stat=, or their result where they need nothing of it. A team of
! those that go on works as ever. A seed, the argument, says when it stops.
module pauses
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none
  interface
    integer(c_int) function c_usleep(us) bind(c, name='usleep')
      import c_int
      integer(c_int), value :: us
    end function
  end interface
end module

program leaving
  use, intrinsic :: iso_fortran_env, only: team_type, stat_stopped_image
  use check
  use pauses
  implicit none
  integer, parameter :: kinds = 6, rounds = 3, who = 2, large = 300000
  integer, allocatable :: a(:)[:]
  integer :: values(large)
  type(team_type) :: living
  character(20) :: argument
  integer :: seed = 1, last, i, stat
  integer(c_int) :: rc
  call check_begin()
  call get_command_argument(1, argument)
  if (argument /= '') read (argument, *) seed
  if (images < 3) then
    write (*, '(a)') 'ok: there are too few images'
    stop
  end if
  ! The last statement in which image 2 is, and how long it waits then; or the others, who come late.
  last = modulo(seed * 7, rounds * kinds)
  form team (merge(2, 1, me == who), living)
  do i = 1, rounds * kinds
    if (me == who .and. i > last) then
      if (modulo(seed, 3) == 1) rc = c_usleep(300000_c_int)
      if (failures > 0) error stop 1
      stop
    end if
    if (modulo(seed, 3) == 2 .and. i == last + 1) rc = c_usleep(int(100000 * me, c_int))
    call statement(i)
    if (modulo(i, 4) /= 0 .or. me == who) cycle
    change team (living)
      call go_on(i)
    end team
  end do
  change team (living)
    sync all
    if (failures > 0) error stop 1
    sync all
    if (this_image() == 1) write (*, '(a, i0, a)') 'ok: ', checks, ' checks by the first image'
  end team
contains
  ! needs: the caller waits for all images.
  logical function is_over(title, needs)
    character(*), intent(in) :: title
    logical, intent(in) :: needs
    if (i <= last) call expect_equal(stat, 0, title // ' of all images')
    if (i > last .and. needs) call expect_equal(stat, stat_stopped_image, title // ' without image 2')
    if (i > last) call expect(stat == 0 .or. stat == stat_stopped_image, title // ': stat')
    is_over = stat == 0
  end function

  subroutine statement(number)
    integer, intent(in) :: number
    integer :: n, k, root
    n = merge(1, large, modulo(number / kinds + seed, 2) == 0)
    root = 1 + modulo(number, images)
    values(:n) = [(k + me * 10, k = 1, n)]
    select case (modulo(number, kinds))
    case (0)
      call co_sum(values(:n), stat=stat)
      if (is_over('co_sum', .true.)) call expect(all(values(:n) == [(total(k), k = 1, n)]), 'co_sum')
    case (1)
      call co_broadcast(values(:n), root, stat=stat)
      if (is_over('co_broadcast', root == who)) &
        call expect(all(values(:n) == [(k + root * 10, k = 1, n)]), 'co_broadcast')
    case (2)
      call co_reduce(values(:n), plus, stat=stat)
      if (is_over('co_reduce', .true.)) call expect(all(values(:n) == [(total(k), k = 1, n)]), 'co_reduce')
    case (3)
      call co_max(values(:n), result_image=root, stat=stat)
      if (is_over('co_max', me == root) .and. me == root) &
        call expect(all(values(:n) == [(k + images * 10, k = 1, n)]), 'co_max')
    case (4)
      allocate (a(n)[*], stat=stat)
      if (is_over('allocate', .true.)) deallocate (a, stat=stat)
    case (5)
      call co_min(values(1), stat=stat)
      if (is_over('co_min', .true.)) call expect_equal(values(1), 11, 'co_min')
    end select
  end subroutine

  integer function total(k)
    integer, intent(in) :: k
    total = images * k + 5 * images * (images + 1)
  end function

  pure integer function plus(x, y)
    integer, intent(in) :: x, y
    plus = x + y
  end function

  subroutine go_on(number)
    integer, intent(in) :: number
    integer :: x, inner
    x = number
    call co_sum(x)
    call expect_equal(x, number * (images - 1), 'co_sum of those that go on')
    x = this_image()
    call co_broadcast(x, images - 1, stat=inner)
    call expect(inner == 0 .and. x == images - 1, 'co_broadcast of those that go on')
    sync all
  end subroutine
end program
