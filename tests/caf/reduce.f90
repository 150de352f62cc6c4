! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! co_reduce with functions of all types: by reference and by value, of characters and of derived types.
! gfortran does not say of which kind real numbers of 16 bytes are: they are of the one that CAF_REAL_KIND
! says, and left out without it.
module operations
  implicit none
  type :: pair
    integer :: place
    real(8) :: value
    character(3) :: name
  end type
contains
#define SUM(name, type) pure function name(a, b) result(r); type, intent(in) :: a, b; type :: r; r = a + b; \
  end function
#define SUM_BY_VALUE(name, type) pure function name(a, b) result(r); type, value :: a, b; type :: r; \
  r = a + b; end function
  SUM(sum_i1, integer(1))
  SUM(sum_i2, integer(2))
  SUM(sum_i4, integer(4))
  SUM(sum_i8, integer(8))
  SUM(sum_i16, integer(16))
  SUM(sum_r4, real(4))
  SUM(sum_r8, real(8))
  SUM(sum_r10, real(10))
  SUM(sum_r16, real(16))
  SUM(sum_c4, complex(4))
  SUM(sum_c8, complex(8))
  SUM(sum_c10, complex(10))
  SUM(sum_c16, complex(16))
  SUM_BY_VALUE(value_i1, integer(1))
  SUM_BY_VALUE(value_i2, integer(2))
  SUM_BY_VALUE(value_i4, integer(4))
  SUM_BY_VALUE(value_i8, integer(8))
  SUM_BY_VALUE(value_r4, real(4))
  SUM_BY_VALUE(value_r8, real(8))
  SUM_BY_VALUE(value_r10, real(10))
  SUM_BY_VALUE(value_c4, complex(4))
  SUM_BY_VALUE(value_c8, complex(8))

#define BOTH(name, k) pure function name(a, b) result(r); logical(k), intent(in) :: a, b; logical(k) :: r; \
  r = a .and. b; end function
  BOTH(both_1, 1)
  BOTH(both_2, 2)
  BOTH(both_4, 4)
  BOTH(both_8, 8)

  pure function later(a, b) result(r)
    character(4), intent(in) :: a, b
    character(4) :: r
    r = max(a, b)
  end function

  pure function best(a, b) result(r)
    type(pair), intent(in) :: a, b
    type(pair) :: r
    r = a
    if (b%value > a%value .or. (b%value == a%value .and. b%place < a%place)) r = b
  end function

  pure integer function common(a, b)
    integer, intent(in) :: a, b
    integer :: x, y, t
    x = a; y = b
    do while (y /= 0)
      t = modulo(x, y); x = y; y = t
    end do
    common = x
  end function
end module

#define REDUCE(k, type, add) \
  block; type :: a, v(0:6), s(6); integer :: i; a = k * me; v = [(me * (i - 3) + 2, i = 0, 6)]; s = me; \
  call co_reduce(a, add); call co_reduce(v(1:5), add); call co_reduce(s(1:6:2), add, result_image=images, \
    stat=stat); \
  call expect(a == k * total, 'type by add'); call expect(all(v(1:5) == [(total * (i - 3) + 2 * images, \
    i = 1, 5)]), \
    'type by add, section'); \
  call expect(v(0) == 2 - 3 * me .and. v(6) == 2 + 3 * me, 'type by add, beside the section'); \
  call expect(me /= images .or. all(s(1:6:2) == total), 'type by add, stride'); \
  call expect(all(s(2:6:2) == me), 'type by add, beside the stride'); call expect_equal(stat, 0, \
    'type by add, stat'); \
  end block

#define REDUCE_LOGICAL(k, both) \
  block; logical(k) :: a, v(3); a = .true.; v = [.true., me /= images, .false.]; \
  call co_reduce(a, both); call co_reduce(v, both); \
  call expect(logical(a), 'both, all true'); call expect(all(logical(v) .eqv. [.true., .false., .false.]), \
    'both'); \
  end block

program reduce
  use check
  use operations
  implicit none
  integer :: stat, total
  character(2) :: kind = ''
  call check_begin()
  call get_environment_variable('CAF_REAL_KIND', kind)
  total = images * (images + 1) / 2
  REDUCE(2, integer(1), sum_i1)
  REDUCE(2, integer(2), sum_i2)
  REDUCE(2, integer(4), sum_i4)
  REDUCE(2, integer(8), sum_i8)
  REDUCE(2, integer(16), sum_i16)
  REDUCE(2, real(4), sum_r4)
  REDUCE(2, real(8), sum_r8)
  if (kind == '10') then; REDUCE(2, real(10), sum_r10); end if
  if (kind == '16') then; REDUCE(2, real(16), sum_r16); end if
  REDUCE((2, -1), complex(4), sum_c4)
  REDUCE((2, -1), complex(8), sum_c8)
  if (kind == '10') then; REDUCE((2, -1), complex(10), sum_c10); end if
  if (kind == '16') then; REDUCE((2, -1), complex(16), sum_c16); end if
  REDUCE(2, integer(1), value_i1)
  REDUCE(2, integer(2), value_i2)
  REDUCE(2, integer(4), value_i4)
  REDUCE(2, integer(8), value_i8)
  REDUCE(2, real(4), value_r4)
  REDUCE(2, real(8), value_r8)
  if (kind == '10') then; REDUCE(2, real(10), value_r10); end if
  REDUCE((2, -1), complex(4), value_c4)
  REDUCE((2, -1), complex(8), value_c8)
  REDUCE_LOGICAL(1, both_1)
  REDUCE_LOGICAL(2, both_2)
  REDUCE_LOGICAL(4, both_4)
  REDUCE_LOGICAL(8, both_8)
  call characters()
  call objects()
  call divisors()
  call check_end()
contains
  subroutine characters()
    character(4) :: a, v(3)
    a = 'x' // char(64 + me)
    v = [character(4) :: 'same', char(100 - me) // 'bcd', 'z' // char(48 + modulo(me, images))]
    call co_reduce(a, later)
    call co_reduce(v, later, result_image=1)
    call expect(a == 'x' // char(64 + images), 'characters')
    if (me == 1) call expect(all(v == [character(4) :: 'same', 'cbcd', 'z' // char(48 + images - 1)]), &
      'an array of characters')
  end subroutine

  subroutine objects()
    type(pair) :: a, v(2)
    a = pair(me, modulo(me * 3, 4), 'n' // char(48 + me))
    v = [pair(me, -me, 'a'), pair(me, me, 'b')]
    call co_reduce(a, best)
    call co_reduce(v, best)
    call expect(a%value == maxval([(modulo(stat * 3, 4), stat = 1, images)]), 'objects, value')
    call expect(modulo(a%place * 3, 4) == a%value .and. a%name == 'n' // char(48 + a%place), &
      'objects are whole')
    call expect(v(1)%place == 1 .and. v(2)%place == images .and. v(2)%name == 'b', 'an array of objects')
  end subroutine

  subroutine divisors()
    integer :: x
    x = 12 * me
    call co_reduce(x, common)
    call expect_equal(x, 12, 'greatest common divisor')
  end subroutine
end program
