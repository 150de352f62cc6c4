/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The socket to a launcher that speaks PMI: whole messages out and in. */
#ifndef BOOTSTRAP_PMI_STREAM_H
#define BOOTSTRAP_PMI_STREAM_H
#include <stddef.h>

enum { PST_PMI_MESSAGE = 8192 }; /* bytes of one at most */

struct pst_pmi_stream {
  int fd;
  size_t have; /* bytes in `in` */
  char in[PST_PMI_MESSAGE];
  char text[PST_PMI_MESSAGE]; /* the last message that came, without its end or count */
};

/* NULL, pst_pmi_late or what failed. */
const char *pst_pmi_send(struct pst_pmi_stream *s, const char *bytes, size_t n);
/* A line (PMI-1). */
const char *pst_pmi_receive_line(struct pst_pmi_stream *s, double seconds);
/* Six digits and so many bytes (PMI-2). */
const char *pst_pmi_receive_counted(struct pst_pmi_stream *s, double seconds);

#endif
