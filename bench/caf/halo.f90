! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! A step of Jacobi's method. Each image has a square of cells. Images lie side by side and exchange columns,
! which are contiguous, or one below the other and exchange rows. What it is compared with calls the same
! sweep.
module bench_caf_halo
  use, intrinsic :: iso_c_binding, only: c_bool, c_double, c_int, c_loc, c_long, c_ptr
  implicit none
  integer, parameter :: n = 256 ! cells on a side
  real(c_double), target :: u(0:n + 1, 0:n + 1)[*], v(0:n + 1, 0:n + 1)[*]

contains

  subroutine squares(first, second, side) bind(C, name='bench_caf_squares')
    type(c_ptr), intent(out) :: first, second
    integer(c_int), intent(out) :: side
    first = c_loc(u)
    second = c_loc(v)
    side = n
  end subroutine

  subroutine sweep(after, before)
    real(c_double), intent(inout) :: after(0:n + 1, 0:n + 1)
    real(c_double), intent(in) :: before(0:n + 1, 0:n + 1)
    after(1:n, 1:n) = (before(0:n - 1, 1:n) + before(2:n + 1, 1:n) + before(1:n, 0:n - 1) &
      + before(1:n, 2:n + 1)) / 4
  end subroutine

  ! The neighbour reads the other square's ghost cells meanwhile, so one meeting is enough.
  subroutine exchange(square, rows)
    real(c_double), intent(inout) :: square(0:n + 1, 0:n + 1)[*]
    logical(c_bool), intent(in) :: rows
    integer :: me
    me = this_image()
    if (rows) then
      if (me > 1) square(n + 1, 1:n)[me - 1] = square(1, 1:n)
      if (me < num_images()) square(0, 1:n)[me + 1] = square(n, 1:n)
    else
      if (me > 1) square(1:n, n + 1)[me - 1] = square(1:n, 1)
      if (me < num_images()) square(1:n, 0)[me + 1] = square(1:n, n)
    end if
    sync images (pack([me - 1, me + 1], [me > 1, me < num_images()]))
  end subroutine

  ! The same several times: more work in a step.
  subroutine sweeps(times, after, before) bind(C, name='bench_caf_sweeps')
    integer(c_int), value :: times
    real(c_double), intent(inout) :: after(0:n + 1, 0:n + 1)
    real(c_double), intent(in) :: before(0:n + 1, 0:n + 1)
    integer(c_int) :: i
    do i = 1, times
      call sweep(after, before)
    end do
  end subroutine

  subroutine steps(count, times, rows) bind(C, name='bench_caf_steps')
    integer(c_long), value :: count
    integer(c_int), value :: times
    logical(c_bool), value :: rows
    integer(c_long) :: i
    do i = 1, count, 2
      call exchange(u, rows)
      call sweeps(times, v, u)
      call exchange(v, rows)
      call sweeps(times, u, v)
    end do
  end subroutine

end module
