! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! Subscripts, bounds and lengths that the statement computes, which other images have to be told; much data;
! components that other images allocate, and pointers to what is in no coarray, which gfortran 15 and later
! leave to their image.
! gfortran 15 and 16 take types that a program defines for others, with other layouts.
module subscript_types
  implicit none
  type object
    integer :: number
    integer, allocatable :: list(:)
  end type
  type link
    integer, pointer :: row(:)
    integer, pointer :: one
  end type
end module

program subscripts
  use check
  use subscript_types
  implicit none
  integer :: v(20)[*], w(5, 6)[*], long(200000)[*]
  character(8) :: text(4)[*]
  integer, allocatable :: moved(:, :)[:]
  type(object) :: o[*], many(2)[*], one(1)[*]
  type(link) :: to[*]
  integer, target :: own(6), alone
  integer, allocatable :: at(:), mine(:)
  integer :: places(4), four(4), ten(19), i, k, image, copy(200000)
  call check_begin()
  call lists()
  call computed()
  call lengths()
  call much()
  call allocated_components()
#if __GNUC__ >= 15
  call pointers()
#endif
  call check_end()
contains
  integer function value(image, n)
    integer, intent(in) :: image, n
    value = 1000 * image + n
  end function

  subroutine fill()
    v = [(value(me, i), i = 1, 20)]
    sync all
  end subroutine

  ! Lists of subscripts in arrays, allocatable ones and others.
  subroutine lists()
    call fill()
    places = [7, 2, 19, 4]
    at = [3, 20, 1]
    four = v(places)[next]
    call expect(all(four == [(value(next, places(i)), i = 1, 4)]), 'get by a list')
    four(2:) = v(at)[next]
    call expect(all(four(2:) == [(value(next, at(i)), i = 1, 3)]), 'get by an allocatable list')
    i = v(at(2))[next]
    call expect_equal(i, value(next, 20), 'get by an element of a list')
    sync all
    v(at)[next] = -[me, me, me] * 10 - [1, 2, 3]
    sync all
    call expect(all(v(at) == -prev * 10 - [1, 2, 3]) .and. v(2) == value(me, 2), 'put by an allocatable list')
    sync all
    v(places)[next] = 7 * me
    sync all
    call expect(all(v(places) == 7 * prev) .and. v(5) == value(me, 5), 'put by a list')
    sync all
    w = 0
    at = [2, 5]
    sync all
    w(at, places(2):4)[next] = me
    sync all
    call expect(sum(w) == 6 * prev .and. all(w(at, 2:4) == prev), 'put by a list and a section')
    sync all
  end subroutine

  ! Bounds, strides and an image that are computed.
  subroutine computed()
    call fill()
    do k = 1, 5
      image = 1 + modulo(me + k, images)
      ten(:(20 - k) / k) = v(k:20 - k:k)[image]
      call expect(all(ten(:(20 - k) / k) == [(value(image, i), i = k, 20 - k, k)]), 'get by computed bounds')
    end do
    ten = 0
    ten(k:k - 1) = v(k:k - 1)[next]
    call expect(all(ten == 0), 'no element')
    sync all
    v(k:k + 3)[next] = v(k + 13:k + 10:-1)
    sync all
    call expect(all(v(k:k + 3) == [(value(prev, i), i = k + 13, k + 10, -1)]), 'put by computed bounds')
    sync all
    allocate (moved(-1:k, 3)[*])
    moved = me
    sync all
    moved(0:k:2, 2)[next] = [(-me * i, i = 0, k, 2)]
    sync all
    call expect(all(moved(0:k:2, 2) == [(-prev * i, i = 0, k, 2)]) .and. sum(moved(:, 1)) == me * (k + 2), &
      'put to an allocated coarray with other bounds')
    ten(:k + 2) = moved(:, 2)[next]
    call expect_equal(ten(4), -2 * me, 'get from an allocated coarray')
    deallocate (moved)
    sync all
  end subroutine

  subroutine lengths()
    character(3) :: three(2)
    character(8) :: eight(2)
    text = 'unset'
    sync all
    three = ['abc', 'xy ']
    text(2:3)[next] = three
    text(1)[next] = 'nse'
    sync all
    call expect(all(text(2:3) == three) .and. text(1) == 'nse', 'put of characters')
    eight = text(2:3)[next]
    three(1) = text(4)[next]
    call expect(all(eight == ['abc     ', 'xy      ']) .and. three(1) == 'uns', 'get of characters')
    sync all
  end subroutine

  ! More than a message has.
  subroutine much()
    long = [(value(me, i), i = 1, 200000)]
    sync all
    copy(:199999) = long(2:)[next]
    call expect(all(copy(:199999) == [(value(next, i), i = 2, 200000)]), 'get of much')
    sync all
    long(1:200000:2)[next] = [(-i, i = 1, 100000)]
    sync all
    call expect(all(long(1::2) == [(-i, i = 1, 100000)]) .and. &
      all(long(2::2) == [(value(me, i), i = 2, 200000, 2)]), 'put of much')
    sync all
    long(1:99999)[prev] = long(100002:)[next]
    sync all
    call expect(all(long(1:99999:2) == [(value(1 + modulo(next, images), i), i = 100002, 200000, 2)]), &
      'copy of much')
    sync all
  end subroutine

  subroutine allocated_components()
    o%number = me
    allocate (o%list(3 + me))
    o%list = me
    sync all
    mine = o[next]%list
    call expect(size(mine) == 3 + next .and. all(mine == next), 'an allocatable component')
    i = o[next]%list(2)
    call expect_equal(i, next, 'an element of an allocatable component')
    call expect(allocated(o[next]%list), 'allocated')
    sync all
    o[next]%list(2:3) = [10 * me, 20 * me]
    sync all
    call expect(all(o%list(1:3) == [me, 10 * prev, 20 * prev]), 'put to an allocatable component')
