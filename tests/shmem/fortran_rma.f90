! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! Put and get of OpenSHMEM in Fortran, contiguous and strided, between common blocks and on the symmetric
! heap: each byte of the target and around it is compared. Here routines are arguments, and elements are some
! number of bytes.
program fortran_rma
  implicit none
  include 'mpp/shmem.fh'
  integer, parameter :: room = 65536
  integer(kind=1), parameter :: guard = -128
  integer :: my_pe, num_pes
  integer :: me, pes, next, previous, round = 0, checks = 0, errcode
  integer(kind=1) :: common_target, common_source
  common /buffers/ common_target(room), common_source(room)
  integer(kind=1) :: heap_target, heap_source
  pointer (at_target, heap_target(room)), (at_source, heap_source(room))
  character(len=20), save :: text
  logical, save :: flag(3)
  complex, save :: c(2)
  double precision, save :: d(2)
  external :: shmem_character_put, shmem_complex_put, shmem_double_put, shmem_integer_put, &
    shmem_logical_put, shmem_real_put, &
    shmem_put, shmem_put4, shmem_put8, shmem_put32, shmem_put64, shmem_put128, shmem_putmem, &
    shmem_character_get, shmem_complex_get, shmem_double_get, shmem_integer_get, shmem_logical_get, &
    shmem_real_get, &
    shmem_get, shmem_get4, shmem_get8, shmem_get32, shmem_get64, shmem_get128, shmem_getmem, &
    shmem_complex_iput, shmem_double_iput, shmem_integer_iput, shmem_logical_iput, shmem_real_iput, &
    shmem_iput4, shmem_iput8, shmem_iput32, shmem_iput64, shmem_iput128, &
    shmem_complex_iget, shmem_double_iget, shmem_integer_iget, shmem_logical_iget, shmem_real_iget, &
    shmem_iget4, shmem_iget8, shmem_iget32, shmem_iget64, shmem_iget128

  call start_pes(0)
  me = my_pe()
  pes = num_pes()
  next = mod(me + 1, pes)
  previous = mod(me + pes - 1, pes)
  call shpalloc(at_target, room / 4, errcode, 0)
  if (errcode /= 0) call fail('SHPALLOC', 0)
  call shpalloc(at_source, room / 4, errcode, 0)
  if (errcode /= 0) call fail('SHPALLOC', 1)

  call all_routines(common_target, common_source)
  call all_routines(heap_target, heap_source)
  call all_routines(common_target, heap_source)
  call all_routines(heap_target, common_source)
  call typed

  call shpdeallc(at_source, errcode, 1)
  call shpdeallc(at_target, errcode, 1)
  if (me == 0) print '(a,i0,a)', 'ok: ', checks, ' checks'

