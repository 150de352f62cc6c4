! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! Images that fail, with CAF_FAILED_IMAGES=1. All images go through a list of statements that a seed, the
! argument, draws. Some of them end on the way: by fail image, by a signal of their own, or by a timer in the
! midst of anything. No statement keeps the others waiting, whatever each of them knows; sync all synchronises
! those that are left, also with a status; a collective without a status has the right result; all members of
! a team have the same list of members; and in the end those that are left form a team in which all is well.
module dying
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none
  interface
    integer(c_int) function c_raise(sig) bind(c, name='raise')
      import c_int
      integer(c_int), value :: sig
    end function
    integer(c_int) function c_ualarm(first, again) bind(c, name='ualarm')
      import c_int
      integer(c_int), value :: first, again
    end function
  end interface
end module

program failed
  use, intrinsic :: iso_fortran_env, only: event_type, lock_type, team_type, atomic_int_kind, &
    stat_failed_image
  use check
  use dying
  implicit none
  integer, parameter :: kinds = 11, most = 64
  integer(atomic_int_kind) :: stamp[*], id[*], hash[*], owner[*], total[*]
  type(event_type), save :: event[*]
  type(lock_type), save :: door[*]
  integer, allocatable :: a(:)[:]
  type :: holder
    integer, allocatable :: values(:)
  end type
  type(holder), save :: object[*]
  character(20) :: argument
  character(40) :: message
  integer :: seed = 1, state, rounds, r, victims, how(most), at(most), stat
  type(team_type) :: team
  call check_begin()
  call get_command_argument(1, argument)
  if (argument /= '') read (argument, *) seed
  state = 12345 + 7919 * seed
  do r = 1, 8
    victims = draw(2)
  end do
  if (images == 1) then
    write (*, '(a)') 'ok: one image has nobody to lose'
    stop
  end if
  rounds = 4 + draw(12)
  call victims_choose()
  stamp = 0
  owner = 0
  total = 0
  id = me
  allocate (object%values(4))
  object%values = me
  sync all (stat=stat)
  do r = 1, rounds
    call end_maybe(.false.)
    call statement(draw(kinds), draw(images) + 1)
  end do
  call end_maybe(.true.)
  ! Not with the others: they need not know it at the same time.
  do while (num_images(failed=.true.) < victims)
    sync memory
  end do
  call look()
  form team (1, team)
  change team (team)
    call survive()
  end team
  if (failures > 0) error stop 1
  form team (2, team)
  change team (team)
    if (this_image() == 1) write (*, '(a, i0, a)') 'ok: ', checks, ' checks by one of those that are left'
  end team
