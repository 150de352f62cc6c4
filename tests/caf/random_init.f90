! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! random_init in its four forms: equal or different numbers on images, and again or not.
program random_inits
  use check
  implicit none
  integer, parameter :: count = 20
  real(8) :: first(count)[*], again(count)[*]
  real(8) :: other(count)
  integer :: i
  call check_begin()
  call try(.true., .false.)
  call try(.true., .true.)
  call try(.false., .false.)
  call try(.false., .true.)
  call check_end()
contains
  subroutine try(repeatable, distinct)
    logical, intent(in) :: repeatable, distinct
    character(60) :: title
    write (title, '(a, l1, a, l1, a)') 'random_init(', repeatable, ', ', distinct, '): '
    call random_init(repeatable, distinct)
    call random_number(first)
    call random_init(repeatable, distinct)
    call random_number(again)
    sync all
    call expect(all(first == again) .eqv. repeatable, trim(title) // ' called again')
    call expect(all(first >= 0 .and. first < 1) .and. any(first /= first(1)), trim(title) // ' numbers')
    do i = 1, images
      if (i == me) cycle
      other = first(:)[i]
      call expect(all(other == first) .neqv. distinct, trim(title) // ' another image')
      other = again(:)[i]
      call expect(all(other == again) .neqv. distinct, trim(title) // ' another image, called again')
    end do
    sync all
  end subroutine
end program
