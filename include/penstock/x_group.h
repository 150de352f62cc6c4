/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Groups: sets of implicit operations, each with a completion of its own. */
#ifndef PENSTOCK_X_GROUP_H
#define PENSTOCK_X_GROUP_H
#ifdef __cplusplus
extern "C" {
#endif

/* NULL stands for the calling thread's own implicit operations. */
typedef struct gasnetx_group *gasnetx_group_t;

/* Of gasnetx_group_create: any thread may use the group. Without it only the thread that created it may. */
#define GASNETX_GROUP_SHARED 1u

/* What a wait or a test is for: one or several of these. A put that is complete is complete locally, too. */
#define GASNETX_GROUP_PUTS  1u /* puts, sets and atomic operations: visible at their targets */
#define GASNETX_GROUP_GETS  2u /* gets: the data are here */
#define GASNETX_GROUP_LOCAL 4u /* sources of bulk puts: they may be changed */
#define GASNETX_GROUP_ALL   7u

/* Not in handlers, as all calls here. Where there is no memory the job ends. */
gasnetx_group_t gasnetx_group_create(unsigned options);
/* None of its operations may be outstanding, and no thread may have it chosen. */
void gasnetx_group_destroy(gasnetx_group_t group);

/* The calling thread's implicit operations count on the group from now on, outside access regions. Returns
 * the group on which they counted before. */
gasnetx_group_t gasnetx_group_choose(gasnetx_group_t group);

/* For the group's operations that were begun before, by any thread. They serve messages only while some are
 * outstanding, and are a fence otherwise. test: GASNET_OK, or GASNET_ERR_NOT_READY. */
void gasnetx_group_wait(gasnetx_group_t group, unsigned what);
int gasnetx_group_test(gasnetx_group_t group, unsigned what);

/* The same for all groups of the process, and all threads' own implicit operations. */
void gasnetx_group_wait_all(unsigned what);
int gasnetx_group_test_all(unsigned what);

#ifdef __cplusplus
}
#endif
#endif
