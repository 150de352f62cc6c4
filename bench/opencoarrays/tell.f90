! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! What images tell each other.
module bench_opencoarrays_tell
  use, intrinsic :: iso_c_binding, only: c_double, c_int8_t, c_int64_t, c_size_t
  implicit none

contains

  subroutine tell(bytes, n) bind(C, name='bench_tell')
    integer(c_size_t), value :: n
    integer(c_int8_t), intent(inout) :: bytes(n)
    call co_broadcast(bytes, 1)
  end subroutine

  real(c_double) function most(mine) bind(C, name='bench_most')
    real(c_double), value :: mine
    most = mine
    call co_max(most)
  end function

  integer(c_int64_t) function total(mine) bind(C, name='bench_sum')
    integer(c_int64_t), value :: mine
    total = mine
    call co_sum(total)
  end function

end module
