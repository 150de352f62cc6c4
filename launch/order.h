/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Which frame may come when, and with which numbers: every frame is checked here before it has any effect. */
#ifndef LAUNCH_ORDER_H
#define LAUNCH_ORDER_H
#include "bootstrap/jobstate.h"
#include "launch/wire.h"

/* A collective of the job's processes, in pieces. */
struct order_collective {
  uint32_t turn; /* the last, or the present one */
  uint32_t size; /* of a blob */
  size_t have;   /* bytes */
};

/* What the launcher may receive from a daemon that has proved itself. */
struct order_daemon {
  uint32_t local;
  int asked; /* START was sent */
  int over;  /* FAILED or BYE has come */
  unsigned started, ended;
  uint8_t *node;        /* [local] ORDER_* */
  uint32_t output_room; /* bytes that may still come before some are taken */
  uint32_t input_sent;  /* bytes that are not taken yet */
  int input_closed;
  struct order_collective gather;
  uint32_t scattered; /* the last collective that the daemon has been answered */
};
enum { ORDER_STARTED = 1, ORDER_LEAVES = 2, ORDER_ENDED = 4 };

/* NULL, or what is wrong with the frame; what is right has been taken into account. */
const char *order_from_daemon(struct order_daemon *o, const struct wire_frame *f);

/* What a daemon may receive from the launcher that has proved itself. */
struct order_launcher {
  struct pst_part part; /* as JOB said */
  int job, directory, started, input_ended;
  uint32_t arguments;
  uint32_t input_room;        /* bytes */
  uint32_t output_sent;       /* bytes that are not taken yet */
  uint32_t asked, asked_size; /* the last collective that the daemon has asked for */
  struct order_collective scatter;
};
const char *order_from_launcher(struct order_launcher *o, const struct wire_frame *f);

#endif
