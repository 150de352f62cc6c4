! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! Image control: sync all, sync images with one image, lists and *, sync memory with atomic variables. What
! was put before is there afterwards, in order for one image and place.
program sync
  use, intrinsic :: iso_fortran_env, only: atomic_int_kind
  use check
  implicit none
  integer :: x[*], row(0:63)[*], from(7)[*]
  integer(atomic_int_kind) :: turn[*]
  integer :: i, k, stat, value
  call check_begin()
  if (images > 7) error stop 'at most 7 images'
  call of_all()
  call ring()
  call one_with_all()
  call lists()
  call pairs()
  call memory()
  call order()
  call check_end()
contains
  subroutine of_all()
    do i = 1, 50
      x = -1
      sync all
      x[next] = 1000 * me + i
      sync all (stat=stat)
      call expect_equal(stat, 0, 'sync all, stat')
      call expect_equal(x, 1000 * prev + i, 'sync all')
      sync all
    end do
  end subroutine

  ! Each with its neighbours: no image is more than a step ahead.
  subroutine ring()
    integer :: neighbours(2), n
    n = merge(1, 2, next == prev)
    neighbours = [next, prev]
    from = 0
    sync all
    do i = 1, 50
      from(me)[next] = i
      if (images == 1) from(me) = i
      sync images (neighbours(1:n), stat=stat)
      call expect_equal(stat, 0, 'sync images, stat')
      call expect_equal(from(prev), i, 'sync images with neighbours')
      sync images (neighbours(1:n))
    end do
    sync all
  end subroutine

  ! The first image hands out, the others answer.
  subroutine one_with_all()
    from = 0
    x = 0
    sync all
    do i = 1, 30
      if (me == 1) then
        do k = 1, images
          x[k] = i * k
        end do
        sync images (*)
        sync images (*)
        call expect(all(from(2:images) == [(i * k + 1, k = 2, images)]), 'answers')
      else
        sync images (1)
        from(me)[1] = x + 1
        call expect_equal(x, i * me, 'what the first image has handed out')
        sync images ([1])
      end if
    end do
    sync all
    sync images (*)
    sync images ([integer ::])
    sync images (me)
    sync images ([me])
  end subroutine

  ! Images meet in other orders.
  subroutine lists()
    integer, allocatable :: all_images(:)
    all_images = [(1 + modulo(me + k, images), k = 1, images)]
    do i = 1, 10
      row(me) = i
      do k = 1, images
        row(7 + me)[k] = 100 * i + me
      end do
      sync images (all_images)
      call expect(all(row(8:7 + images) == [(100 * i + k, k = 1, images)]), 'all images in a list')
      sync images (all_images(images:1:-1))
    end do
    sync all
  end subroutine

  ! The k-th time of one matches the k-th of the other, however far another image is.
  subroutine pairs()
    x = 0
    sync all
    if (images >= 2 .and. me <= 2) then
      do i = 1, 100
        if (me == 1) x[2] = i
        sync images (3 - me)
        if (me == 2) call expect_equal(x, i, 'a pair')
        sync images (3 - me)
      end do
    end if
    if (images >= 3 .and. (me == 1 .or. me == 3)) then
      do i = 1, 3
        sync images (4 - me)
      end do
    end if
    sync all
  end subroutine

  ! A flag by atomic operations, with sync memory around: the row is there when the flag is.
  subroutine memory()
    turn = 0
    row = 0
    sync all
    do i = 1, 20
      row(:)[next] = [(i * 64 + k, k = 0, 63)]
      sync memory
      call atomic_define(turn[next], i)
      do
        call atomic_ref(value, turn)
        if (value >= i) exit
      end do
      sync memory (stat=stat)
      call expect_equal(stat, 0, 'sync memory, stat')
      call expect(all(row == [(i * 64 + k, k = 0, 63)]), 'sync memory')
      sync all
    end do
  end subroutine

  ! Assignments to one place come in order, and a reference finds the last one.
  subroutine order()
    row = 0
    sync all
    do i = 1, 200
      row(5)[next] = i
      row(5)[next] = -i
      call expect_equal(row(5)[next], -i, 'the last of two assignments')
      row(8:20)[next] = i
      row(10)[next] = 2 * i
      row(12:16:2)[next] = 3 * i
      call expect(all(row(9:13)[next] == [i, 2 * i, i, 3 * i, i]), 'assignments over one another')
      row(20:8:-1)[next] = row(8:20)[next]
      call expect(all(row(8:20)[next] == [i, i, i, i, 3 * i, i, 3 * i, i, 3 * i, i, 2 * i, i, i]), &
        'a row turned in its place')
    end do
    sync all
  end subroutine
end program
