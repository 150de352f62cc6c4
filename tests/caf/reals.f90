! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! Transfers of real and complex numbers. gfortran 12 keeps static complex scalars in a temporary, even where
! they are coarrays, so these are left out.
module values
  implicit none
end module

#define NAME real_4
#define NAME_TEXT 'real(4)'
#define TYPE real(4)
#define T_MAKE(i) (real(i, 4) / 7)
#define T_SAME(a, b) ((a) == (b))
#include "transfer.inc"
#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef T_MAKE
#undef T_SAME

#define ALL_SHAPES
#define NAME real_8
#define NAME_TEXT 'real(8)'
#define TYPE real(8)
#define T_MAKE(i) (real(i, 8) / 7)
#define T_SAME(a, b) ((a) == (b))
#include "transfer.inc"
#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef T_MAKE
#undef T_SAME
#undef ALL_SHAPES

#define NAME real_10
#define NAME_TEXT 'real(10)'
#define TYPE real(10)
#define T_MAKE(i) (real(i, 10) / 7)
#define T_SAME(a, b) ((a) == (b))
#include "transfer.inc"
#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef T_MAKE
#undef T_SAME

#define NAME real_16
#define NAME_TEXT 'real(16)'
#define TYPE real(16)
#define T_MAKE(i) (real(i, 16) / 7)
#define T_SAME(a, b) ((a) == (b))
#include "transfer.inc"
#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef T_MAKE
#undef T_SAME

#define WITHOUT_SCALAR
#define NAME complex_4
#define NAME_TEXT 'complex(4)'
#define TYPE complex(4)
#define T_MAKE(i) cmplx(real(i, 4) / 3, -i, 4)
#define T_SAME(a, b) ((a) == (b))
#include "transfer.inc"
#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef T_MAKE
#undef T_SAME

#define NAME complex_8
#define NAME_TEXT 'complex(8)'
#define TYPE complex(8)
#define T_MAKE(i) cmplx(real(i, 8) / 3, -i, 8)
#define T_SAME(a, b) ((a) == (b))
#include "transfer.inc"
#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef T_MAKE
#undef T_SAME

#define NAME complex_10
#define NAME_TEXT 'complex(10)'
#define TYPE complex(10)
#define T_MAKE(i) cmplx(real(i, 10) / 3, -i, 10)
#define T_SAME(a, b) ((a) == (b))
#include "transfer.inc"
#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef T_MAKE
#undef T_SAME

#define NAME complex_16
#define NAME_TEXT 'complex(16)'
#define TYPE complex(16)
#define T_MAKE(i) cmplx(real(i, 16) / 3, -i, 16)
#define T_SAME(a, b) ((a) == (b))
#include "transfer.inc"
#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef T_MAKE
#undef T_SAME

program reals
  use check
  use transfer_real_4, only: transfer_of_real_4 => transfer
  use transfer_real_8, only: transfer_of_real_8 => transfer
  use transfer_real_10, only: transfer_of_real_10 => transfer
  use transfer_real_16, only: transfer_of_real_16 => transfer
  use transfer_complex_4, only: transfer_of_complex_4 => transfer
  use transfer_complex_8, only: transfer_of_complex_8 => transfer
  use transfer_complex_10, only: transfer_of_complex_10 => transfer
  use transfer_complex_16, only: transfer_of_complex_16 => transfer
  implicit none
  call check_begin()
  call transfer_of_real_4()
  call transfer_of_real_8()
  call transfer_of_real_10()
  call transfer_of_real_16()
  call transfer_of_complex_4()
  call transfer_of_complex_8()
  call transfer_of_complex_10()
  call transfer_of_complex_16()
  call check_end()
end program
