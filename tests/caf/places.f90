! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! Where coarrays are: static ones of modules, of the main program and of procedures, allocated ones, dummy
! arguments, with several codimensions; initial values; allocate, deallocate, move_alloc and their status.
module first_module
  implicit none
  integer :: a[*] = 11
  real(8), save :: b(3)[*] = [1, 2, 3]
  type :: point
    integer :: x = 7
    real :: y(2) = [0.5, 1.5]
  end type
  type(point), save :: c(2)[*]
  integer, allocatable :: d(:, :)[:]
end module

module second_module
  implicit none
  ! The same name as the other module's, another coarray.
  integer, private :: a[*] = 22
contains
  integer function second_a(image)
    integer, intent(in) :: image
    second_a = a[image]
  end function

  ! A coarray of a procedure keeps its value.
  integer function calls(image)
    integer, intent(in) :: image
    integer, save :: count[*] = 0
    count = count + 1
    sync all
    calls = count[image]
    sync all
  end function

  ! gfortran 12 has one descriptor for all instances of a recursive procedure, so each level is another one.
  integer function outer(n)
    integer, intent(in) :: n
    integer, allocatable :: x(:)[:]
    allocate (x(n)[*])
    x = n * this_image()
    outer = inner(n + 1)
    sync all
    outer = outer + x(n)[num_images()]
  end function

  integer function inner(n)
    integer, intent(in) :: n
    integer, allocatable :: x(:)[:]
    allocate (x(n)[*])
    x = n * this_image()
    sync all
    inner = x(n)[num_images()]
  end function
end module

program places
  use check
  use first_module
  use second_module
  implicit none
  integer :: main(2, 3)[*], other(2, 3)[*]
  integer, save :: grid[2, *], cube(2)[0:1, 2, -1:*], line[5:*]
  integer, allocatable :: e(:)[:], f[:], g(:)[:, :]
  integer :: i, stat
  character(50) :: message
  call check_begin()
  call initial_values()
  call codimensions()
  call allocation()
  call moving()
  call arguments()
  call failures_of_allocate()
  call check_end()
