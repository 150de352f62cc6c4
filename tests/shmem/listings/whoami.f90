! SPDX-License-Identifier: BSD-3-Clause
! Copyright (c) 2026 the Penstock authors
! Listing 11 of the OpenSHMEM 1.0 document, as printed.
program whoami

include 'mpp/shmem.fh'

integer npes, me
character*32 h

call start_pes(0)

npes = num_pes()
me = my_pe()
call hostnm(h)

print *, h, 'I am ', me, ' of ', npes

end program whoami
