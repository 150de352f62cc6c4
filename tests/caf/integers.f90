! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! Transfers of integers.
module values
  implicit none
end module

#define NAME integer_1
#define NAME_TEXT 'integer(1)'
#define TYPE integer(1)
#define T_MAKE(i) int(modulo(i, 251) - 125, 1)
#define T_SAME(a, b) ((a) == (b))
#include "transfer.inc"
#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef T_MAKE
#undef T_SAME

#define NAME integer_2
#define NAME_TEXT 'integer(2)'
#define TYPE integer(2)
#define T_MAKE(i) int(modulo((i) * 37, 65521) - 32760, 2)
#define T_SAME(a, b) ((a) == (b))
#include "transfer.inc"
#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef T_MAKE
#undef T_SAME

#define ALL_SHAPES
#define NAME integer_4
#define NAME_TEXT 'integer(4)'
#define TYPE integer(4)
#define T_MAKE(i) ((i) * 40503 - 1000000)
#define T_SAME(a, b) ((a) == (b))
#include "transfer.inc"
#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef T_MAKE
#undef T_SAME
#undef ALL_SHAPES

#define NAME integer_8
#define NAME_TEXT 'integer(8)'
#define TYPE integer(8)
#define T_MAKE(i) (int(i, 8) * 2654435761_8 - 7)
#define T_SAME(a, b) ((a) == (b))
#include "transfer.inc"
#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef T_MAKE
#undef T_SAME

#define NAME integer_16
#define NAME_TEXT 'integer(16)'
#define TYPE integer(16)
#define T_MAKE(i) (int(i, 16) * 2_16**90 - 3)
#define T_SAME(a, b) ((a) == (b))
#include "transfer.inc"
#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef T_MAKE
#undef T_SAME

program integers
  use check
  use transfer_integer_1, only: transfer_of_integer_1 => transfer
  use transfer_integer_2, only: transfer_of_integer_2 => transfer
  use transfer_integer_4, only: transfer_of_integer_4 => transfer
  use transfer_integer_8, only: transfer_of_integer_8 => transfer
  use transfer_integer_16, only: transfer_of_integer_16 => transfer
  implicit none
  call check_begin()
  call transfer_of_integer_1()
  call transfer_of_integer_2()
  call transfer_of_integer_4()
  call transfer_of_integer_8()
  call transfer_of_integer_16()
  call check_end()
end program
