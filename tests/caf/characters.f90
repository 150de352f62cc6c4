! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! Transfers of characters of several lengths, and of those of kind 4.
module values
  implicit none
contains
  elemental character(200) function text(i)
    integer, intent(in) :: i
    integer :: k
    do k = 1, 200
      text(k:k) = char(33 + modulo(i * 13 + k * k, 90))
    end do
  end function

  elemental character(kind=4, len=20) function wide(i)
    integer, intent(in) :: i
    integer :: k
    do k = 1, 20
      wide(k:k) = char(33 + modulo(i * 1013 + k * k, 50000), 4)
    end do
  end function
end module

#define NAME character_1
#define NAME_TEXT 'character(1)'
#define TYPE character(1)
#define T_MAKE(i) text(i)
#define T_SAME(a, b) ((a) == (b))
#include "transfer.inc"
#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef T_MAKE
#undef T_SAME

#define NAME character_2
#define NAME_TEXT 'character(2)'
#define TYPE character(2)
#define T_MAKE(i) text(i)
#define T_SAME(a, b) ((a) == (b))
#include "transfer.inc"
#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef T_MAKE
#undef T_SAME

#define ALL_SHAPES
#define NAME character_5
#define NAME_TEXT 'character(5)'
#define TYPE character(5)
#define T_MAKE(i) text(i)
#define T_SAME(a, b) ((a) == (b))
#include "transfer.inc"
#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef T_MAKE
#undef T_SAME
#undef ALL_SHAPES

#define NAME character_8
#define NAME_TEXT 'character(8)'
#define TYPE character(8)
#define T_MAKE(i) text(i)
#define T_SAME(a, b) ((a) == (b))
#include "transfer.inc"
#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef T_MAKE
#undef T_SAME

#define NAME character_33
#define NAME_TEXT 'character(33)'
#define TYPE character(33)
#define T_MAKE(i) text(i)
#define T_SAME(a, b) ((a) == (b))
#include "transfer.inc"
#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef T_MAKE
#undef T_SAME

#define NAME character_200
#define NAME_TEXT 'character(200)'
#define TYPE character(200)
#define T_MAKE(i) text(i)
#define T_SAME(a, b) ((a) == (b))
#include "transfer.inc"
#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef T_MAKE
#undef T_SAME

#define NAME wide_1
#define NAME_TEXT 'character(kind=4, len=1)'
#define TYPE character(kind=4, len=1)
#define T_MAKE(i) wide(i)
#define T_SAME(a, b) ((a) == (b))
#include "transfer.inc"
#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef T_MAKE
#undef T_SAME

#define NAME wide_7
#define NAME_TEXT 'character(kind=4, len=7)'
#define TYPE character(kind=4, len=7)
#define T_MAKE(i) wide(i)
#define T_SAME(a, b) ((a) == (b))
#include "transfer.inc"
#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef T_MAKE
#undef T_SAME

program characters
  use check
  use transfer_character_1, only: transfer_of_character_1 => transfer
  use transfer_character_2, only: transfer_of_character_2 => transfer
  use transfer_character_5, only: transfer_of_character_5 => transfer
  use transfer_character_8, only: transfer_of_character_8 => transfer
  use transfer_character_33, only: transfer_of_character_33 => transfer
  use transfer_character_200, only: transfer_of_character_200 => transfer
  use transfer_wide_1, only: transfer_of_wide_1 => transfer
  use transfer_wide_7, only: transfer_of_wide_7 => transfer
  implicit none
  call check_begin()
  call transfer_of_character_1()
  call transfer_of_character_2()
  call transfer_of_character_5()
  call transfer_of_character_8()
  call transfer_of_character_33()
  call transfer_of_character_200()
  call transfer_of_wide_1()
  call transfer_of_wide_7()
  call stack_fill()
  call no_length()
  call check_end()
contains

  ! Nothing is moved. gfortran does not set all parts of the descriptors.
  subroutine no_length()
    character(0), save :: none(2)[*]
    character(3) :: text(2)
    text = 'abc'
    sync all
    none(:)[next] = text
    text = none(:)[prev]
    call expect(all(text == ''), 'characters of no length')
    sync all
  end subroutine

  subroutine stack_fill()
    integer(8) :: large(500)
    large = 4096
    call expect(sum(large) == 500 * 4096, 'the stack')
  end subroutine
end program
