! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
program includes
  implicit none
  include 'included.inc' ! a comment
  integer :: include; include = 3
  include'second.inc'
  print *, include, given, constant
end program
