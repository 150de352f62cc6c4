! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! Puts and gets of coarrays.
module bench_caf_transfers
  use, intrinsic :: iso_c_binding, only: c_bool, c_double, c_int, c_loc, c_long, c_ptr
  implicit none
  integer, parameter :: words = 64, elements = 2**17, side = 512
  integer, parameter :: line = 7, last = 63 ! the column and row that are moved, and the end of the square
  real(c_double), target :: word(words)[*], block(elements)[*], grid(side, side)[*]
  real(c_double), target :: my_word(words), my_block(elements), my_grid(side, side)

contains

  ! The coarrays, and the variables that are moved there and back.
  subroutine variables(there, here) bind(C, name='bench_caf_variables')
    type(c_ptr), intent(out) :: there(3), here(3)
    there = [c_loc(word), c_loc(block), c_loc(grid)]
    here = [c_loc(my_word), c_loc(my_block), c_loc(my_grid)]
  end subroutine

  subroutine complete() bind(C, name='bench_caf_complete')
    sync memory
  end subroutine

  subroutine put_words(n, to, completed) bind(C, name='bench_caf_put_words')
    integer(c_long), value :: n
    integer(c_int), value :: to
    logical(c_bool), value :: completed ! each of them
    integer(c_long) :: i
    integer :: k
    do i = 0, n - 1
      k = int(mod(i, int(words, c_long))) + 1
      word(k)[to] = my_word(k)
      if (completed) sync memory
    end do
  end subroutine

  subroutine get_words(n, from) bind(C, name='bench_caf_get_words')
    integer(c_long), value :: n
    integer(c_int), value :: from
    integer(c_long) :: i
    integer :: k
    do i = 0, n - 1
      k = int(mod(i, int(words, c_long))) + 1
      my_word(k) = word(k)[from]
    end do
  end subroutine

  subroutine put_block(n, to) bind(C, name='bench_caf_put_block')
    integer(c_long), value :: n
    integer(c_int), value :: to
    integer(c_long) :: i
    do i = 1, n
      block(:)[to] = my_block
    end do
  end subroutine

  subroutine get_block(n, from) bind(C, name='bench_caf_get_block')
    integer(c_long), value :: n
    integer(c_int), value :: from
    integer(c_long) :: i
    do i = 1, n
      my_block = block(:)[from]
    end do
  end subroutine

  subroutine put_column(n, to) bind(C, name='bench_caf_put_column')
    integer(c_long), value :: n
    integer(c_int), value :: to
    integer(c_long) :: i
    do i = 1, n
      grid(:, line)[to] = my_grid(:, line)
    end do
  end subroutine

  subroutine get_column(n, from) bind(C, name='bench_caf_get_column')
    integer(c_long), value :: n
    integer(c_int), value :: from
    integer(c_long) :: i
    do i = 1, n
      my_grid(:, line) = grid(:, line)[from]
    end do
  end subroutine

  subroutine put_row(n, to) bind(C, name='bench_caf_put_row')
    integer(c_long), value :: n
    integer(c_int), value :: to
    integer(c_long) :: i
    do i = 1, n
      grid(line, :)[to] = my_grid(line, :)
    end do
  end subroutine

  subroutine get_row(n, from) bind(C, name='bench_caf_get_row')
    integer(c_long), value :: n
    integer(c_int), value :: from
    integer(c_long) :: i
    do i = 1, n
      my_grid(line, :) = grid(line, :)[from]
    end do
  end subroutine

  subroutine put_square(n, to) bind(C, name='bench_caf_put_square')
    integer(c_long), value :: n
    integer(c_int), value :: to
    integer(c_long) :: i
    do i = 1, n
      grid(1:last:2, 1:last:2)[to] = my_grid(1:last:2, 1:last:2)
    end do
  end subroutine

  subroutine get_square(n, from) bind(C, name='bench_caf_get_square')
    integer(c_long), value :: n
    integer(c_int), value :: from
    integer(c_long) :: i
    do i = 1, n
      my_grid(1:last:2, 1:last:2) = grid(1:last:2, 1:last:2)[from]
    end do
  end subroutine

end module
