! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! Atomic operations, waits and locks of OpenSHMEM in Fortran, for INTEGERs of the kind that -DKIND says.
! Functions have their types from mpp/shmem.fh.
#if KIND == 4
#define F(x) shmem_int4_/**/x
#define BLOCK(x) shmem_/**/x/**/4
#else
#define F(x) shmem_int8_/**/x
#define BLOCK(x) shmem_/**/x/**/8
#endif
module symmetric
  integer, parameter :: k = KIND
  integer(kind=k), save :: words(4)
  real(kind=KIND), save :: reals(3)
  integer, save :: plain(3), lock, behind, inside, ticket
end module

program fortran_atomic
  use symmetric
  implicit none
  include 'mpp/shmem.fh'
  integer :: my_pe, num_pes
  integer :: me, pes, next, previous, checks = 0

  call start_pes(0)
  me = my_pe()
  pes = num_pes()
  next = mod(me + 1, pes)
  previous = mod(me + pes - 1, pes)
  call single
  call hammer
  call all_waits
  call swaps
  call plain_waits
  call locks
  if (me == 0) print '(a,i0,a)', 'ok: ', checks, ' checks'

contains

  subroutine expect(what, got, wanted)
    character(len=*) :: what
    integer(kind=k) :: got, wanted
    checks = checks + 1
    if (got == wanted) return
    print '(a,i0,3a,i0,a,i0)', 'FAIL: PE ', me, ': ', what, ' is ', got, ', not ', wanted
    stop 1
  end subroutine

  subroutine must(what, so)
    character(len=*) :: what
    logical :: so
    call expect(what, int(merge(1, 0, so), k), 1_k)
  end subroutine

  ! One PE at a time, on its next neighbour's word between two others.
  subroutine single
    integer(kind=k) :: old
    integer :: turn
    do turn = 0, pes - 1
      words = [-1, 10, -1, 0]
      call shmem_barrier_all
      if (turn == me) then
        call expect('FADD', F(fadd)(words(2), 5_k, next), 10_k)
        call expect('FINC', F(finc)(words(2), next), 15_k)
        call F(add)(words(2), 100_k, next)
        call F(inc)(words(2), next)
        call expect('SWAP', F(swap)(words(2), -7_k, next), 117_k)
        call expect('CSWAP that fails', F(cswap)(words(2), 3_k, 4_k, next), -7_k)
        call expect('CSWAP', F(cswap)(words(2), -7_k, huge(old), next), -7_k)
        call expect('FADD to the greatest', F(fadd)(words(2), 1_k, next), huge(old))
      end if
      call shmem_barrier_all
      old = 10
      if (turn == previous) old = -huge(old) - 1
      call must('the word', words(2) == old)
      call must('beside the word', words(1) == -1 .and. words(3) == -1)
      call shmem_barrier_all
    end do
  end subroutine

  ! All PEs on words of the last PE: no update is lost, no value seen twice.
  subroutine hammer
    integer(kind=k) :: old
    integer :: i
    integer, parameter :: many = 300
    words = 0
    call shmem_barrier_all
    do i = 1, many
      call F(add)(words(1), 3_k, pes - 1)
      call F(inc)(words(1), pes - 1)
      old = F(finc)(words(2), pes - 1)
      old = F(fadd)(words(1), -4_k, pes - 1)
      do ! an addition by hand
        call BLOCK(get)(old, words(3), 1, pes - 1)
        if (F(cswap)(words(3), old, old + 1_k, pes - 1) == old) exit
      end do
    end do
    call shmem_barrier_all
    if (me == pes - 1) then
      call expect('sum of all', words(1), 0_k)
      call expect('number of all', words(2), int(many * pes, k))
      call expect('number of all CSWAPs', words(3), int(many * pes, k))
    end if
    call shmem_barrier_all
  end subroutine

  ! Each PE waits for the next one, once with each comparison.
  subroutine all_waits
    integer, parameter :: order(6) = [SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_GE, &
      SHMEM_CMP_LT, SHMEM_CMP_LE]
    integer(kind=k), parameter :: start(6) = [0, 5, 0, 0, 9, 9], end(6) = [5, 0, 6, 5, 4, 5]
    integer :: i
    do i = 1, 6
      words(4) = start(i)
      call shmem_barrier_all
      call BLOCK(put)(words(4), end(i), 1, next)
      call F(wait_until)(words(4), order(i), 5_k)
      call expect('what WAIT_UNTIL found', words(4), end(i))
      call shmem_barrier_all
    end do
    words(4) = 5
    call shmem_barrier_all
    call BLOCK(put)(words(4), -1_k, 1, next)
    call F(wait)(words(4), 5_k)
    call expect('what WAIT found', words(4), -1_k)
    call shmem_barrier_all
  end subroutine

  subroutine swaps
    reals = 1.5
    plain = 3
    call shmem_barrier_all
#if KIND == 4
    call must('REAL4_SWAP', shmem_real4_swap(reals(2), real(me, k) / 7, next) == 1.5)
#else
    call must('REAL8_SWAP', shmem_real8_swap(reals(2), real(me, k) / 7, next) == 1.5)
#endif
    call must('SWAP', shmem_swap(plain(2), me, next) == 3)
    call shmem_barrier_all
    call must('after a swap of REALs', all(reals == [1.5_k, real(previous, k) / 7, 1.5_k]))
    call must('after SWAP', all(plain == [3, previous, 3]))
    call shmem_barrier_all
  end subroutine

  subroutine plain_waits
    plain = 0
    call shmem_barrier_all
    call shmem_integer_put(plain(1), 8, 1, next)
    call shmem_wait(plain(1), 0)
    call shmem_integer_put(plain(2), -8, 1, next)
    call shmem_wait_until(plain(2), SHMEM_CMP_LT, -7)
    call must('after WAIT and WAIT_UNTIL', all(plain == [8, -8, 0]))
    call shmem_barrier_all
  end subroutine

  ! INTEGERs of default kind: their neighbours stay. One PE at a time is inside, all get in.
  subroutine locks
    integer :: i, was
    lock = 0
    behind = 77
    inside = 0
    ticket = 0
    call shmem_barrier_all
    do i = 1, 60
      if (mod(i, 3) > 0) then
        call shmem_set_lock(lock)
      else
        do while (shmem_test_lock(lock) /= 0)
        end do
      end if
      call must('alone inside', shmem_int4_finc(inside, 0) == 0)
      call shmem_get4(was, ticket, 1, 0)
      call shmem_put4(ticket, was + 1, 1, 0)
      call shmem_int4_add(inside, -1, 0)
      call shmem_clear_lock(lock)
    end do
    call shmem_barrier_all
    if (me == 0) call must('tickets', ticket == 60 * pes)
    call must('beside the lock', behind == 77)
    if (me == 0) call shmem_set_lock(lock)
    call shmem_barrier_all
    if (me > 0) call must('TEST_LOCK of a lock that is set', shmem_test_lock(lock) == 1)
    call shmem_barrier_all
    if (me == 0) call shmem_clear_lock(lock)
    call shmem_barrier_all
  end subroutine
end program fortran_atomic