contains

  subroutine all_routines(t, s)
    integer(kind=1) :: t(room), s(room)
    call contiguous('CHARACTER_PUT', shmem_character_put, 1, t, s)
    call contiguous('COMPLEX_PUT', shmem_complex_put, 8, t, s)
    call contiguous('DOUBLE_PUT', shmem_double_put, 8, t, s)
    call contiguous('INTEGER_PUT', shmem_integer_put, 4, t, s)
    call contiguous('LOGICAL_PUT', shmem_logical_put, 4, t, s)
    call contiguous('REAL_PUT', shmem_real_put, 4, t, s)
    call contiguous('PUT', shmem_put, 8, t, s)
    call contiguous('PUT4', shmem_put4, 4, t, s)
    call contiguous('PUT8', shmem_put8, 8, t, s)
    call contiguous('PUT32', shmem_put32, 4, t, s)
    call contiguous('PUT64', shmem_put64, 8, t, s)
    call contiguous('PUT128', shmem_put128, 16, t, s)
    call contiguous('PUTMEM', shmem_putmem, 1, t, s)
    call contiguous('CHARACTER_GET', shmem_character_get, 1, t, s)
    call contiguous('COMPLEX_GET', shmem_complex_get, 8, t, s)
    call contiguous('DOUBLE_GET', shmem_double_get, 8, t, s)
    call contiguous('INTEGER_GET', shmem_integer_get, 4, t, s)
    call contiguous('LOGICAL_GET', shmem_logical_get, 4, t, s)
    call contiguous('REAL_GET', shmem_real_get, 4, t, s)
    call contiguous('GET', shmem_get, 8, t, s)
    call contiguous('GET4', shmem_get4, 4, t, s)
    call contiguous('GET8', shmem_get8, 8, t, s)
    call contiguous('GET32', shmem_get32, 4, t, s)
    call contiguous('GET64', shmem_get64, 8, t, s)
    call contiguous('GET128', shmem_get128, 16, t, s)
    call contiguous('GETMEM', shmem_getmem, 1, t, s)
    call strided('COMPLEX_IPUT', shmem_complex_iput, 8, t, s)
    call strided('DOUBLE_IPUT', shmem_double_iput, 8, t, s)
    call strided('INTEGER_IPUT', shmem_integer_iput, 4, t, s)
    call strided('LOGICAL_IPUT', shmem_logical_iput, 4, t, s)
    call strided('REAL_IPUT', shmem_real_iput, 4, t, s)
    call strided('IPUT4', shmem_iput4, 4, t, s)
    call strided('IPUT8', shmem_iput8, 8, t, s)
    call strided('IPUT32', shmem_iput32, 4, t, s)
    call strided('IPUT64', shmem_iput64, 8, t, s)
    call strided('IPUT128', shmem_iput128, 16, t, s)
    call strided('COMPLEX_IGET', shmem_complex_iget, 8, t, s)
    call strided('DOUBLE_IGET', shmem_double_iget, 8, t, s)
    call strided('INTEGER_IGET', shmem_integer_iget, 4, t, s)
    call strided('LOGICAL_IGET', shmem_logical_iget, 4, t, s)
    call strided('REAL_IGET', shmem_real_iget, 4, t, s)
    call strided('IGET4', shmem_iget4, 4, t, s)
    call strided('IGET8', shmem_iget8, 8, t, s)
    call strided('IGET32', shmem_iget32, 4, t, s)
    call strided('IGET64', shmem_iget64, 8, t, s)
    call strided('IGET128', shmem_iget128, 16, t, s)
  end subroutine

  ! The types' own routines with variables of these types, except for elements of one byte: lengths of
  ! CHARACTERs travel, too.
  subroutine typed
    character(len=20) :: said
    write (said, '(a,i0)') 'greetings from ', me
    text = '....................'
    flag = .false.
    c = 0
    d = 0
    call shmem_barrier_all
    call shmem_character_put(text(3:10), said(1:8), 8, next)
    call shmem_logical_put(flag(2), me >= 0, 1, next)
    call shmem_complex_put(c(2), cmplx(me, -me), 1, next)
    call shmem_double_put(d(1), dble(me) / 3, 1, next)
    call shmem_barrier_all
    if (text /= '..greeting..........') call fail('CHARACTER_PUT of '//text, 0)
    if (flag(1) .or. .not. flag(2) .or. flag(3)) call fail('LOGICAL_PUT', 0)
    if (c(1) /= 0 .or. c(2) /= cmplx(previous, -previous)) call fail('COMPLEX_PUT', 0)
    if (d(1) /= dble(previous) / 3 .or. d(2) /= 0) call fail('DOUBLE_PUT', 0)
    call shmem_character_get(said, text, 20, next)
    if (said /= text) call fail('CHARACTER_GET of '//said, 0)
    checks = checks + 5
    call shmem_barrier_all
  end subroutine

  integer(kind=1) function byte(pe, at)
    integer :: pe, at
    byte = int(mod(at * 7 + pe * 31 + round * 13, 251) - 125, kind=1)
  end function

  subroutine fail(what, at)
    character(len=*) :: what
    integer :: at
    print '(a,i0,3a,i0,a,i0)', 'FAIL: PE ', me, ': ', what, ': byte ', at, ', round ', round
    stop 1
  end subroutine

  subroutine prepare(t, s)
    integer(kind=1) :: t(room), s(room)
    integer :: i
    round = round + 1
    do i = 1, 4096
      s(i) = byte(me, i)
      t(i) = guard
    end do
    call shmem_barrier_all
  end subroutine

  ! n elements of the source, sst apart, are now in the target, tst apart; nothing else has changed. Puts come
  ! from the previous PE, gets from the next one.
  subroutine compare(name, t, tst, sst, n, bytes)
    character(len=*) :: name
    integer(kind=1) :: t(room)
    integer :: tst, sst, n, bytes, from, i, k
    integer(kind=1) :: wanted(4096)
    from = next
    if (index(name, 'PUT') > 0) then
      from = previous
      call shmem_barrier_all
    end if
    wanted = guard
    do i = 0, n - 1
      do k = 1, bytes
        wanted((3 + i * tst) * bytes + k) = byte(from, (5 + i * sst) * bytes + k)
      end do
    end do
    do i = 1, 4096
      if (t(i) /= wanted(i)) call fail(name, i)
    end do
    checks = checks + 1
    call shmem_barrier_all
  end subroutine

  integer function elements(k)
    integer :: k
    integer, parameter :: list(5) = [0, 1, 2, 7, 100]
    elements = list(k)
  end function

  subroutine contiguous(name, routine, bytes, t, s)
    character(len=*) :: name
    external :: routine
    integer :: bytes, k
    integer(kind=1) :: t(room), s(room)
    do k = 1, 5
      call prepare(t, s)
      call routine(t(1 + 3 * bytes), s(1 + 5 * bytes), elements(k), next)
      call compare(name, t, 1, 1, elements(k), bytes)
    end do
  end subroutine

  subroutine strided(name, routine, bytes, t, s)
    character(len=*) :: name
    external :: routine
    integer :: bytes, k, tst, sst
    integer(kind=1) :: t(room), s(room)
    do k = 1, 4
      tst = 1 + mod(round, 3)
      sst = 1 + mod(round / 3, 2)
      call prepare(t, s)
      call routine(t(1 + 3 * bytes), s(1 + 5 * bytes), tst, sst, elements(k), next)
      call compare(name, t, tst, sst, elements(k), bytes)
    end do
  end subroutine

end program fortran_rma
