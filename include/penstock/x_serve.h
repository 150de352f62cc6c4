/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Progress without the client. */
#ifndef PENSTOCK_X_SERVE_H
#define PENSTOCK_X_SERVE_H
#ifdef __cplusplus
extern "C" {
#endif

/* For clients of GASNET_PAR, before gasnet_init: where a network has to be polled, a thread does that,
 * unless GASNET_PROGRESS_THREAD is set to no. It also runs handlers, the library's own and the client's,
 * while the client's threads are elsewhere. */
void gasnetx_handlers_in_background(void);

#ifdef __cplusplus
}
#endif
#endif
