! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! Transfers of logical values, and of objects of derived types whose components are in them.
module values
  implicit none
  type :: small
    integer(1) :: a, b, c
  end type
  type :: mixed
    character(3) :: name = '---'
    real(8) :: x = 0
    integer(2) :: n(3) = 0
    logical(1) :: is_odd = .false.
  end type
  type, extends(mixed) :: extended
    type(small) :: more(2)
    complex(4) :: z = 0
  end type
contains
  elemental type(small) function small_make(i)
    integer, intent(in) :: i
    small_make = small(int(modulo(i, 101), 1), int(modulo(i, 103), 1), int(modulo(i, 107), 1))
  end function

  elemental logical function small_same(a, b)
    type(small), intent(in) :: a, b
    small_same = a%a == b%a .and. a%b == b%b .and. a%c == b%c
  end function

  elemental type(mixed) function mixed_make(i)
    integer, intent(in) :: i
    mixed_make%name = char(65 + modulo(i, 26)) // char(65 + modulo(i, 25)) // char(65 + modulo(i, 23))
    mixed_make%x = i / 3d0
    mixed_make%n = int([i, -i, 2 * i], 2)
    mixed_make%is_odd = modulo(i, 2) == 1
  end function

  elemental logical function mixed_same(a, b)
    type(mixed), intent(in) :: a, b
    mixed_same = a%name == b%name .and. a%x == b%x .and. all(a%n == b%n) .and. (a%is_odd .eqv. b%is_odd)
  end function

  elemental type(extended) function extended_make(i)
    integer, intent(in) :: i
    extended_make%mixed = mixed_make(i)
    extended_make%more = [small_make(i + 1), small_make(i + 2)]
    extended_make%z = cmplx(i, -i)
  end function

  elemental logical function extended_same(a, b)
    type(extended), intent(in) :: a, b
    extended_same = mixed_same(a%mixed, b%mixed) .and. all(small_same(a%more, b%more)) .and. a%z == b%z
  end function
end module

#define ALL_SHAPES
#define NAME logical_1
#define NAME_TEXT 'logical(1)'
#define TYPE logical(1)
#define T_MAKE(i) logical(mod((i) / 2 + (i) / 7, 2) == 1, 1)
#define T_SAME(a, b) logical((a) .eqv. (b))
#include "transfer.inc"
#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef T_MAKE
#undef T_SAME
#undef ALL_SHAPES

#define NAME logical_2
#define NAME_TEXT 'logical(2)'
#define TYPE logical(2)
#define T_MAKE(i) logical(mod((i) / 2 + (i) / 7, 2) == 1, 2)
#define T_SAME(a, b) logical((a) .eqv. (b))
#include "transfer.inc"
#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef T_MAKE
#undef T_SAME

#define NAME logical_4
#define NAME_TEXT 'logical(4)'
#define TYPE logical(4)
#define T_MAKE(i) logical(mod((i) / 2 + (i) / 7, 2) == 1, 4)
#define T_SAME(a, b) logical((a) .eqv. (b))
#include "transfer.inc"
#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef T_MAKE
#undef T_SAME

#define NAME logical_8
#define NAME_TEXT 'logical(8)'
#define TYPE logical(8)
#define T_MAKE(i) logical(mod((i) / 2 + (i) / 7, 2) == 1, 8)
#define T_SAME(a, b) logical((a) .eqv. (b))
#include "transfer.inc"
#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef T_MAKE
#undef T_SAME

#define NAME logical_16
#define NAME_TEXT 'logical(16)'
#define TYPE logical(16)
#define T_MAKE(i) logical(mod((i) / 2 + (i) / 7, 2) == 1, 16)
#define T_SAME(a, b) logical((a) .eqv. (b))
#include "transfer.inc"
#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef T_MAKE
#undef T_SAME

#define ALL_SHAPES
#define NAME small
#define NAME_TEXT 'small'
#define TYPE type(small)
#define T_MAKE(i) small_make(i)
#define T_SAME(a, b) small_same(a, b)
#include "transfer.inc"
#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef T_MAKE
#undef T_SAME
#undef ALL_SHAPES

#define NAME mixed
#define NAME_TEXT 'mixed'
#define TYPE type(mixed)
#define T_MAKE(i) mixed_make(i)
#define T_SAME(a, b) mixed_same(a, b)
#include "transfer.inc"
#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef T_MAKE
#undef T_SAME

#define NAME extended
#define NAME_TEXT 'extended'
#define TYPE type(extended)
#define T_MAKE(i) extended_make(i)
#define T_SAME(a, b) extended_same(a, b)
#include "transfer.inc"
#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef T_MAKE
#undef T_SAME

program derived
  use check
  use transfer_logical_1, only: transfer_of_logical_1 => transfer
  use transfer_logical_2, only: transfer_of_logical_2 => transfer
  use transfer_logical_4, only: transfer_of_logical_4 => transfer
  use transfer_logical_8, only: transfer_of_logical_8 => transfer
  use transfer_logical_16, only: transfer_of_logical_16 => transfer
  use transfer_small, only: transfer_of_small => transfer
  use transfer_mixed, only: transfer_of_mixed => transfer
  use transfer_extended, only: transfer_of_extended => transfer
  implicit none
  call check_begin()
  call transfer_of_logical_1()
  call transfer_of_logical_2()
  call transfer_of_logical_4()
  call transfer_of_logical_8()
  call transfer_of_logical_16()
  call transfer_of_small()
  call transfer_of_mixed()
  call transfer_of_extended()
  call check_end()
end program
