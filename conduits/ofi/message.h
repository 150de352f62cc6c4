/* What goes over the wire between two nodes of the libfabric conduit; docs/formats.md draws it. Nothing here needs libfabric. */
#ifndef CONDUITS_OFI_MESSAGE_H
#define CONDUITS_OFI_MESSAGE_H
#include "core/conduit.h"

enum { PST_OFI_REQUESTS, PST_OFI_REPLIES, PST_OFI_STREAMS };

/* Bytes of the largest message, and what larger ones, where they may be (ep.c), have beyond a round number of payload: head,
 * arguments, the description of what is packed in it. */
enum {
  PST_OFI_LEAST_MESSAGE = 16 << 10,
  PST_OFI_MORE = 1 << 10,
  PST_OFI_MAX_ARGS = 16
};

enum pst_ofi_form { PST_OFI_SHORT, PST_OFI_MEDIUM, PST_OFI_LONG_INLINE, PST_OFI_LONG_PLACED, PST_OFI_CREDIT, PST_OFI_COUNT,
                    PST_OFI_HELLO, PST_OFI_WELCOME, PST_OFI_FORMS };

struct pst_ofi_head {
  uint32_t src;
  uint32_t nbytes;                    /* of the payload that follows; COUNT: messages of the forms up to CREDIT that were sent so far */
  uint16_t credit[PST_OFI_STREAMS];   /* units that the receiver may send again */
  uint8_t form, stream, handler, nargs;
};
/* Then the arguments, an even number of words; for a long its address, and its size where the payload is in its place already; the
 * payload; up to 7 bytes to the next multiple of 8. */
enum { PST_OFI_OVERHEAD = sizeof(struct pst_ofi_head) + 4 * PST_OFI_MAX_ARGS + 16 };

static inline size_t pst_ofi_round_up(size_t nbytes) { return (nbytes + 7) & ~(size_t)7; }
static inline size_t pst_ofi_arguments_bytes(unsigned nargs) { return pst_ofi_round_up(4 * (size_t)nargs); }

/* What a receiver knows of itself. */
struct pst_ofi_receiver {
  unsigned node, nodes;
  gasnet_seginfo_t segment;
};

/* A message in its parts, which lie in the bytes that were received. */
struct pst_ofi_parts {
  struct pst_ofi_head head;
  struct pst_arrival arrival; /* of the forms before CREDIT */
  const void *data;           /* LONG_INLINE: what belongs at arrival.payload */
};

/* Takes the bytes for a stranger's. PST_ERR_INVALID: no message that a node of this job sends to this one. */
int pst_ofi_decode(const struct pst_ofi_receiver *r, const void *bytes, size_t nbytes, struct pst_ofi_parts *parts);

#endif
