! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! Teams: form, change, end, sync, team_number; new indices of coarrays from outside, coarrays allocated
! within, which are freed at the end; collectives, locks, events and critical constructs within; teams within
! teams.
program teams
  use, intrinsic :: iso_fortran_env, only: team_type, event_type, lock_type, atomic_int_kind
  use check
  implicit none
  type(team_type) :: halves, quarter, alone, thirds(2)
  integer :: x[*], row(4)[*]
  integer(atomic_int_kind) :: count[*]
  type(event_type), save :: event[*]
  type(lock_type), save :: door[*]
  integer, allocatable :: inside(:)[:], outside(:)[:]
  integer :: round, value, half, members, rank
  call check_begin()
  ! Images with odd numbers, and those with even ones.
  half = 1 + modulo(me, 2)
  members = merge((images + 1) / 2, images / 2, half == 2)
  rank = (me + 1) / 2
  call expect_equal(team_number(), -1, 'team_number of the initial team')
  do round = 1, 3
    call transfers()
    call allocation()
    call collective()
    call others()
    call nested()
  end do
  call reused()
  call local()
  call local()
  call many()
  call check_end()
contains
  ! The image that has a number in this image's half.
  integer function original(r)
    integer, intent(in) :: r
    original = 2 * r - merge(1, 0, half == 2)
  end function

  subroutine transfers()
    integer :: after, before
    x = me
    row = me
    form team (half, halves)
    call expect_equal(this_image(), me, 'form team changes no index')
    call expect_equal(team_number(halves), half, 'team_number of another team')
    change team (halves)
      call expect_equal(team_number(), half, 'team_number')
      call expect_equal(num_images(), members, 'num_images in a team')
      call expect_equal(this_image(), rank, 'this_image in a team')
      after = merge(1, rank + 1, rank == members)
      before = merge(members, rank - 1, rank == 1)
      call expect_equal(x[after], original(after), 'get from a coarray from outside')
      sync all
      row(2:3)[after] = 100 * me
      x[after] = -me
      sync team (halves)
      call expect(all(row == [me, 100 * original(before), 100 * original(before), me]), &
        'put to a coarray from outside')
      call expect_equal(x, -original(before), 'put of a scalar from outside')
      sync images (*)
      row(:)[before] = row(4:1:-1)[after]
      sync images ([after, before])
    end team
    call expect_equal(num_images(), images, 'num_images after a team')
    call expect_equal(this_image(), me, 'this_image after a team')
    sync all
    x[next] = me
    sync all
    call expect_equal(x, prev, 'put after a team')
    sync all
  end subroutine

  ! Teams allocate differently at the same time.
  subroutine allocation()
    integer :: i
    allocate (outside(5)[*])
    outside = me
    sync all
    change team (halves)
      do i = 1, merge(3, 7, half == 1)
        allocate (inside(100 * i + half)[*])
        inside = i * me
        sync all
        call expect(all(inside(:)[members] == i * original(members)), 'a coarray that a team has allocated')
        sync all
        inside(100)[1 + modulo(rank, members)] = -me
        sync all
        if (i < 3) deallocate (inside)
        if (allocated(inside)) exit
      end do
      call expect(allocated(inside) .and. inside(100) < 0, 'a put within the team')
      outside(2)[1] = half
      sync all
    end team
    call expect(.not. allocated(inside), 'end team deallocates')
    call expect(outside(2) == merge(half, me, me <= 2) .and. outside(3) == me, &
      'an allocated coarray from outside')
    sync all
    allocate (inside(3)[*])
    inside = 7 * me
    sync all
    call expect_equal(inside(3)[next], 7 * next, 'allocate after a team')
    call expect_equal(outside(5)[prev], prev, 'what was allocated before the team')
    deallocate (inside, outside)
  end subroutine

  subroutine collective()
    integer :: v(3), i
    change team (halves)
      v = me
      call co_sum(v)
      call expect(all(v == sum([(original(i), i = 1, members)])), 'co_sum in a team')
      v = me
      call co_max(v(2), result_image=1)
      if (rank == 1) call expect(all(v == [me, original(members), me]), 'co_max in a team')
      v = me
      call co_broadcast(v, members)
      call expect(all(v == original(members)), 'co_broadcast in a team')
      v = 10 * rank
      call co_reduce(v, add)
      call expect(all(v == 5 * members * (members + 1)), 'co_reduce in a team')
    end team
    v = me
    call co_sum(v)
    call expect(all(v == images * (images + 1) / 2), 'co_sum after a team')
  end subroutine

  pure integer function add(a, b)
    integer, intent(in) :: a, b
    add = a + b
  end function

  ! Events, locks, atomic variables by the new indices.
  subroutine others()
    count = 0
    x = 0
    sync all
    change team (halves)
      event post (event[1 + modulo(rank, members)])
      event wait (event)
      call atomic_add(count[1], rank)
      lock (door[members])
      value = x[1]; x[1] = value + 1
      unlock (door[members])
      sync all
      if (rank == 1) then
        call atomic_ref(value, count)
        call expect_equal(value, members * (members + 1) / 2, 'atomic_add in a team')
        call expect_equal(x, members, 'a lock in a team')
      end if
      sync all
      critical
        value = x[1]; x[1] = value + 1
      end critical
      sync all
      if (rank == 1) call expect_equal(x, 2 * members, 'critical in a team')
    end team
    sync all
  end subroutine

  ! Each half into parts of two, and these into teams of one image.
  subroutine nested()
    integer :: part, size, place
    x = me
    sync all
    change team (halves)
      part = 10 + (rank + 1) / 2
      form team (part, quarter)
      change team (quarter)
        size = num_images()
        place = this_image()
        call expect_equal(size, merge(2, 1, rank < members .or. modulo(rank, 2) == 0), &
          'num_images in a team within a team')
        call expect_equal(place, 2 - modulo(rank, 2), 'this_image in a team within a team')
        call expect_equal(team_number(), part, 'team_number in a team within a team')
        call expect_equal(team_number(halves), half, 'team_number of the team around')
        call expect_equal(x[1], original(rank - place + 1), 'get in a team within a team')
        allocate (inside(place + 0 * size + 3 - place)[*])
        inside = me
        sync all
        call expect_equal(inside(3)[size], original(rank - place + size), 'allocate in a team within a team')
        form team (place, alone)
        change team (alone)
          call expect(num_images() == 1 .and. this_image() == 1, 'a team of one image')
          x[1] = -me
          allocate (outside(2)[*])
          outside(:)[1] = me
          call expect(all(outside == me), 'a coarray of one image')
          sync all
        end team
        call expect(.not. allocated(outside), 'freed at the end of a team of one image')
        sync all
        call expect_equal(x[size], -original(rank - place + size), 'what was put in a team of one image')
        call expect_equal(inside(1)[1], original(rank - place + 1), 'an outer team''s coarray')
        sync all
      end team
      call expect(.not. allocated(inside), 'freed at the end of the inner team')
      call expect_equal(num_images(), members, 'num_images after the inner team')
      sync all
    end team
    call expect_equal(num_images(), images, 'num_images after all teams')
  end subroutine

  ! Teams that are formed with the same variable again, and two that exist at once.
  subroutine reused()
    form team (merge(1, 2, me == 1), thirds(1))
    form team (images - me + 1, thirds(2))
    change team (thirds(1))
      call expect_equal(num_images(), merge(1, images - 1, me == 1), 'one and the others')
      call expect_equal(this_image(), merge(1, me - 1, me == 1), 'this_image among the others')
    end team
    change team (thirds(2))
      call expect_equal(team_number(), images - me + 1, 'teams of one image, numbers')
      sync all
    end team
    form team (5, thirds(1))
    change team (thirds(1))
      call expect(num_images() == images .and. this_image() == me .and. team_number() == 5, 'a team of all')
      sync team (thirds(1))
    end team
    sync all
  end subroutine

  ! What a team has freed is not freed again: a variable of a procedure, and one that has what another had.
  subroutine local()
    integer, allocatable :: mine(:)[:], moved(:)[:]
    change team (thirds(1))
      allocate (mine(10)[*], inside(20)[*])
      inside = me
      call move_alloc(inside, moved)
      call expect(all(moved == me), 'move_alloc in a team')
    end team
    call expect(.not. allocated(mine), 'a variable of a procedure is freed')
    allocate (mine(2)[*])
    mine = me
    sync all
    call expect_equal(mine(2)[next], next, 'a variable of a procedure, again')
    sync all
  end subroutine

  subroutine many()
    integer :: i
    do i = 1, 20
      form team (1 + modulo(me * i, 3), thirds(1 + modulo(i, 2)))
      change team (thirds(1 + modulo(i, 2)))
        allocate (inside(1000 * team_number())[*])
        inside = team_number()
        sync all
        call expect(all(inside(::97)[num_images()] == team_number()), 'one of many teams')
      end team
    end do
  end subroutine
end program
