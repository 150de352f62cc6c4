/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#ifndef XMP_POST_H
#define XMP_POST_H

#include "xmp/internal.h"

/* PST_XMP_HANDLER_POST: a post has come. */
void pst_xmp_post_handle(gasnet_token_t token, gasnet_handlerarg_t tag);

#endif
