C SPDX-License-Identifier: BSD-3-Clause
C Copyright (c) 2026 the Penstock authors
      PROGRAM P
      INTEGER I, N
      N = 0
!$    N = 100
c$   1 + 20
*$OMP PARALLEL DO
!$OMP+REDUCTION(+:N)
      DO 10 I = 1, 4
!$20  N = N + 1
10    N = N + I
!$ N O CODE HERE
      N = N
!$   1 + 5
     2 + 6
      PRINT *, N
      END
