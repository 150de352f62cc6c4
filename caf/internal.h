/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the files of the library behind Fortran's coarrays share. It uses the public interface alone
 * (gasnet.h, gasnetx.h) and front/. An image is a node: image k of the initial team is node k - 1. A program
 * calls the library from one thread. */
#ifndef CAF_INTERNAL_H
#define CAF_INTERNAL_H

#include <gasnetx.h>
#include <gasnet_tools.h>

#include "caf/abi.h"
#include "front/put.h"
#include "front/start.h"

/* ---- the job (start.c) ---- */

struct pst_caf_job {
  enum {
    PST_CAF_CLOSED,
    PST_CAF_BEGUN, /* coarrays are being registered, and get their initial values */
    PST_CAF_OPEN,  /* those of all images have them */
    PST_CAF_LEFT,
    PST_CAF_FORKED
  } state;
  gasnet_node_t me;
  int nodes;
  char *segment;          /* of this node */
  size_t size;            /* its bytes, on all nodes */
  const ptrdiff_t *shift; /* [nodes] added to an address in it, gives the same place in the node's */
  int losses;             /* a lost image is reported, and does not end the job */
};
extern struct pst_caf_job pst_caf_job;

/* The job begins with the first coarray that a constructor registers. It is open with the main program, or
 * with the first call that needs other images. */
void pst_caf_begin(int *argc, char ***argv);
void pst_caf_open(int *argc, char ***argv);
static inline void pst_caf_need_open(void)
{
  if (__builtin_expect(pst_caf_job.state != PST_CAF_OPEN, 0)) pst_caf_open(NULL, NULL);
}

/* What the program has written to Fortran's units and C's streams. The end of a process by gasnet_exit leaves
 * out libgfortran's own. */
void pst_caf_flush(void);
/* The end of this image's program: waits for those of all others. */
void pst_caf_leave(void);

/* ---- messages: "penstock: image 1 of 4: sync images: ..." ---- */

/* `call`: the statement. Ends the job as error stop does. */
void pst_caf_fatal(const char *call, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), noreturn, cold));
/* malloc, and never NULL. */
void *pst_caf_own_take(size_t nbytes);

/* Where a statement's status goes. errmsg is NULL, or [length] characters that are padded with blanks. */
struct pst_caf_status {
  const char *call;
  int *stat;
  char *errmsg;
  size_t length;
};
/* Stores the code. If it is not 0 and the statement has no stat=, ends the job with the text. */
void pst_caf_status_set(const struct pst_caf_status *s, int code, const char *text);
static inline void pst_caf_status_ok(int *stat)
{
  if (stat) *stat = 0;
}
/* At the end of a statement in which an image may have been found to be lost. */
void pst_caf_status_end(const struct pst_caf_status *s, int is_lost);
/* It waits for an image that has stopped. */
void pst_caf_status_stopped(const struct pst_caf_status *s);
/* At the end of a statement with a collective: what gasnetx_status_take says, which it answers, too. */
int pst_caf_status_take(const struct pst_caf_status *s);

/* ---- memory that other images reach (memory.c) ---- */

size_t pst_caf_memory_size(void); /* of the segment; the process is a node */
void pst_caf_memory_open(void);
/* Blocks at multiples of 64. symmetric: all images of the current team make the same calls, and find the same
 * place. local: an image of its own accord. NULL: there is none. */
void *pst_caf_symmetric_take(size_t nbytes);
void pst_caf_symmetric_give_back(void *block);
void *pst_caf_local_take(size_t nbytes);
void pst_caf_local_give_back(void *block);
/* Around a change of team: the largest free piece of the heap is the new team's. */
void pst_caf_symmetric_push(void);
void pst_caf_symmetric_pop(void);

/* ---- coarrays (token.c) ---- */