contains
  subroutine initial_values()
    call expect_equal(a[next], 11, 'initial value in a module')
    call expect_equal(second_a(next), 22, 'a private coarray of the same name')
    call expect(all(b(:)[next] == [1, 2, 3]), 'initial values of an array')
    call expect_equal(c(2)[prev]%x, 7, 'default initialisation of a component')
    call expect(all(c(1)[next]%y == [0.5, 1.5]), 'default initialisation of an array')
    sync all
    do i = 1, 3
      call expect_equal(calls(next), i, 'a coarray of a procedure')
    end do
    a = me
    main = me
    b = me
    sync all
    call expect_equal(a[prev], prev, 'a module''s scalar')
    call expect(all(b(2:)[prev] == prev) .and. main(2, 3)[prev] == prev, 'arrays of module and program')
    call expect_equal(second_a(me), 22, 'the other module''s stays')
    sync all
  end subroutine

  subroutine codimensions()
    integer :: s(2), t(3), low, high
    grid = 100 + me
    line = 200 + me
    cube = [300 + me, 400 + me]
    sync all
    s = this_image(grid)
    call expect_equal(s(1) + 2 * (s(2) - 1), me, 'this_image of a grid')
    call expect_equal(image_index(grid, s), me, 'image_index of a grid')
    t = this_image(cube)
    call expect_equal(image_index(cube, t), me, 'image_index of three codimensions')
    call expect_equal(this_image(line, 1), 4 + me, 'this_image of a line')
    call expect(all(lcobound(cube) == [0, 1, -1]), 'lcobound')
    low = lcobound(line, 1); high = ucobound(line, 1)
    call expect_equal(low, 5, 'lcobound of a line')
    call expect_equal(high, 4 + images, 'ucobound of a line')
    do i = 1, images
      call expect_equal(grid[1 + modulo(i - 1, 2), 1 + (i - 1) / 2], 100 + i, 'two cosubscripts')
      call expect_equal(line[4 + i], 200 + i, 'a cosubscript from 5')
      call expect_equal(cube(2)[modulo(i - 1, 2), 1 + modulo((i - 1) / 2, 2), (i - 1) / 4 - 1], 400 + i, &
        'three cosubscripts')
    end do
    sync all
    allocate (g(-1:1)[images, *])
    g = me * [1, 2, 3]
    sync all
    call expect(all(g(:)[next, 1] == next * [1, 2, 3]), 'allocated with two codimensions')
    call expect_equal(image_index(g, [images, 1]), images, 'image_index of an allocated coarray')
    deallocate (g)
  end subroutine

  subroutine allocation()
    integer :: n
    do n = 1, 40, 13
      message = 'before'
      allocate (d(n, 3)[*], e(-n:n)[*], stat=stat, errmsg=message)
      call expect_equal(stat, 0, 'allocate, stat')
      call expect(message == 'before', 'allocate, errmsg stays')
      allocate (f[*], source=me * n)
      call expect(allocated(d) .and. allocated(e) .and. allocated(f), 'allocated')
      call expect(all(shape(d) == [n, 3]) .and. lbound(e, 1) == -n .and. ubound(e, 1) == n, 'bounds')
      d = me; e = -me
      sync all
      call expect(all(d(n, :)[next] == next) .and. e(-n)[prev] == -prev .and. e(n)[next] == -next, &
        'allocated arrays')
      call expect_equal(f[next], next * n, 'an allocated scalar with source=')
      d(1, 2)[next] = 5 * me
      sync all
      call expect(d(1, 2) == 5 * prev .and. count(d /= me) == merge(0, 1, 5 * prev == me), &
        'a put to an allocated array')
      deallocate (e, stat=stat)
      call expect_equal(stat, 0, 'deallocate, stat')
      deallocate (d, f)
      call expect(.not. allocated(d) .and. .not. allocated(e) .and. .not. allocated(f), 'deallocated')
    end do
    ! No element; much; in another order; freed at the end of a procedure.
    allocate (e(0)[*], f[*])
    f = me
    sync all
    e(:)[next] = [integer ::]
    call expect_equal(f[next], next, 'beside an array of no element')
    deallocate (e)
    allocate (e(1000000)[*])
    e = me
    sync all
    call expect(all(e(1:1000000:1000)[next] == next) .and. e(1000000)[prev] == prev, 'a large array')
    deallocate (f)
    deallocate (e)
    call expect_equal(outer(5), 11 * images, 'coarrays of procedures within one another')
    do i = 1, 100
      allocate (e(10000)[*])
      e(i) = i
      deallocate (e)
    end do
    deallocate (e, stat=stat)
    call expect(stat /= 0, 'deallocate of what is not allocated, stat')
  end subroutine

  subroutine moving()
    allocate (e(0:4)[*])
    e = [(10 * me + i, i = 0, 4)]
    sync all
    block
      integer, allocatable :: h(:)[:]
      call move_alloc(e, h)
      call expect(.not. allocated(e) .and. allocated(h), 'move_alloc')
      call expect(lbound(h, 1) == 0 .and. all(h == [(10 * me + i, i = 0, 4)]), &
        'move_alloc, bounds and values')
      call expect(all(h(1:3)[next] == [(10 * next + i, i = 1, 3)]), 'what was moved is a coarray')
      sync all
      allocate (e(2)[*])
      e = -me
      sync all
      call move_alloc(e, h)
      call expect(size(h) == 2 .and. all(h(:)[next] == -next), 'move_alloc to an allocated coarray')
      sync all
    end block
    call expect(.not. allocated(e), 'what was moved from')
    allocate (e(1)[*])
    deallocate (e)
  end subroutine

  subroutine whole(x, y, z, n)
    integer, intent(in) :: n
    integer, intent(inout) :: x(n, *)[2:*], y(:, :)[*]
    integer, intent(inout), allocatable :: z(:)[:]
    y(1, 1)[next] = me
    x(2, 3)[1 + next] = 10 * me
    z(2)[next] = 20 * me
    sync all
    call expect(y(1, 1) == prev .and. x(2, 3) == 10 * prev .and. z(2) == 20 * prev, 'dummy arguments')
    call expect_equal(y(1, 1)[next], me, 'get from a dummy argument')
    sync all
  end subroutine

  subroutine arguments()
    allocate (e(3)[*])
    main = 0; other = 0; e = 0
    sync all
    call whole(main, other, e, 2)
    call expect(all(main == reshape([0, 0, 0, 0, 0, 10 * prev], [2, 3])), &
      'beside what dummy arguments stand for')
    call expect(all(other == reshape([prev, 0, 0, 0, 0, 0], [2, 3])), &
      'beside what an argument of assumed shape stands for')
    call expect(all(e == [0, 20 * prev, 0]), 'beside what an allocatable argument stands for')
    sync all
    call part(main(:, 2:3))
    call expect(all(main(:, 3) == [next, 10 * prev]), 'a section as argument')
    deallocate (e)
  end subroutine

  subroutine part(x)
    integer, intent(inout) :: x(2, 2)[*]
    x(1, 2)[prev] = me
    sync all
  end subroutine

  ! More than there can be. A coarray that is allocated is not allocated again.
  subroutine failures_of_allocate()
    message = 'before'
    allocate (e(1000000000000_8)[*], stat=stat, errmsg=message)
    call expect(stat /= 0 .and. .not. allocated(e), 'allocate of too much, stat')
    call expect(message /= 'before' .and. message /= '', 'allocate of too much, errmsg')
    allocate (e(3)[*])
    e = me
    sync all
    call expect_equal(e(3)[next], next, 'after an allocation that has failed')
    message = 'before'
    allocate (e(5)[*], stat=stat, errmsg=message)
    call expect(stat /= 0 .and. message /= 'before', 'allocate of what is allocated, stat')
    call expect(size(e) == 3, 'allocate of what is allocated changes nothing')
    deallocate (e)
  end subroutine
end program
