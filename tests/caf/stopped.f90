! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! Images that have stopped: what image control with stat= says of them, image_status, stopped_images. The
! other images go on. With one image there is nothing to see.
program stopped
  use, intrinsic :: iso_fortran_env, only: stat_stopped_image, event_type
  use check
  implicit none
  integer :: x(3)[*]
  integer, allocatable :: a(:)[:], others(:)
  type(event_type), save :: event[*]
  integer :: i, stat, last
  character(30) :: message
  call check_begin()
  call expect_equal(image_status(me), 0, 'image_status of this image')
  call expect_equal(image_status(next), 0, 'image_status of another image')
  call expect(size(stopped_images()) == 0 .and. size(failed_images()) == 0, 'no image has stopped or failed')
  x = 7 * me
  sync all
  if (images == 1) then
    call check_end()
    stop
  end if
  ! It says where it fails, as check_end would.
  if (me == images) then
    if (failures > 0) error stop 1
    stop
  end if
  last = images
  do
    sync all (stat=stat)
    if (stat /= 0) exit
  end do
  call expect_equal(stat, stat_stopped_image, 'sync all with a stopped image')
  call expect_equal(image_status(last), stat_stopped_image, 'image_status of a stopped image')
  call expect_equal(image_status(1), 0, 'image_status of one that goes on')
  others = stopped_images()
  call expect(size(others) == 1 .and. others(1) == last, 'stopped_images')
  call expect(all(stopped_images(kind=8) == [int(last, 8)]) .and. size(failed_images()) == 0, &
    'stopped_images of kind 8')
  sync images (last, stat=stat)
  call expect_equal(stat, stat_stopped_image, 'sync images with a stopped image')
  sync images ([last, me], stat=stat)
  call expect_equal(stat, stat_stopped_image, 'sync images with a list')
  sync images ([(i, i = 1, images - 1)], stat=stat)
  call expect_equal(stat, 0, 'sync images with those that go on')
  sync memory (stat=stat)
  call expect_equal(stat, 0, 'sync memory')
  ! Its coarrays are still there.
  call expect(all(x(:)[last] == 7 * last), 'get from a stopped image')
  sync images ([(i, i = 1, images - 1)])
  if (me == 1) then
    x(2)[last] = 5
    call expect_equal(x(2)[last], 5, 'put to a stopped image')
  end if
  message = ''
  allocate (a(4)[*], stat=stat, errmsg=message)
  call expect_equal(stat, stat_stopped_image, 'allocate with a stopped image')
  call expect(message /= '', 'allocate with a stopped image, errmsg')
  do i = 1, images - 1
    event post (event[i])
  end do
  event wait (event, until_count=images - 1, stat=stat)
  call expect_equal(stat, 0, 'event wait')
  sync images ([(i, i = 1, images - 1)])
  if (failures > 0) error stop 1
  sync images ([(i, i = 1, images - 1)])
  if (me == 1) write (*, '(a, i0, a)') 'ok: ', checks, ' checks by the first image'
end program
