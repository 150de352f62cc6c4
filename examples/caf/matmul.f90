! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! A product of matrices whose columns are divided among the images. Each image needs all of the first matrix:
! it gets one image's columns after the other, beginning with those of the next image, so that no two ask the
! same image at a time.
program distributed_matmul
  use, intrinsic :: iso_fortran_env, only: int64, real64, error_unit
  implicit none
  integer, parameter :: width = 64 ! columns of an image
  real(real64), allocatable :: a(:, :)[:], b(:, :), c(:, :), part(:, :)
  integer :: n, me, k, owner, i, j
  integer(int64) :: start, finish, rate
  real(real64) :: wrong

  me = this_image()
  n = width * num_images()
  allocate (a(n, width)[*], b(n, width), c(n, width), part(n, width))
  a = reshape([((real(i + column(me, j), real64), i=1, n), j=1, width)], [n, width])
  b = reshape([((real(i - column(me, j), real64), i=1, n), j=1, width)], [n, width])
  sync all ! now all images have filled their columns

  call system_clock(start, rate)
  c = 0
  do k = 1, num_images()
    owner = 1 + mod(me + k - 1, num_images())
    part = a(:, :)[owner]
    c = c + matmul(part, b(column(owner, 1):column(owner, width), :))
  end do
  sync all
  call system_clock(finish)

  wrong = maxval(abs(c - known_product()))
  call co_max(wrong)
  if (me /= 1) stop
  if (wrong > 0) then
    write (error_unit, '(a, es8.1)') 'matmul: an element is wrong by ', wrong
    error stop
  end if
  print '(3(i0, a), f0.2, a)', n, ' x ', n, ' elements on ', num_images(), ' images: right; ', &
    2.0_real64 * n**2 * n / (real(finish - start, real64) / rate) / 1e9_real64, ' GFlop/s'

contains

  ! An image's column, counted in the whole matrix.
  pure integer function column(image, j)
    integer, intent(in) :: image, j
    column = (image - 1) * width + j
  end function

  ! The sum of (i + k) * (k - j) over all k. These are whole numbers, so nothing is rounded.
  function known_product() result(right)
    real(real64) :: right(n, width), first, second
    integer :: i, j
    first = n * (n + 1.0_real64) / 2
    second = first * (2.0_real64 * n + 1) / 3
    do concurrent(i=1:n, j=1:width)
      right(i, j) = i * first - real(i, real64) * column(me, j) * n + second - column(me, j) * first
    end do
  end function

end program