contains
  ! 0 to n - 1, the same on all images.
  integer function draw(n)
    integer, intent(in) :: n
    state = modulo(int(modulo(1103515245_8 * state + 12345_8, 2147483648_8)), huge(1))
    draw = modulo(state / 65536, n)
  end function

  ! how: 0 not at all, 1 fail image, 2 kill, 3 by a timer. at: before which round.
  subroutine victims_choose()
    integer :: i
    how = 0
    victims = 0
    do i = 1, images
      at(i) = 1 + draw(rounds)
      if (draw(3) == 0 .and. victims < images - 1) then
        how(i) = 1 + draw(3)
        victims = victims + 1
      end if
    end do
    if (victims == 0) then
      how(images) = 1 + draw(3)
      victims = 1
    end if
  end subroutine

  ! The last chance: who has not ended by its timer does now.
  subroutine end_maybe(last)
    logical, intent(in) :: last
    integer(c_int) :: rc
    if (how(me) == 0) return
    if (last) then
      fail image
    else if (at(me) == r) then
      if (how(me) == 1) fail image
      if (how(me) == 2) rc = c_raise(9_c_int)
      if (how(me) == 3) rc = c_ualarm(int(50 + 37 * modulo(seed, 97), c_int), 0_c_int)
    end if
  end subroutine

  ! A status is success, or says that an image has failed, if that is so.
  subroutine status_look(title)
    character(*), intent(in) :: title
    call expect(stat == 0 .or. stat == stat_failed_image, title // ': stat')
    if (stat == stat_failed_image) call expect(num_images(failed=.true.) > 0, title // ': none has failed')
  end subroutine

  ! All images of the current team that are left have come to the round.
  subroutine stamps_look(title)
    character(*), intent(in) :: title
    integer :: i, seen, found
    do i = 1, num_images()
      call atomic_ref(seen, stamp[i], found)
      if (found == 0) call expect(seen >= r, title // ': an image has not come')
    end do
  end subroutine

  subroutine statement(kind, image)
    integer, intent(in) :: kind, image
    integer :: value, i, old, parts(4)
    stamp = r
    value = me * 100 + r
    select case (kind)
    case (0)
      sync all (stat=stat)
      call status_look('sync all')
      call stamps_look('sync all')
    case (1)
      sync images (*, stat=stat)
      call status_look('sync images')
      call stamps_look('sync images')
    case (2)
      call co_sum(value, stat=stat)
      call status_look('co_sum')
      if (stat == 0) call expect_equal(value, sum([(100 * i + r, i = 1, images)]), 'co_sum')
    case (3)
      call co_max(value, result_image=image, stat=stat, errmsg=message)
      call status_look('co_max')
      if (stat == 0 .and. me == image) call expect_equal(value, 100 * images + r, 'co_max')
    case (4)
      call co_broadcast(value, image, stat=stat)
      call status_look('co_broadcast')
      if (stat == 0) call expect_equal(value, 100 * image + r, 'co_broadcast')
    case (5)
      call locked(image)
    case (6)
      event post (event[next], stat=stat)
      call status_look('event post')
      event wait (event, stat=stat)
      call status_look('event wait')
    case (7)
      call atomic_fetch_add(total[image], 1, old, stat)
      call status_look('atomic_fetch_add')
      if (stat == 0) call expect(old >= 0, 'atomic_fetch_add')
    case (8)
      allocate (a(image + 2)[*], stat=stat)
      call expect_equal(stat, 0, 'allocate')
      a = me
      call stamps_look('allocate')
      deallocate (a, stat=stat)
      call expect_equal(stat, 0, 'deallocate')
      call expect(.not. allocated(a), 'deallocate')
      call stamps_look('deallocate')
    case (9)
      form team (1 + modulo(me + r, 2), team)
      change team (team)
        call members_look()
      end team
      call stamps_look('end team')
    case (10)
      parts = object[image, stat=stat]%values
      call status_look('a component')
      if (stat == 0) call expect(all(parts == image), 'a component')
    end select
  end subroutine

  ! Under the lock nobody else is seen.
  subroutine locked(image)
    integer, intent(in) :: image
    integer :: seen, found
    lock (door[image], stat=stat)
    call status_look('lock')
    if (stat /= 0) return
    call atomic_define(owner[image], me, found)
    sync memory
    if (found == 0) call atomic_ref(seen, owner[image], found)
    if (found == 0) call expect_equal(seen, me, 'two images have one lock')
    unlock (door[image], stat=stat)
    call status_look('unlock')
  end subroutine

  ! The members of a team have one list of them, in one order.
  subroutine members_look()
    integer :: i, seen, found, sum_of_list
    sum_of_list = num_images()
    do i = 1, num_images()
      call atomic_ref(seen, id[i], found)
      if (i == this_image()) call expect_equal(seen, me, 'the own number in a team')
      if (found == 0) call expect_equal(modulo(seen + r, 2), modulo(me + r, 2), 'a member of a team')
    end do
    call atomic_define(hash, sum_of_list)
    sync all (stat=stat)
    call status_look('sync all in a team')
    do i = 1, num_images()
      call atomic_ref(seen, hash[i], found)
      if (found == 0) call expect_equal(seen, sum_of_list, 'two lists of members')
    end do
    sync all (stat=stat)
    call stamps_look('sync all in a team')
  end subroutine

  ! What all images know in the end.
  subroutine look()
    integer :: i
    integer, allocatable :: list(:)
    list = failed_images()
    call expect_equal(size(list), victims, 'failed_images')
    call expect_equal(num_images(failed=.false.), images - victims, 'num_images(failed=.false.)')
    call expect(all([(how(list(i)) /= 0, i = 1, size(list))]), 'failed_images has one that has not failed')
    do i = 1, images
      call expect_equal(image_status(i), merge(stat_failed_image, 0, how(i) /= 0), 'image_status')
    end do
    sync all (stat=stat)
    call expect_equal(stat, stat_failed_image, 'sync all in the end')
    i = 1
    call co_sum(i, stat=stat, errmsg=message)
    call expect_equal(stat, stat_failed_image, 'co_sum in the end')
    event wait (event, until_count=1000, stat=stat)
    call expect_equal(stat, stat_failed_image, 'event wait in the end')
    do i = 1, images
      if (how(i) == 0) cycle
      event post (event[i], stat=stat)
      call expect_equal(stat, stat_failed_image, 'event post to a failed image')
      sync images (i, stat=stat)
      call expect_equal(stat, stat_failed_image, 'sync images with a failed image')
    end do
  end subroutine

  ! A team of those that are left.
  subroutine survive()
    integer, allocatable :: inside(:)[:]
    integer :: i, n, after, value
    n = num_images()
    call expect_equal(n, images - victims, 'num_images of those that are left')
    call expect(size(failed_images()) == 0, 'failed_images of those that are left')
    after = merge(1, this_image() + 1, this_image() == n)
    do i = 1, 3
      allocate (inside(3)[*])
      inside = -me
      sync all
      inside(2)[after] = 10 * i
      sync all
      call expect(all(inside == [-me, 10 * i, -me]), 'put in a team of those that are left')
      value = i
      call co_sum(value)
      call expect_equal(value, n * i, 'co_sum of those that are left')
      sync images (*)
      deallocate (inside)
      call atomic_define(hash, this_image())
      sync all
      call atomic_ref(value, hash[after])
      call expect_equal(value, after, 'atomic_ref of those that are left')
      lock (door[after])
      unlock (door[after])
      sync all
    end do
    event post (event[after])
    event wait (event)
    critical
      value = 0
    end critical
    sync all
  end subroutine
end program
