! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! Collective operations of OpenSHMEM in Fortran against a model, on active sets: reductions of the type that
! -DTYPE_int4, _int8, _real4, _real8, _real16, _comp4 or _comp8 says; with TYPE_int4 collect, with TYPE_int8
! and TYPE_int4 broadcast and barrier, too.
#if defined TYPE_int4
#define TYPE integer(kind=4)
#define REDUCE(op) shmem_int4_/**/op/**/_to_all
#define TITLE 'INT4'
#elif defined TYPE_int8
#define TYPE integer(kind=8)
#define REDUCE(op) shmem_int8_/**/op/**/_to_all
#define TITLE 'INT8'
#elif defined TYPE_real4
#define TYPE real(kind=4)
#define REDUCE(op) shmem_real4_/**/op/**/_to_all
#define TITLE 'REAL4'
#elif defined TYPE_real8
#define TYPE real(kind=8)
#define REDUCE(op) shmem_real8_/**/op/**/_to_all
#define TITLE 'REAL8'
#elif defined TYPE_real16
#define TYPE real(kind=16)
#define REDUCE(op) shmem_real16_/**/op/**/_to_all
#define TITLE 'REAL16'
#elif defined TYPE_comp4
#define TYPE complex(kind=4)
#define REDUCE(op) shmem_comp4_/**/op/**/_to_all
#define TITLE 'COMP4'
#else
#define TYPE complex(kind=8)
#define REDUCE(op) shmem_comp8_/**/op/**/_to_all
#define TITLE 'COMP8'
#endif
#if defined TYPE_int4
#define INTEGERS
#define BY_BYTES(routine) routine/**/4
#define BY_BITS(routine) routine/**/32
#elif defined TYPE_int8
#define INTEGERS
#define BY_BYTES(routine) routine/**/8
#define BY_BITS(routine) routine/**/64
#elif defined TYPE_comp4 || defined TYPE_comp8
#define COMPLEXES
#endif

module symmetric
  include 'mpp/shmem.fh'
  integer, parameter :: room = 1100
  TYPE, save :: target(-1:room), source(-1:room), work(room)
  integer, save :: sync(SHMEM_REDUCE_SYNC_SIZE + SHMEM_COLLECT_SYNC_SIZE + SHMEM_BCAST_SYNC_SIZE &
    + SHMEM_BARRIER_SYNC_SIZE)
end module

program fortran_collective
  use symmetric
  implicit none
  integer :: my_pe, num_pes
  integer :: me, pes, checks = 0
  integer :: first, stride, members, set, small = 70
  external :: REDUCE(sum), REDUCE(prod)
#ifndef COMPLEXES
  external :: REDUCE(max), REDUCE(min)
#endif
#ifdef INTEGERS
  external :: REDUCE(and), REDUCE(or)
  external :: BY_BYTES(shmem_collect), BY_BYTES(shmem_fcollect), BY_BYTES(shmem_broadcast)
  external :: BY_BITS(shmem_collect), BY_BITS(shmem_fcollect), BY_BITS(shmem_broadcast)
#endif
#if defined INTEGERS || defined COMPLEXES
  external :: REDUCE(xor)
#endif

  call start_pes(0)
  me = my_pe()
  pes = num_pes()
  sync = SHMEM_SYNC_VALUE
  call shmem_barrier_all

  do set = 1, 5
    select case (set)
      case (1); call active(0, 0, pes)
      case (2); call active(pes - 1, 0, 1)
      case (3); call active(pes / 2, 0, pes - pes / 2)
      case (4); call active(0, 1, (pes + 1) / 2)
      case (5); call active(mod(1, pes), 1, max(pes / 2, 1))
    end select
    if (mine()) call in_the_set
    call shmem_barrier_all
  end do
  if (me == 0) print '(3a,i0,a)', 'ok: ', TITLE, ', ', checks, ' checks'

contains

  subroutine active(start, log_stride, size)
    integer :: start, log_stride, size
    first = start
    stride = log_stride
    members = size
  end subroutine

  logical function mine()
    integer :: rank
    rank = me - first
    mine = rank >= 0 .and. mod(rank, 2**stride) == 0 .and. rank / 2**stride < members
  end function

  subroutine fail(what, at)
    character(len=*) :: what
    integer :: at
    print '(a,i0,5a,i0,a,i0)', 'FAIL: PE ', me, ': ', TITLE, ' ', what, ': element ', at, ', set ', set
    stop 1
  end subroutine

  ! Element i of PE pe. Small numbers: sums and products are exact in any order, and those of REAL(16) need
  ! all its bits.
  function element(pe, i)
    TYPE :: element
    integer :: pe, i
#ifdef COMPLEXES
    element = cmplx(1 + mod(pe + i, 3), 1 - mod(pe + 2 * i, 3), kind=kind(element))
#elif defined TYPE_real16
    element = real(1 + mod(pe + i, 4), 16) + real(mod(pe + i, 3), 16) * 2.0_16**(-small)
#else
    element = 1 + mod(pe * 3 + i, 5)
#endif
  end function

  subroutine prepare
    integer :: i
    do i = -1, room
      source(i) = element(me, i)
      target(i) = -99
    end do
    call shmem_barrier(first, stride, members, sync)
  end subroutine

  integer function member(rank)
    integer :: rank
    member = first + rank * 2**stride
  end function

  subroutine in_the_set
    call reduce('SUM', REDUCE(sum))
    call reduce('PROD', REDUCE(prod))
