! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! What the programs of tests/caf share: who this image is, and complaints. A program goes on after a
! complaint, so that all images come to its end, where check_end makes it fail.
module check
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  integer :: me = 0, images = 0, next = 0, prev = 0, failures = 0, checks = 0
contains
  subroutine check_begin()
    me = this_image()
    images = num_images()
    next = merge(1, me + 1, me == images)
    prev = merge(images, me - 1, me == 1)
  end subroutine

  subroutine expect(holds, title)
    logical, intent(in) :: holds
    character(*), intent(in) :: title
    checks = checks + 1
    if (holds) return
    failures = failures + 1
    if (failures <= 20) write (error_unit, '(a, i0, a, i0, 2a)') 'FAIL image ', me, ' of ', images, ': ', &
      title
  end subroutine

  ! Two integers that must be equal; a complaint has both.
  subroutine expect_equal(is, should_be, title)
    integer, intent(in) :: is, should_be
    character(*), intent(in) :: title
    character(40) :: values
    write (values, '(a, i0, a, i0)') ': ', is, ', not ', should_be
    call expect(is == should_be, title // trim(values))
  end subroutine

  ! No image ends before all have complained.
  subroutine check_end()
    sync all
    if (failures > 0) error stop 1
    sync all
    if (checks == 0) error stop 2
    if (me == 1) write (*, '(a, i0, a, i0, a)') 'ok: ', checks, ' checks by each of ', images, ' images'
  end subroutine
end module
