C     SPDX-License-Identifier: BSD-3-Clause
C     Copyright (c) 2026 the Penstock authors
C     As in programs of the eighties: fixed form, upper case, implicit
C     types, PARAMETER and COMMON, functions that are not declared.
      PROGRAM FIXED
      INCLUDE 'mpp/shmem.fh'
      INTEGER PE, PES, PSYNC(SHMEM_REDUCE_SYNC_SIZE)
      INTEGER PWRK(SHMEM_REDUCE_MIN_WRKDATA_SIZE)
      COMMON /SYMM/ ISUM, ITERM, IFLAG, LOCK, RVAL, PWRK, PSYNC
      DATA PSYNC /SHMEM_REDUCE_SYNC_SIZE * SHMEM_SYNC_VALUE/
      INTEGER A
      POINTER (IPTR, A(1))

      CALL START_PES(0)
      PE = MY_PE()
      PES = NUM_PES()
      ITERM = PE + 1
      ISUM = -1
      IFLAG = 0
      LOCK = 0
      RVAL = 0.5
      CALL SHMEM_BARRIER_ALL
      CALL SHMEM_INT4_SUM_TO_ALL(ISUM, ITERM, 1, 0, 0, PES, PWRK,
     &                           PSYNC)
      IF (ISUM .NE. PES * (PES + 1) / 2) STOP 1

      CALL SHMEM_SET_LOCK(LOCK)
      IWAS = SHMEM_INT4_FADD(IFLAG, 1, 0)
      CALL SHMEM_CLEAR_LOCK(LOCK)
      IF (IWAS .LT. 0 .OR. IWAS .GE. PES) STOP 2
      CALL SHMEM_BARRIER_ALL
      IF (PE .EQ. 0 .AND. SHMEM_SWAP(IFLAG, 7, 0) .NE. PES) STOP 3
      X = SHMEM_REAL4_SWAP(RVAL, 1.5, PE)
      IF (X .NE. 0.5 .OR. RVAL .NE. 1.5) STOP 4
      IF (.NOT. SHMEM_PE_ACCESSIBLE(PES - 1)) STOP 5

      CALL SHPALLOC(IPTR, 100, IERR, 0)
      IF (IERR .NE. 0) STOP 6
      A(100) = PE
      CALL SHMEM_BARRIER_ALL
      CALL SHMEM_GET4(IGOT, A(100), 1, MOD(PE + 1, PES))
      IF (IGOT .NE. MOD(PE + 1, PES)) STOP 7
      CALL SHPDEALLC(IPTR, IERR, 1)
      IF (PE .EQ. 0) PRINT '(A)', 'ok: fixed form'
      END