#ifndef COMPLEXES
    call reduce('MAX', REDUCE(max))
    call reduce('MIN', REDUCE(min))
#endif
#ifdef INTEGERS
    call reduce('AND', REDUCE(and))
    call reduce('OR', REDUCE(or))
    call collect('COLLECT by bytes', BY_BYTES(shmem_collect), .true.)
    call collect('COLLECT by bits', BY_BITS(shmem_collect), .true.)
    call collect('FCOLLECT by bytes', BY_BYTES(shmem_fcollect), .false.)
    call collect('FCOLLECT by bits', BY_BITS(shmem_fcollect), .false.)
    call broadcast('BROADCAST by bytes', BY_BYTES(shmem_broadcast))
    call broadcast('BROADCAST by bits', BY_BITS(shmem_broadcast))
#endif
#if defined INTEGERS || defined COMPLEXES
    call reduce('XOR', REDUCE(xor))
#endif
  end subroutine

  subroutine reduce(op, routine)
    character(len=*) :: op
    external :: routine
    integer, parameter :: lengths(5) = [0, 1, 3, 40, 1000]
    integer :: n, i
    small = 70
    if (op == 'PROD') small = 100 / members
    do n = 1, size(lengths)
      call prepare
      call routine(target(1), source(1), lengths(n), first, stride, members, work, sync)
      call compare(op, lengths(n))
      if (any(sync /= SHMEM_SYNC_VALUE)) call fail('pSync of '//op, n)
    end do
    call prepare
    call routine(source(1), source(1), 7, first, stride, members, work, sync) ! in place
    do i = 1, 7
      if (differ(source(i), model(op, i))) call fail(op//' in place', i)
    end do
    call shmem_barrier(first, stride, members, sync)
  end subroutine

  subroutine compare(op, n)
    character(len=*) :: op
    integer :: n, i
    do i = -1, room
      if (i >= 1 .and. i <= n) then
        if (differ(target(i), model(op, i))) call fail(op, i)
      else if (target(i) /= -99) then
        call fail(op//' beside the target', i)
      end if
    end do
    checks = checks + 1
    call shmem_barrier(first, stride, members, sync)
  end subroutine

  ! XOR of complex numbers can make a NaN, unequal to itself.
  logical function differ(a, b)
    TYPE :: a, b
    differ = a /= b .and. any(transfer(a, [0_1]) /= transfer(b, [0_1]))
  end function

  function model(op, i)
    character(len=*) :: op
    TYPE :: model, next
    integer :: i, rank
    model = element(member(0), i)
    do rank = 1, members - 1
      next = element(member(rank), i)
      select case (op)
        case ('SUM'); model = model + next
        case ('PROD'); model = model * next
#ifndef COMPLEXES
        case ('MAX'); model = max(model, next)
        case ('MIN'); model = min(model, next)
#endif
#ifdef INTEGERS
        case ('AND'); model = iand(model, next)
        case ('OR'); model = ior(model, next)
        case ('XOR'); model = ieor(model, next)
#elif defined TYPE_comp4
        case ('XOR'); model = transfer(ieor(transfer(model, 0_8), transfer(next, 0_8)), model)
#elif defined TYPE_comp8
        case ('XOR'); model = transfer(ieor(transfer(model, [0_8]), transfer(next, [0_8])), model)
#endif
      end select
    end do
  end function

  ! Each gives a number of its own, or all the same.
  integer function share(rank, varies, n)
    integer :: rank, n
    logical :: varies
    share = n
    if (varies) share = mod(n + 3 * rank, 11)
  end function

  subroutine collect(name, routine, varies)
    character(len=*) :: name
    external :: routine
    logical :: varies
    integer :: n, rank, i, at
    do n = 0, 12, 3
      call prepare
      call routine(target(1), source(1), share((me - first) / 2**stride, varies, n), first, stride, &
        members, sync)
      at = 1
      do rank = 0, members - 1
        do i = 1, share(rank, varies, n)
          if (target(at) /= element(member(rank), i)) call fail(name, at)
          at = at + 1
        end do
      end do
      if (any(target(at:) /= -99) .or. any(target(:0) /= -99)) call fail(name//' beside the target', at)
      checks = checks + 1
      call shmem_barrier(first, stride, members, sync)
    end do
  end subroutine

  ! The root's own target does not change.
  subroutine broadcast(name, routine)
    character(len=*) :: name
    external :: routine
    integer, parameter :: lengths(4) = [0, 1, 17, 1000]
    integer :: root, k, i
    TYPE :: wanted
    do root = 0, members - 1
      do k = 1, size(lengths)
        call prepare
        call routine(target(1), source(1), lengths(k), root, first, stride, members, sync)
        do i = -1, room
          wanted = -99
          if (i >= 1 .and. i <= lengths(k) .and. me /= member(root)) wanted = element(member(root), i)
          if (target(i) /= wanted) call fail(name, i)
        end do
        checks = checks + 1
        call shmem_barrier(first, stride, members, sync)
      end do
    end do
  end subroutine
end program fortran_collective
