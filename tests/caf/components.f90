! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! Components that lie in their objects: of scalars, and of elements of arrays. Sections of arrays of objects
! are left out: gfortran 12 says wrongly where a component of these lies, unless it is the first. So are
! parts of characters, which it takes for whole ones.
module kinds_of_objects
  implicit none
  type :: inner
    integer :: a
    real(8) :: b(3)
  end type
  type :: outer
    integer :: first
    character(7) :: name
    type(inner) :: one, many(2)
    complex(8) :: z(0:2, 2)
    logical :: is
  end type
end module

program components
  use check
  use kinds_of_objects
  implicit none
  type(outer) :: o[*], p(0:4)[*], local, mo, mp(0:4)
  type(outer), allocatable :: q(:)[:]
  integer :: i
  call check_begin()
  allocate (q(3)[*])
  call puts()
  call gets()
  call copies()
  deallocate (q)
  call check_end()
contains
  type(outer) function object(seed)
    integer, intent(in) :: seed
    integer :: k
    object%first = seed
    object%name = 'n' // char(65 + modulo(seed, 26)) // 'name'
    object%one = inner(seed + 1, [seed + 0.5d0, seed + 1.5d0, seed + 2.5d0])
    object%many = [inner(seed + 2, 3d0 * seed), inner(seed + 3, -1d0 * seed)]
    object%z = reshape([(cmplx(seed + k, seed - k, 8), k = 1, 6)], [3, 2])
    object%is = modulo(seed, 2) == 1
  end function

  logical function same(a, b)
    type(outer), intent(in) :: a, b
    same = a%first == b%first .and. a%name == b%name .and. a%one%a == b%one%a .and. &
      all(a%one%b == b%one%b) .and. &
      all(a%many%a == b%many%a) .and. all(a%many(1)%b == b%many(1)%b) .and. &
        all(a%many(2)%b == b%many(2)%b) .and. &
      all(a%z == b%z) .and. (a%is .eqv. b%is)
  end function

  subroutine fill()
    integer :: k
    o = object(100 * me)
    do k = 0, 4
      p(k) = object(100 * me + k)
    end do
    do k = 1, 3
      q(k) = object(100 * me + 10 + k)
    end do
    mo = o
    mp = p
    sync all
  end subroutine

  subroutine compare(title)
    character(*), intent(in) :: title
    integer :: k
    sync all
    call expect(same(o, mo), title // ': scalar')
    do k = 0, 4
      call expect(same(p(k), mp(k)), title // ': array')
    end do
    sync all
  end subroutine

  subroutine puts()
    call fill()
    o[next]%first = -me; mo%first = -prev
    call compare('put of the first component')
    call fill()
    o[next]%name = 'new'; mo%name = 'new'
    call compare('put of characters')
    call fill()
    o[next]%one%b(2) = me; mo%one%b(2) = prev
    call compare('put of an element of a component')
    call fill()
    o[next]%one%b = [1, 2, 3] * me; mo%one%b = [1, 2, 3] * prev
    call compare('put of an array component, converted')
    call fill()
    o[next]%z(0:2:2, :) = me; mo%z(0:2:2, :) = prev
    call compare('put of a section of a component')
    call fill()
    o[next]%many(2) = inner(me, [1d0, 2d0, 3d0]); mo%many(2) = inner(prev, [1d0, 2d0, 3d0])
    call compare('put of an object in an object')
    call fill()
    o[next]%many(2)%a = me; mo%many(2)%a = prev
    call compare('put of a component of an element')
    call fill()
    p(3)[next]%first = -me; mp(3)%first = -prev
    call compare('put of a component of an element of an array')
    call fill()
    p(3)[next]%is = .true.; mp(3)%is = .true.
    call compare('put of the last component')
    call fill()
    p(1)[next]%many(1)%b(1:3:2) = [1, 2] * me; mp(1)%many(1)%b(1:3:2) = [1, 2] * prev
    call compare('put deep in an array')
    call fill()
    p(4)[next]%z(2:0:-1, 1) = cmplx(me, [1, 2, 3], 8); mp(4)%z(2:0:-1, 1) = cmplx(prev, [1, 2, 3], 8)
    call compare('put of a section of a component, backwards')
    call fill()
    q(2)[next]%one%a = -me
    sync all
    local = object(100 * me + 12); local%one%a = -prev
    call expect(same(q(2), local), 'put to an allocated array')
    call fill()
    p(1:3)[next] = q(3:1:-1)
    do i = 1, 3
      mp(i) = object(100 * prev + 14 - i)
    end do
    call compare('put of whole objects')
    call fill()
    p(1:4)[next]%first = -me; mp(1:4)%first = -prev
    call compare('put of the first component of a section')
  end subroutine

  subroutine gets()
    type(outer) :: n, a(0:4), b
    integer :: k
    call fill()
    n = object(100 * next)
    do k = 0, 4
      a(k) = object(100 * next + k)
    end do
    call expect_equal(o[next]%first, n%first, 'get of the first component')
    call expect(o[next]%name == n%name, 'get of characters')
    call expect(o[next]%one%b(2) == n%one%b(2), 'get of an element of a component')
    call expect(all(o[next]%one%b == n%one%b), 'get of an array component')
    call expect(all(o[next]%z(0:2:2, :) == n%z(0:2:2, :)), 'get of a section of a component')
    call expect(all(o[next]%z(:, 2) == n%z(:, 2)), 'get of a column of a component')
    call expect_equal(o[next]%many(2)%a, n%many(2)%a, 'get of a component of an element')
    b%one = o[next]%many(1)
    call expect(b%one%a == n%many(1)%a .and. all(b%one%b == n%many(1)%b), 'get of an object in an object')
    b = o[next]
    call expect(same(b, n), 'get of an object')
    b = p(2)[next]
    call expect(same(b, a(2)), 'get of an element')
    call expect(p(4)[next]%is .eqv. a(4)%is, 'get of the last component')
    call expect(all(p(1)[next]%many(2)%b(3:1:-2) == a(1)%many(2)%b(3:1:-2)), 'get deep in an array')
    call expect(all(p(1:4)[next]%first == a(1:4)%first), 'get of the first component of a section')
    call expect_equal(q(3)[prev]%many(1)%a, 100 * prev + 15, 'get from an allocated array')
    sync all
  end subroutine

  subroutine copies()
    call fill()
    o[next]%first = p(2)[prev]%many(1)%a
    i = merge(images, prev - 1, prev == 1)
    mo%first = 100 * i + 4
    call compare('copy of a component')
    call fill()
    p(3)[next]%one%b = q(2)[prev]%many(2)%b
    mp(3)%one%b = -1d0 * (100 * i + 12)
    call compare('copy of an array component')
    call fill()
    p(1)[next]%one = o[prev]%many(1)
    mp(1)%one = inner(100 * i + 2, 300d0 * i)
    call compare('copy of an object in an object')
  end subroutine
end program
