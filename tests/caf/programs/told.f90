! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! Each kind of statement about images, for tests/check_caf_tools.sh, on three images. Behind `! told` is what
! a tool hears of a line, from all images together: event, count, bytes. Of other lines it hears nothing.
module told_parts
  use, intrinsic :: iso_fortran_env
  implicit none
  type :: box
    integer :: id
    real(8), allocatable :: part(:)
  end type
  type(box) :: boxes[*]
  integer :: x[*], row(10)[*], twice(4)[*]
  real(8) :: wide(3)[*]
  integer(atomic_int_kind) :: count[*]
  type(event_type) :: sent[*]
  type(lock_type) :: door[*]
contains
  subroutine ends_with_sync()
    x = this_image()
    sync all                                     ! told CAF_SYNC_ALL 3 0
  end subroutine

  pure function larger(a, b) result(c)
    integer, intent(in) :: a, b
    integer :: c
    c = max(a, b)
  end function

  subroutine transfers(right)
    integer, intent(in) :: right
    integer :: i, subscripts(3), old(10)
    real(8) :: mine(3)
    subscripts = [1, 4, 2]
    mine = 1
    x[right] = 5                                 ! told CAF_PUT 3 12
    do i = 1, 4
      row(i)[right] = i                          ! told CAF_PUT 12 48
    end do
    row(1:9:2)[right] = 7                        ! told CAF_PUT 3 60
    row(subscripts)[right] = [1, 2, 3]           ! told CAF_PUT 3 36
    wide(:)[right] = [1, 3, 7]                   ! told CAF_PUT 3 72
    sync all                                     ! told CAF_SYNC_ALL 3 0
    i = x[right]                                 ! told CAF_GET 3 12
    old = row(:)[right]                          ! told CAF_GET 3 120
    mine = wide(:)[right]                        ! told CAF_GET 3 72
    if (any(nint(wide(1:2)[right]) /= [1, 3])) & ! told CAF_GET 3 48
      error stop 'transfers'
    if (i /= 5 .or. nint(mine(3)) /= 7 .or. sum(old(1:5)) /= 20) error stop 'transfers'
    twice(1:2)[right] = row(1:2)[1]              ! told CAF_COPY 3 24
    sync all                                     ! told CAF_SYNC_ALL 3 0
  end subroutine

  subroutine components(right)
    integer, intent(in) :: right
    real(8) :: got(5)
    allocate (boxes%part(5))                     ! told CAF_ALLOCATE 3 120
    boxes%part = this_image()
    sync all                                     ! told CAF_SYNC_ALL 3 0
    if (.not. allocated(boxes[right]%part)) error stop 'not allocated' ! told CAF_ALLOCATED 3 0
    got = boxes[right]%part(:)                   ! told CAF_GET 3 120
    if (any(nint(got) /= right)) error stop 'components'
    sync all                                     ! told CAF_SYNC_ALL 3 0
    boxes[right]%part(2:3) = -1                  ! told CAF_PUT 3 48
    sync all                                     ! told CAF_SYNC_ALL 3 0
    deallocate (boxes%part)                      ! told CAF_DEALLOCATE 3 120
  end subroutine

  subroutine atomics()
    integer(atomic_int_kind) :: old
    call atomic_define(count[1], 0)              ! told CAF_ATOMIC_DEFINE 3 12
    sync all                                     ! told CAF_SYNC_ALL 3 0
    call atomic_add(count[1], 1)                 ! told CAF_ATOMIC_ADD 3 12
    call atomic_fetch_add(count[1], 1, old)      ! told CAF_ATOMIC_FETCH_ADD 3 12
    call atomic_or(count[1], 0)                  ! told CAF_ATOMIC_OR 3 12
    call atomic_and(count[1], -1)                ! told CAF_ATOMIC_AND 3 12
    call atomic_xor(count[1], 0)                 ! told CAF_ATOMIC_XOR 3 12
    call atomic_fetch_or(count[1], 0, old)       ! told CAF_ATOMIC_FETCH_OR 3 12
    call atomic_fetch_and(count[1], -1, old)     ! told CAF_ATOMIC_FETCH_AND 3 12
    call atomic_fetch_xor(count[1], 0, old)      ! told CAF_ATOMIC_FETCH_XOR 3 12
    call atomic_cas(count[1], old, -5, 0)        ! told CAF_ATOMIC_CAS 3 12
    sync all                                     ! told CAF_SYNC_ALL 3 0
    call atomic_ref(old, count[1])               ! told CAF_ATOMIC_REF 3 12
    if (old /= 6) error stop 'atomics'
  end subroutine

  subroutine control(right, left)
    integer, intent(in) :: right, left
    integer :: waiting
    sync images ([right, left])                  ! told CAF_SYNC_IMAGES 3 0
    sync images (*)                              ! told CAF_SYNC_IMAGES 3 0
    sync memory                                  ! told CAF_SYNC_MEMORY 3 0
    event post (sent[right])                     ! told CAF_EVENT_POST 3 0
    event wait (sent)                            ! told CAF_EVENT_WAIT 3 0
    call event_query(sent, waiting)              ! told CAF_EVENT_QUERY 3 0
    lock (door[1])                               ! told CAF_LOCK 3 0
    unlock (door[1])                             ! told CAF_UNLOCK 3 0
    critical                                     ! told CAF_CRITICAL 3 0
      x = x + 1                                  ! told CAF_END_CRITICAL 3 0
    end critical
  end subroutine

  subroutine collectives()
    integer :: numbers(4)
    real(8) :: sums(3)
    numbers = this_image()
    sums = this_image()
    call co_sum(sums)                            ! told CAF_CO_SUM 3 72
    call co_min(numbers, result_image=1)         ! told CAF_CO_MIN 3 48
    call co_max(numbers)                         ! told CAF_CO_MAX 3 48
    call co_reduce(numbers, larger)              ! told CAF_CO_REDUCE 3 48
    call co_broadcast(sums(1:3:2), 2)            ! told CAF_CO_BROADCAST 3 48
    if (any(nint(sums) /= 6)) error stop 'collectives'
  end subroutine

  subroutine allocations()
    integer, allocatable :: a(:)[:], b(:)[:], c(:)[:]
    integer :: st
    allocate (a(10)[*], b(5)[*])                 ! told CAF_ALLOCATE 3 180
    allocate (c(4)[*], stat=st)                  ! told CAF_ALLOCATE 3 48
    deallocate (a)                               ! told CAF_DEALLOCATE 3 120
    deallocate (b, stat=st)                      ! told CAF_DEALLOCATE 3 60
    call move_alloc(c, a)                        ! told CAF_SYNC_ALL 3 0
    deallocate (a)                               ! told CAF_DEALLOCATE 3 48
  end subroutine

  subroutine teams()
    type(team_type) :: half
    form team (1 + this_image() / 3, half)       ! told CAF_FORM_TEAM 3 0
    change team (half)                           ! told CAF_CHANGE_TEAM 3 0
      if (num_images() == 2) then
        x[3 - this_image()] = this_image()       ! told CAF_PUT 2 8
      end if
      sync all                                   ! told CAF_SYNC_ALL 3 0
    end team                                     ! told CAF_END_TEAM 3 0
    sync team (half)                             ! told CAF_SYNC_TEAM 3 0
  end subroutine
end module

program told
  use told_parts
  implicit none
  integer :: me, images
  me = this_image()
  images = num_images()
  call ends_with_sync()
  call transfers(1 + modulo(me, images))
  call components(1 + modulo(me, images))
  call atomics()
  call control(1 + modulo(me, images), 1 + modulo(me - 2, images))
  call collectives()
  call allocations()
  call teams()
end program
