/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* One process, one job, one copy of the library. */
#ifndef CORE_COPIES_H
#define CORE_COPIES_H

/* Says that this copy of the library joins a job. Ends the process where it has another copy, with a message
 * that names the files of both. From now on a copy that is loaded later ends the process, too. */
void pst_copies_join(void);

#endif
