! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! A matrix in blocks on a grid of images is balanced: its rows and its columns are divided by their sums in
! turn, until all rows have the same sum, and all columns. The images of a row of the grid are a team, and so
! are those of a column: a sum is one of the current team.
program balance
  use, intrinsic :: iso_fortran_env, only: real64, team_type, error_unit
  implicit none
  integer, parameter :: size = 20, rounds = 60 ! size: of a block, which is a square
  real(real64) :: block(size, size)
  type(team_type) :: row, column
  integer :: p, me, i, j, round
  real(real64) :: wrong

  me = this_image() - 1
  p = rows_of_images(num_images())
  form team (1 + mod(me, p), row)
  form team (1 + me / p, column)
  block = reshape([((1.0_real64 + mod(7 * i + 3 * j + 5 * me, 11), i=1, size), j=1, size)], [size, size])

  do round = 1, rounds
    block = block / spread(sums(row, 2), 2, size)
    block = block / spread(sums(column, 1), 1, size)
  end do

  ! A column's sum is 1. A row's is 1 where the grid is a square, and else how many columns there are to a
  ! row.
  wrong = max(maxval(abs(sums(column, 1) - 1)), maxval(abs(sums(row, 2) - row_sum())))
  call co_max(wrong)
  if (me /= 0) stop
  if (wrong > 1e-9_real64) then
    write (error_unit, '(a, es8.1)') 'balance: a sum is wrong by ', wrong
    error stop
  end if
  print '(4(i0, a))', size * p, ' x ', size * (num_images() / p), ' numbers on ', p, ' x ', &
    num_images() / p, ' images: all sums are right'

contains

  pure integer function rows_of_images(n) result(p)
    integer, intent(in) :: n
    p = int(sqrt(real(n)))
    do while (mod(n, p) /= 0)
      p = p - 1
    end do
  end function

  ! Sums over all blocks of a team: of rows (along 2) or of columns (along 1).
  function sums(team, along)
    type(team_type), intent(in) :: team
    integer, intent(in) :: along
    real(real64) :: sums(size)
    sums = sum(block, along)
    change team (team)
      call co_sum(sums)
    end team
  end function

  pure real(real64) function row_sum()
    row_sum = real(num_images() / p, real64) / p
  end function

end program
