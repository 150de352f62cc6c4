! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! What the engine asks for.
module bench_caf_node
  use, intrinsic :: iso_c_binding, only: c_int, c_int8_t, c_loc, c_ptr, c_size_t
  implicit none
  integer(c_int8_t), allocatable, target :: memory(:)[:]

contains

  subroutine images(this, all) bind(C, name='bench_caf_images')
    integer(c_int), intent(out) :: this, all
    this = this_image()
    all = num_images()
  end subroutine

  type(c_ptr) function memory_new(nbytes) bind(C, name='bench_caf_memory')
    integer(c_size_t), value :: nbytes
    allocate (memory(nbytes)[*])
    memory_new = c_loc(memory)
  end function

  subroutine leave() bind(C, name='bench_caf_leave')
    stop
  end subroutine

  subroutine fail(code) bind(C, name='bench_caf_fail')
    integer(c_int), value :: code
    error stop code
  end subroutine

end module
