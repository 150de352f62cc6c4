C SPDX-License-Identifier: BSD-3-Clause
C Copyright (c) 2026 the Penstock authors
C     Fixed form: blanks mean nothing, columns count.
      PROGRAM N A S T Y
      REAL*8 D1D2
      INTEGER DO10I, I, J, K, DO 5 H, IF(4), CALL X, F ORMAT(3)
      REAL*8D1, E5, X
      REAL FUNCTIONA(3)
      CHARACTER*10HELLO, C*80                                           THIS IS NO TEXT
      DOUBLEPRECISION D
      LOGICAL L
      COMMON // A, B /BLK/ D
      EQUIVALENCE (A, R)
      DATA I, J, K /3*1/, FUNCTIONA /1.0, 2*2.5/
      DO 10 I = 1.5
      DO10I=DO 1 0 I+1
      PRINT *, DO10I
      DO 10 I = 1, 3
      DO 10, J = 1, 2
      IF (I .EQ. J) GO TO 10
      P R I N T 20, I, J
10    CONTINUE
20    FORMAT (1X,2HI=,I2,5H ! ; ,I3,
     1 ' it''s' 1X5Hab'cd)
      DO 3 0 J E = 1 , 2
   30 PRINT*, JE
      DO5H=7
      DO 5 H = 1, 2
5     PRINT *, H
      IF(1)=2
      IF(I.EQ.4)IF(2)=3
      IF (I .EQ. 4) T H E N
        CALL X = 5
      E L S E I F (I .EQ. 5) THEN
        CALLX = 6
      E N D I F
      F ORMAT(3) = 4; CALL SUB (I, *40); PRINT *, 'NOT HERE'
 4 0  PRINT *, IF(1), IF(2), CALLX, FORMAT(3), FUNCTIONA
      C = 'a string that goes on behind the last column, which blanks are
     &a part of'
      PRINT *, C
      C = 'short
     ! and on'
      PRINT *, C                                                        ! no comment here
      D1 = 1 .E+1; E5 = 1.E 5; X = 1.E0 * 2
     0
      L = 1.EQ.2.OR.D1.GT.5; PRINT *, D1, E5, L
! a comment, and one with a tab behind the blanks
 	! comment
	X = 1 +
	1 2 +
     * 3
      PRINT *, X, D1D2(2.0D0), HELLO(1:0)
      ASSIGN 50 TO K
      GO TO K, (50, 60)
60    STOP 60
50    IF (K - K) 60, 70, 60
70    DO WHILE (I .LT. 7); I = I + 1; END DO; PRINT *, I
      CALL WORDS
      END
      SUBROUTINE SUB (N, *)
      INTEGER*4H
      H = 1
      RETURN H
      END
      REAL*8FUNCTION D1D2 (X)
      REAL*8X
      D1D2 = X * * 2 / 1
      END
      SUBROUTINE WORDS
      IMPLICIT REAL*8 (A-D, F-H, O-Z), INTEGER (E)
      PARAMETER (N = 3, M=4)
      DIMENSION A(N,M), ENDFILE(2)
      SAVE A
      EXTERNAL D1D2
      STF(Y) = Y*2 + N
      DATA A /12*0/
      ELF = 4
      A(1, 2) = STF(3.0D0); ENDFILE(1) = 2; ENDFILE(2) = 3
      WRITE (*, '(F6.2)') A(1,2)
      WRITE (6, 100) ENDFILE
  100 FORMAT ('', 2I3)
      DO 200 I = 1, N
        DO 200 J = 1, M
  200 A(I, J) = I*J
      PRINT *, SUM(A), ELF, LEN('A B C'), 3HABC
      IF (A(1,1) .EQ. 1) R E T U R N
      BACKSPACE 7
      EN D
