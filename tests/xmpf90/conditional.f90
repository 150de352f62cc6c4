! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! Lines for OpenMP alone.
program conditional
  !$ use omp_lib, only: omp_get_max_threads
  implicit none
  integer :: i, total
  total = 0
!$ total = omp_get_max_threads() - &
  !$ & omp_get_max_threads()
  !$omp parallel do &
  !$omp reduction(+: total) if (.true. &
!$omp & .and. .true.)
  do i = 1, 10
    !$ total = total + &
      ! between
    !$ 1
    total = total + i
  end do
  !$omp end parallel do
  total = total & !$ no sentinel
    !$ + 1000 &
    + 1
  print *, total !$ neither
!$
!$ ! nothing
end program
