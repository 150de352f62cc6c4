! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! Heat in a plate that is cut in both directions: each image has a block of cells, and puts the edges of its
! block into the ghost cells of the four images around it. It waits for these images alone. The cells begin as
! one wave, of which each step leaves the same share, so the result is known.
program halo
  use, intrinsic :: iso_fortran_env, only: int64, real64, error_unit
  implicit none
  integer, parameter :: rows = 48, columns = 36, steps = 200 ! rows and columns of a block
  real(real64), parameter :: pi = acos(-1.0_real64)
  real(real64), allocatable :: u(:, :, :)[:, :] ! the last index: cells before a step and after it, in turn
  integer, allocatable :: around(:)
  integer :: p, q, place(2), step, now, next
  integer(int64) :: start, finish, rate
  real(real64) :: wrong

  p = images_in_a_column(num_images())
  q = num_images() / p
  allocate (u(0:rows + 1, 0:columns + 1, 0:1)[p, *])
  place = this_image(u)
  around = neighbours()
  u = 0
  u(1:rows, 1:columns, 0) = wave()
  sync all ! before it all images have their zeroes
  call exchange(0)

  call system_clock(start, rate)
  do step = 1, steps
    now = mod(step - 1, 2)
    next = 1 - now
    u(1:rows, 1:columns, next) = (u(0:rows - 1, 1:columns, now) + u(2:rows + 1, 1:columns, now) &
      + u(1:rows, 0:columns - 1, now) + u(1:rows, 2:columns + 1, now)) / 4
    call exchange(next)
  end do
  call system_clock(finish)

  wrong = maxval(abs(u(1:rows, 1:columns, mod(steps, 2)) - share()**steps * wave()))
  call co_max(wrong)
  if (this_image() /= 1) stop
  if (wrong > 1e-12_real64) then
    write (error_unit, '(a, es8.1)') 'halo: cells are wrong by ', wrong
    error stop
  end if
  print '(5(i0, a), f0.1, a)', rows * p, ' x ', columns * q, ' cells on ', p, ' x ', &
    q, ' images, ', steps, ' steps: right; a step took ', &
    real(finish - start, real64) / rate / steps * 1e6_real64, ' us'

contains

  ! Images are as many in a row as in a column, or somewhat more.
  pure integer function images_in_a_column(n) result(p)
    integer, intent(in) :: n
    p = int(sqrt(real(n)))
    do while (mod(n, p) /= 0)
      p = p - 1
    end do
  end function

  function neighbours() result(list)
    integer, allocatable :: list(:)
    list = [image_index(u, place - [1, 0]), image_index(u, place + [1, 0]), &
      image_index(u, place - [0, 1]), image_index(u, place + [0, 1])]
    list = pack(list, list > 0) ! 0: there is none, at the border
  end function

  ! The puts have arrived when both images have come to sync images. The neighbour reads the other half
  ! meanwhile.
  subroutine exchange(k)
    integer, intent(in) :: k
    integer :: i, j
    i = place(1)
    j = place(2)
    if (i > 1) u(rows + 1, 1:columns, k)[i - 1, j] = u(1, 1:columns, k)
    if (i < p) u(0, 1:columns, k)[i + 1, j] = u(rows, 1:columns, k)
    if (j > 1) u(1:rows, columns + 1, k)[i, j - 1] = u(1:rows, 1, k)
    if (j < q) u(1:rows, 0, k)[i, j + 1] = u(1:rows, columns, k)
    sync images (around)
  end subroutine

  ! It is 0 at the plate's border.
  function wave() result(w)
    real(real64) :: w(rows, columns), x(rows), y(columns)
    integer :: i
    x = sin(pi * [((place(1) - 1) * rows + i, i=1, rows)] / (rows * p + 1))
    y = sin(pi * [((place(2) - 1) * columns + i, i=1, columns)] / (columns * q + 1))
    w = spread(x, 2, columns) * spread(y, 1, rows)
  end function

  real(real64) function share()
    share = (cos(pi / (rows * p + 1)) + cos(pi / (columns * q + 1))) / 2
  end function

end program