#if __GNUC__ >= 15
    call expect(.not. allocated(many(2)[next]%list) .and. .not. allocated(one(1)[next]%list), 'not allocated')
    sync all
    many(2)[next]%list = [me, 2 * me, 3 * me]
    one(1)[next]%list = [7]
    sync all
    call expect(allocated(many(2)%list), 'a component that another image allocates')
    call expect(all(many(2)%list == prev * [1, 2, 3]), 'its elements')
    call expect(allocated(many(2)[next]%list) .and. allocated(one(1)[next]%list) .and. &
      .not. allocated(many(1)[next]%list), 'as other images see it')
    sync all
    many(2)[next]%list = [(me, i = 1, 3000)]
    sync all
    call expect(size(many(2)%list) == 3000 .and. all(many(2)%list == prev), 'that is allocated again')
    call expect_equal(sum(many(2)[prev]%list), 3000 * (1 + modulo(prev - 2, images)), 'and read by an image')
    sync all
    o[prev]%list = [(i, i = 1, 100)]
    sync all
    call expect(size(o%list) == 100 .and. o%list(100) == 100, 'a component of another size')
#endif
    sync all
    deallocate (o%list)
    call expect(.not. allocated(o[me]%list), 'deallocated')
    sync all
  end subroutine

#if __GNUC__ >= 15
  subroutine pointers()
    own = [(value(me, i), i = 1, 6)]
    alone = -me
    to%row => own(2:6:2)
    to%one => alone
    sync all
    mine = to[next]%row
    call expect(all(mine == [value(next, 2), value(next, 4), value(next, 6)]), 'a pointer to a section')
    call expect_equal(to[next]%one, -next, 'a pointer to a scalar')
    sync all
    to[next]%row(2) = me
    to[next]%one = 5 * me
    sync all
    call expect(own(4) == prev .and. own(3) == value(me, 3) .and. alone == 5 * prev, 'put by a pointer')
    sync all
  end subroutine
#endif
end program
