/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* One connection between launcher and daemon: frames in, frames out, never blocking. */
#ifndef LAUNCH_LINK_H
#define LAUNCH_LINK_H
#include "bootstrap/loop.h"
#include "launch/wire.h"

struct link {
  struct pst_loop *loop;
  struct pst_loop_fd watch; /* fd -1: not connected */
  enum wire_way way;        /* of what is read */
  size_t most;              /* bytes of a body that are accepted */
  char *in, *out;
  size_t in_size, in_room, out_size, out_room, out_done;
  int closed; /* the other side has ended it in order */
  /* Acts on a frame; NULL, or what is wrong with it. */
  const char *(*frame)(struct link *l, const struct wire_frame *f);
  /* The connection has ended: nothing of the link is used after this returned. `why` says how, for
   * a message. */
  void (*lost)(struct link *l, const char *why);
};

/* Takes over a connected socket, which is made to notice within seconds when the other host is gone; the
 * callbacks, `way` and `most` are set by the caller. 0, or -1 with errno. */
int link_open(struct link *l, struct pst_loop *loop, int fd);
/* Queues a frame and sends what the connection takes. Without a connection nothing happens. */
void link_send(struct link *l, enum wire_type type, const uint32_t *word, const void *data, size_t size);
/* The same for a collective's blobs of `size` bytes, `total` together: as many frames as they need. */
void link_send_pieces(
    struct link *l, enum wire_type type, uint32_t turn, uint32_t size, const char *bytes, size_t total);
int link_is_open(const struct link *l);
int link_is_flushed(const struct link *l);
/* All that was sent has reached the other host. */
int link_is_taken(const struct link *l);
/* No more will be sent; what is queued must be flushed before. */
void link_finish(const struct link *l);
void link_close(struct link *l);
/* Sets what makes TCP notice that the other host is gone: within 6 seconds, also while this process is
 * stopped. */
void link_keep_alive(int fd);

#endif
