! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! co_sum, co_min, co_max, co_reduce and co_broadcast: of all types, of several ranks, with strides, with and
! without result_image. gfortran does not say of which kind real numbers of 16 bytes are: they are of the one
! that CAF_REAL_KIND says, and left out without it.
#define SUM_OF(type, from) \
  block; type :: a, v(0:6), m(3, 4), s(9), e, ev(5), em(3, 4), es(9); integer :: i, j; \
  a = from(me); v = [(from(me * i - 3), i = 0, 6)]; m = reshape([(from(i - me), i = 1, 12)], [3, 4]); \
  s = [(from(me + i), i = 1, 9)]; es = s; e = 0; ev = 0; em = 0; \
  do i = 1, images; e = e + from(i); ev = ev + [(from(i * j - 3), j = 1, 5)]; \
    em = em + reshape([(from(j - i), j = 1, 12)], [3, 4]); end do; \
  call co_sum(a); call co_sum(v(1:5)); call co_sum(m, result_image=images, stat=stat); \
    call co_sum(s(2:8:3), 1); \
  call expect(a == e, 'co_sum of type, scalar'); call expect(all(v(1:5) == ev), 'co_sum of type, section'); \
  call expect(v(0) == from(-3) .and. v(6) == from(me * 6 - 3), 'co_sum of type, beside the section'); \
  call expect(me /= images .or. all(m == em), 'co_sum of type, matrix'); call expect_equal(stat, 0, \
    'co_sum of type, stat'); \
  do i = 2, 8, 3; es(i) = 0; do j = 1, images; es(i) = es(i) + from(j + i); end do; end do; \
  call expect(all(s == es .or. me /= 1 .and. [(modulo(i, 3) == 2, i = 1, 9)]), 'co_sum of type, stride'); \
  end block

#define LEAST_OF(type, from) \
  block; type :: a, b, v(0:6), m(3, 2); integer :: i; \
  a = from(modulo(me, images) + 1); b = a; v = [(from(me * (i - 3)), i = 0, 6)]; \
  m = reshape([(from(i - me), i = 1, 6)], [3, 2]); \
  call co_min(a); call co_max(b); call co_min(v(1:5)); call co_max(m(1:3:2, :), result_image=1); \
  call expect(a == from(1), 'co_min of type'); call expect(b == from(images), 'co_max of type'); \
  call expect(all(v(1:5) == [from(-2 * images), from(-images), from(0), from(1), from(2)]), \
    'co_min of type, section'); \
  call expect(v(0) == from(-3 * me) .and. v(6) == from(3 * me), 'co_min of type, beside the section'); \
  call expect(me /= 1 .or. all(m == reshape([(from(i - 1), i = 1, 6)], [3, 2])), 'co_max of type, rows'); \
  call expect(all(m(2, :) == [from(2 - me), from(5 - me)]), 'co_max of type, beside the rows'); \
  end block

#define BROADCAST_OF(type, from) \
  block; type :: a, v(0:6), m(3, 4), e(0:6); integer :: i, source; \
  do source = 1, images; a = from(me); v = [(from(me + 3 * i), i = 0, 6)]; e = v; m = from(me); \
  call co_broadcast(a, source); call co_broadcast(v(1:5:2), source, stat); call co_broadcast(m(2:3, 1:3), \
    source); \
  call expect(a == from(source), 'co_broadcast of type'); e(1:5:2) = [from(source + 3), from(source + 9), \
    from(source + 15)]; \
  call expect(all(v == e), 'co_broadcast of type, stride'); call expect_equal(stat, 0, \
    'co_broadcast of type, stat'); \
  call expect(all(m(2:3, 1:3) == from(source)), 'co_broadcast of type, block'); \
  call expect(all(m(1, :) == from(me)) .and. all(m(:, 4) == from(me)), \
    'co_broadcast of type, beside the block'); \
  end do; end block

#define INTEGER_1(x) int(x, 1)
#define INTEGER_2(x) int(x, 2)
#define INTEGER_4(x) int(x, 4)
#define INTEGER_8(x) int(x, 8)
#define INTEGER_16(x) int(x, 16)
#define REAL_4(x) real(x, 4)
#define REAL_8(x) real(x, 8)
#define REAL_10(x) real(x, 10)
#define REAL_16(x) real(x, 16)
#define COMPLEX_4(x) cmplx(x, 2 - (x), 4)
#define COMPLEX_8(x) cmplx(x, 2 - (x), 8)
#define COMPLEX_10(x) cmplx(x, 2 - (x), 10)
#define COMPLEX_16(x) cmplx(x, 2 - (x), 16)
#define TEXT_5(x) 'ab' // char(70 + (x)) // 'de'
#define TEXT_1(x) char(70 + (x))

