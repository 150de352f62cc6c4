/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Progress without the client. */
#ifndef PENSTOCK_X_SERVE_H
#define PENSTOCK_X_SERVE_H
#ifdef __cplusplus
extern "C" {
#endif

/* For clients of GASNET_PAR, before gasnet_init. A thread polls a network that needs it, unless
 * GASNET_PROGRESS_THREAD is set to no. With this call it also runs handlers, the library's and the client's,
 * while the client's threads do not poll. */
void gasnetx_handlers_in_background(void);

#ifdef __cplusplus
}
#endif
#endif
