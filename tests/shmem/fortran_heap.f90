! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! Queries, the symmetric heap with all its error codes, pointers to other PEs' objects, and routines without
! an effect here, in OpenSHMEM's Fortran. The functions are declared again, as in the document's synopses.
! With an argument: an error that must end the job.
program fortran_heap
  implicit none
  include 'mpp/shmem.fh'
  integer :: my_pe, num_pes
  logical :: shmem_pe_accessible, shmem_addr_accessible
  integer(kind=8) :: shmem_ptr
  integer :: shmem_my_pe, shmem_n_pes
  integer :: me, pes, next, previous, checks = 0, errcode, i, on_the_stack, major, minor
  integer :: block, other, remote
  pointer (at_block, block(100000)), (at_other, other(100000)), (at_remote, remote(8))
  integer(kind=8) :: at, inside
  integer :: target
  common /symmetric/ target(8)
  character(len=SHMEM_MAX_NAME_LEN) :: name

  call start_pes(0)
  call start_pes(0)
  me = my_pe()
  pes = num_pes()
  next = mod(me + 1, pes)
  previous = mod(me + pes - 1, pes)
  if (command_argument_count() > 0) call end_the_job

  call must('the later names', shmem_my_pe() == me .and. shmem_n_pes() == pes)
  call shmem_info_get_version(major, minor)
  call must('INFO_GET_VERSION', major == SHMEM_MAJOR_VERSION .and. minor == SHMEM_MINOR_VERSION)
  call shmem_info_get_name(name)
  call must('INFO_GET_NAME', name(1:8) == 'Penstock' .and. index(name, char(0)) == 0 .and. name(9:) == ' ')
  do i = 0, pes - 1
    call must('PE_ACCESSIBLE', shmem_pe_accessible(i) .eqv. .true.)
    call must('ADDR_ACCESSIBLE of a common block', shmem_addr_accessible(target, i))
    call must('ADDR_ACCESSIBLE of the stack', .not. shmem_addr_accessible(on_the_stack, i))
  end do
  call must('PE_ACCESSIBLE of none', .not. (shmem_pe_accessible(-1) .or. shmem_pe_accessible(pes)))
  call blocks
  call wrong
  call moves
  call pointers
  call shmem_set_cache_inv()
  call shmem_set_cache_line_inv(target)
  call shmem_clear_cache_inv()
  call shmem_clear_cache_line_inv(target)
  call shmem_udcflush()
  call shmem_udcflush_line(target)
  call shmem_fence
  call shmem_quiet
  call shmem_barrier_all()
  if (me == 0) print '(a,i0,a)', 'ok: ', checks, ' checks'

contains

  subroutine must(what, so)
    character(len=*) :: what
    logical :: so
    checks = checks + 1
    if (so) return
    print '(a,i0,2a)', 'FAIL: PE ', me, ': ', what
    stop 1
  end subroutine

  subroutine end_the_job
    call shpalloc(at_block, 0, errcode, 1)
    print '(a)', 'FAIL: SHPALLOC returned'
  end subroutine

  subroutine blocks
    call shpalloc(at_block, 1000, errcode, 0)
    call must('SHPALLOC', errcode == 0)
    call shpalloc(at_other, 1, errcode, 1)
    call must('SHPALLOC of a word', errcode == 0)
    call must('places', at_block /= at_other .and. mod(at_block, 8_8) == 0 .and. mod(at_other, 8_8) == 0)
    call must('ADDR_ACCESSIBLE of a block', shmem_addr_accessible(block, next) &
      .and. shmem_addr_accessible(block(1000), next))
    block(1:1000) = -1
    other(1) = -2
    call shmem_barrier_all
    call shmem_integer_put(block, [(i + 1000 * me, i = 1, 1000)], 1000, next)
    call shmem_barrier_all
    call must('what was put', all(block(1:1000) == [(i + 1000 * previous, i = 1, 1000)]))
    call must('what was not', other(1) == -2)
    call shpdeallc(at_other, errcode, 0)
    call must('SHPDEALLC', errcode == 0)
    call shpdeallc(at_block, errcode, 1)
    call must('SHPDEALLC', errcode == 0)
  end subroutine

  subroutine wrong
    integer(kind=8) :: no
    no = 0
    call shpalloc(at_block, 1000, errcode, 0)
    at = at_block
    call shpalloc(no, 0, errcode, 0)
    call must('SHPALLOC of 0', errcode == -1 .and. no == 0)
    call shpalloc(no, -7, errcode, 0)
    call must('SHPALLOC of -7', errcode == -1 .and. no == 0)
    call shpalloc(no, huge(1), errcode, 0)
    call must('SHPALLOC of too much', errcode == -2 .and. no == 0)
    inside = at + 64
    call shpdeallc(inside, errcode, 0)
    call must('SHPDEALLC inside', errcode == -5)
    call shpclmove(inside, 10, errcode, 0)
    call must('SHPCLMOVE inside', errcode == -5)
    call shpclmove(at, 0, errcode, 0)
    call must('SHPCLMOVE to 0', errcode == -1 .and. at == at_block)
    call shpclmove(at, huge(1), errcode, 0)
    call must('SHPCLMOVE to too much', errcode == -2 .and. at == at_block)
    call shpdeallc(at_block, errcode, 0)
    call must('SHPDEALLC', errcode == 0)
    call shpdeallc(at_block, errcode, 0)
    call must('SHPDEALLC again', errcode == -4)
    call shpclmove(at, 10, errcode, 0)
    call must('SHPCLMOVE after SHPDEALLC', errcode == -4 .and. at == at_block)
    no = 0
    call shpdeallc(no, errcode, 0)
    call must('SHPDEALLC outside', errcode == -3)
    call shpclmove(no, 10, errcode, 0)
    call must('SHPCLMOVE outside', errcode == -3)
  end subroutine

  subroutine moves
    integer :: status, n
    call shpalloc(at_block, 500, errcode, 1)
    call shpalloc(at_other, 500, errcode, 1)
    block(1:500) = [(i * 3 + me, i = 1, 500)]
    other(1:500) = 5
    at = at_block
    call shpclmove(at_block, 300, status, 0)
    call must('SHPCLMOVE to less', status == 0 .and. at_block == at)
    call shpclmove(at_block, 5000, status, 0)
    call must('SHPCLMOVE to more', status == 1 .and. at_block /= at)
    call must('what was in it', all(block(1:300) == [(i * 3 + me, i = 1, 300)]))
    block(5000) = 1
    call must('what was beside it', all(other(1:500) == 5))
    call shmem_barrier_all
    call shmem_get4(n, block(300), 1, next)
    call must('the same of the next PE', n == 900 + next)
    call shmem_barrier_all
    call shpdeallc(at_other, errcode, 1)
    call shpdeallc(at_block, errcode, 1)
  end subroutine

  ! Null if the network lies between.
  subroutine pointers
    target = me
    call shmem_barrier_all
    at_remote = shmem_ptr(target, next)
    if (at_remote /= 0) then
      call must('what PTR points to', all(remote == next))
      remote(3) = -me
    else
      call shmem_put4(target(3), -me, 1, next)
    end if
    call shmem_barrier_all
    call must('what came by PTR', all(target == [me, me, -previous, me, me, me, me, me]))
    at_remote = shmem_ptr(target, me)
    call must('PTR to the own PE', at_remote == 0 .or. at_remote == loc(target))
    call shmem_barrier_all
  end subroutine
end program fortran_heap