program collectives
  use check
  implicit none
  type :: object
    integer :: k
    real(8), allocatable :: values(:)
    complex(8), allocatable :: grid(:, :)
  end type
  integer :: stat
  character(2) :: kind = ''
  character(20) :: text
  call check_begin()
  call get_environment_variable('CAF_REAL_KIND', kind)
  SUM_OF(integer(1), INTEGER_1)
  SUM_OF(integer(2), INTEGER_2)
  SUM_OF(integer(4), INTEGER_4)
  SUM_OF(integer(8), INTEGER_8)
  SUM_OF(integer(16), INTEGER_16)
  SUM_OF(real(4), REAL_4)
  SUM_OF(real(8), REAL_8)
  if (kind == '10') then; SUM_OF(real(10), REAL_10); end if
  if (kind == '16') then; SUM_OF(real(16), REAL_16); end if
  SUM_OF(complex(4), COMPLEX_4)
  SUM_OF(complex(8), COMPLEX_8)
  if (kind == '10') then; SUM_OF(complex(10), COMPLEX_10); end if
  if (kind == '16') then; SUM_OF(complex(16), COMPLEX_16); end if
  LEAST_OF(integer(1), INTEGER_1)
  LEAST_OF(integer(2), INTEGER_2)
  LEAST_OF(integer(4), INTEGER_4)
  LEAST_OF(integer(8), INTEGER_8)
  LEAST_OF(integer(16), INTEGER_16)
  LEAST_OF(real(4), REAL_4)
  LEAST_OF(real(8), REAL_8)
  if (kind == '10') then; LEAST_OF(real(10), REAL_10); end if
  if (kind == '16') then; LEAST_OF(real(16), REAL_16); end if
  LEAST_OF(character(5), TEXT_5)
  LEAST_OF(character(1), TEXT_1)
  BROADCAST_OF(integer(1), INTEGER_1)
  BROADCAST_OF(integer(2), INTEGER_2)
  BROADCAST_OF(integer(4), INTEGER_4)
  BROADCAST_OF(integer(8), INTEGER_8)
  BROADCAST_OF(integer(16), INTEGER_16)
  BROADCAST_OF(real(4), REAL_4)
  BROADCAST_OF(real(8), REAL_8)
  BROADCAST_OF(real(10), REAL_10)
  BROADCAST_OF(real(16), REAL_16)
  BROADCAST_OF(complex(4), COMPLEX_4)
  BROADCAST_OF(complex(8), COMPLEX_8)
  BROADCAST_OF(complex(10), COMPLEX_10)
  BROADCAST_OF(complex(16), COMPLEX_16)
  BROADCAST_OF(character(5), TEXT_5)
  BROADCAST_OF(character(1), TEXT_1)
  call large()
  call coarrays()
  call components()
  text = 'as it was'
  call messages(text)
  call check_end()
contains
  ! More than one message or round carries.
  subroutine large()
    integer, parameter :: count = 100000
    real(8), allocatable :: a(:), b(:, :)
    integer :: i
    allocate (a(count), b(300, 200))
    a = [(real(i * me, 8), i = 1, count)]
    b = me
    call co_sum(a)
    call expect(all(a == [(real(i, 8) * images * (images + 1) / 2, i = 1, count)]), 'co_sum of a large array')
    call co_max(b(2:299:3, 5:180))
    call expect(all(b(2:299:3, 5:180) == images), 'co_max of a large section')
    call expect(all(b(3:300:3, :) == me) .and. all(b(:, 181:) == me), 'co_max, beside a large section')
    a = me
    call co_broadcast(a, images)
    call expect(all(a == images), 'co_broadcast of a large array')
    call co_sum(a(5:4))
    call co_sum(a(5:4), 1)
    call co_broadcast(a(3:2), 1)
    call co_min(b(1:0, :))
    call expect(all(a == images), 'collectives of no element')
  end subroutine

  ! gfortran passes errmsg= otherwise than its length behind it says, unless it is a dummy argument.
  subroutine messages(dummy)
    character(*), intent(inout) :: dummy
    character(30) :: message
    character(5) :: text
    integer :: n
    message = 'as it was'
    n = me
    call co_sum(n, stat=stat, errmsg=message)
    call expect_equal(n, images * (images + 1) / 2, 'co_sum with errmsg=')
    text = 'b' // achar(96 + me) // 'a'
    call co_max(text, stat=stat, errmsg=message)
    call expect(text == 'b' // achar(96 + images) // 'a', 'co_max of characters with errmsg=')
    text = achar(96 + me) // 'zb'
    call co_min(text, stat=stat, errmsg=dummy)
    call expect(text == 'azb', 'co_min of characters with errmsg=')
    n = me
    call co_broadcast(n, images, stat=stat, errmsg=message)
    call expect(n == images .and. stat == 0, 'co_broadcast with errmsg=')
    call expect(message == 'as it was' .and. dummy == 'as it was', 'errmsg= where all is well')
  end subroutine

  ! Coarrays may be arguments, too; many calls follow one another.
  subroutine coarrays()
    integer, save :: x(4)[*]
    integer :: i, y
    x = me
    do i = 1, 50
      y = me + i
      call co_sum(y, result_image=1 + modulo(i, images))
      if (me == 1 + modulo(i, images)) &
        call expect_equal(y, images * i + images * (images + 1) / 2, 'one of many sums')
      y = me * i
      call co_max(y)
      call expect_equal(y, images * i, 'one of many maxima')
    end do
    call co_sum(x(2:3))
    call expect(all(x == [me, images * (images + 1) / 2, images * (images + 1) / 2, me]), &
      'co_sum of a coarray')
    sync all
    x(1)[next] = me
    sync all
    call expect_equal(x(1), prev, 'a put after collectives')
  end subroutine

  ! gfortran broadcasts each allocatable component by itself, by a descriptor with parts that it does not set.
  subroutine components()
    type(object) :: x
    integer :: i
    allocate (x%values(4), x%grid(2, 3))
    do i = 1, 3
      x%k = me
      x%values = me
      x%grid = me
      call stack_fill(int(16 * i, 8))
      call object_broadcast(x)
      call expect(x%k == images .and. all(x%values == images) .and. all(x%grid == images), &
        'co_broadcast of allocatable components')
    end do
  end subroutine

  subroutine object_broadcast(x)
    type(object), intent(inout) :: x
    call co_broadcast(x, images)
  end subroutine

  ! What a procedure that is called next finds in variables that it does not set.
  subroutine stack_fill(value)
    integer(8), intent(in) :: value
    integer(8) :: large(500)
    large = value
    call expect(sum(large) == 500 * value, 'the stack')
  end subroutine
end program
