! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! Pointers in coarrays that point to this image's own variables, which are no coarrays: scalars, sections, and
! objects with pointers of their own, read and written by other images.
program targets
  use check
  implicit none
  type :: inner
    integer :: tag
    real(8), pointer :: values(:) => null()
  end type
  type :: outer
    integer :: n
    integer, pointer :: one => null(), row(:) => null(), grid(:, :) => null()
    character(:), pointer :: text => null()
    type(inner), pointer :: within => null()
  end type
  type(outer), save :: o[*]
  integer, target :: alone, own(20), table(5, 7), large(30000)
  real(8), target :: reals(6)
  type(inner), target :: inside
  integer :: got(20), i, k
  integer, allocatable :: long(:)
  call check_begin()
  alone = 100 * me
  own = [(me + i, i = 1, 20)]
  table = reshape([(1000 * me + i, i = 1, 35)], [5, 7])
  large = [(me * i, i = 1, 30000)]
  reals = [(me + i / 2.0_8, i = 1, 6)]
  inside%tag = -me
  inside%values => reals(6:1:-1)
  o%n = me
  o%one => alone
  o%row => own(2:20:2)
  o%grid => table(5:1:-2, 2:6)
  o%within => inside
  sync all
  k = o[next]%one
  call expect_equal(k, 100 * next, 'a scalar')
  got(1:10) = o[next]%row(:)
  call expect(all(got(1:10) == [(next + i, i = 2, 20, 2)]), 'a section')
  got(1:4) = o[next]%row([7, 1, 1, 10])
  call expect(all(got(1:4) == next + [14, 2, 2, 20]), 'with a vector')
  got(1:3) = o[next]%row(9:1:-4)
  call expect(all(got(1:3) == next + [18, 10, 2]), 'downwards')
  got(1:6) = reshape(o[next]%grid(1:3:2, 5:1:-2), [6])
  call expect(all(got(1:6) == 1000 * next + [30, 26, 20, 16, 10, 6]), 'of two dimensions')
  k = o[next]%within%tag
  call expect_equal(k, -next, 'an object')
  call expect(abs(o[next]%within%values(2) - (next + 2.5_8)) < 1e-9, 'a pointer in it')
  sync all
  o[next]%one = me
  o[next]%row(3:7:2) = [10, 20, 30]
  o[next]%row([1, 10]) = [-1, -10]
  o[next]%grid(2, :) = 7
  o[next]%within%values(6) = 42
  call expect_equal(o[next]%one, me, 'what has just been put')
  sync all
  call expect_equal(alone, prev, 'put of a scalar')
  call expect(all(own(2:20:2) == [-1, me + 4, 10, me + 8, 20, me + 12, 30, me + 16, me + 18, -10]), &
    'put of a section')
  call expect(all(own(1:19:2) == [(me + i, i = 1, 19, 2)]), 'beside it')
  call expect(all(table(3, 2:6) == 7), 'put of a row, with a scalar')
  call expect(all(table(1:2, :) == reshape([((1000 * me + i + 5 * k, i = 1, 2), k = 0, 6)], [2, 7])), &
    'beside a row')
  call expect(reals(1) == 42 .and. reals(2) == me + 1, 'put through two pointers')
  ! More than a message.
  o%row => large
  sync all
  allocate (long(30000))
  long(:) = o[next]%row(:)
  call expect(all(long == [(next * i, i = 1, 30000)]), 'many elements')
  sync all
  o[next]%row(30000:1:-1) = long
  sync all
  call expect(all(large == [(me * i, i = 30000, 1, -1)]), 'put of many elements')
  ! Between two other images.
  sync all
  if (me == 1) o[next]%row(1:5) = o[images]%row(30000:29996:-1)
  sync all
  if (prev == 1) call expect(all(large(1:5) == [(images * i, i = 1, 5)]), 'between images')
  call check_end()
end program
