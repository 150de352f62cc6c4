! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! Who is there: each PE writes its number to its right neighbour, into a variable of a common block, and says
! what it got.
program hello
  implicit none
  include 'mpp/shmem.fh'
  integer :: my_pe, num_pes
  integer :: me, pes
  character(len=16) :: option
  integer :: from
  common /symmetric/ from ! as are variables with SAVE, and those of modules

  call start_pes(0)
  me = my_pe()
  pes = num_pes()
  if (command_argument_count() > 0) then
    call get_command_argument(1, option)
    if (me == 0) print '(a)', 'usage: oshrun -np N hello_f: each PE greets its right neighbour'
    call shmem_barrier_all() ! PE 0 has said so
    if (option /= '--help') stop 2
    stop
  end if
  from = -1
  call shmem_barrier_all()
  call shmem_integer_put(from, me, 1, mod(me + 1, pes))
  call shmem_barrier_all()
  print '(a,i0,a,i0,a,i0)', 'PE ', me, ' of ', pes, ': greetings from PE ', from
  if (from /= mod(me + pes - 1, pes)) stop 1
end program hello