struct pst_caf_token {
  char *memory; /* this image's; NULL: there is none now */
  size_t nbytes, element;
  int critical;              /* the lock of a critical construct */
  int has_components;        /* that are allocatable or pointers */
  size_t descriptor_before;  /* of a component that is an array: bytes from its descriptor to its token */
  struct pst_caf_run *run;   /* data that an accessor has got with its call (caf/owner.c); or NULL */
  struct pst_caf_team *team; /* in which it was allocated; NULL: a component's */
  struct pst_caf_token *next, **at; /* of the team's */
  /* The variable for which it was allocated, and the token in it. move_alloc may give both to another one. */
  gfc_descriptor_t *variable;
  struct pst_caf_token **variable_token;
  struct pst_caf_token *fresh; /* the next one of those whose bounds have not been copied */
  int rank;
  struct pst_caf_dim *dim; /* [rank] the bounds of an allocatable coarray; NULL: not yet, or there are none */
};

/* allocate with stat= has synchronised the team already: gfortran's sync_all behind it has nothing to do. */
extern int pst_caf_has_met;
/* The bounds of coarrays that were allocated since the last call: gfortran sets them, then synchronises. */
extern struct pst_caf_token *pst_caf_fresh;
void pst_caf_tokens_settle(void);
/* A descriptor of an allocatable coarray whose base is NULL, with the bounds that it was allocated with. 0:
 * it is static. */
int pst_caf_token_describe(struct pst_caf_token *token, union pst_caf_whole_descriptor *desc);
/* The program has accessors: gfortran 15 or later has compiled it. */
extern int pst_caf_accessors;
/* Frees what was allocated in a team. */
void pst_caf_tokens_free(struct pst_caf_team *team);

/* ---- images and teams (team.c) ---- */

struct pst_caf_team {
  struct pst_caf_team *parent;
  gasnetx_team_t nodes; /* rank r is image r + 1; none where an image was lost before there was one */
  int number;           /* -1: the initial team */
  gasnet_node_t *list;  /* [images]; NULL: the initial team */
  struct pst_caf_peer { /* [images of the parent] what they have said in form team; NULL: the initial team */
    int number, new_index;
  } * peers;
  struct pst_caf_team *older; /* of all that have been formed */
  int images, image;          /* image: this one */
  struct pst_caf_token *tokens;
};
extern struct pst_caf_team pst_caf_initial, *pst_caf_team;

void pst_caf_team_open(void);
static inline gasnet_node_t pst_caf_team_node(const struct pst_caf_team *team, int image)
{
  return __builtin_expect(!team->list, 1) ? (gasnet_node_t)image - 1 : team->list[image - 1];
}
/* Has an image of the team been lost? */
int pst_caf_team_is_lost(const struct pst_caf_team *team);
/* Opens the job where it is not; ends it where the image does not exist. */
void pst_caf_image_need(const char *call, int image) __attribute__((cold));

/* The node of an image of the current team; 0 is this image, where that is allowed. A team has no images
 * while the job is not open. */
static inline gasnet_node_t pst_caf_node(const char *call, int image)
{
  if (__builtin_expect(image < 1 || image > pst_caf_team->images, 0)) pst_caf_image_need(call, image);
  return pst_caf_team_node(pst_caf_team, image);
}
static inline gasnet_node_t pst_caf_node_or_own(const char *call, int image)
{
  return image == 0 ? pst_caf_job.me : pst_caf_node(call, image);
}

/* ---- places ---- */

/* Segments have the same addresses in all processes of a host, so an address that is good on the node is good
 * here, or here is nothing. */
static inline int pst_caf_is_here(gasnet_node_t node)
{
  return __builtin_expect(pst_map[node] != PST_UNMAPPED, 1) || node == pst_caf_job.me;
}
void pst_caf_not_allocated(void) __attribute__((noreturn, cold));
/* offset bytes behind the beginning of a coarray on a node. */
static inline char *pst_caf_at(const struct pst_caf_token *token, gasnet_node_t node, size_t offset)
{
  if (__builtin_expect(!token, 0)) pst_caf_not_allocated();
  return token->memory + pst_caf_job.shift[node] + offset;
}
/* Is it an address in the node's segment? */
static inline int pst_caf_is_in_segment(gasnet_node_t node, const void *at)
{
  return (uintptr_t)at - ((uintptr_t)pst_caf_job.segment + (uintptr_t)pst_caf_job.shift[node]) <
      pst_caf_job.size;
}

#endif
