/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Coarrays, from their registration to their end. All images of a team allocate and free alike, so a coarray
 * has the same place in each segment, and no image asks another for an address.
 *
 * A component that is allocatable or a pointer gets a token before it has memory, and gfortran makes more
 * such tokens than it gives back. So they are all one, until memory is allocated. */
#include <stdlib.h>
#include <string.h>

#include "caf/internal.h"
#include "caf/sync.h"
#include "caf/tool.h"

enum { UNIT = 8 /* bytes of a lock or an event */ };
static struct pst_caf_token component;
/* Of coarrays whose team has ended before them. */
static struct pst_caf_team ended;

/* ---- lists of teams ---- */

static void token_link(struct pst_caf_token *t, struct pst_caf_team *team)
{
  t->team = team;
  t->next = team->tokens;
  t->at = &team->tokens;
  if (t->next) t->next->at = &t->next;
  team->tokens = t;
}

static void token_unlink(struct pst_caf_token *t)
{
  if (!t->team || t->team == &ended) return;
  *t->at = t->next;
  if (t->next) t->next->at = t->at;
}

static void token_free(struct pst_caf_token *t)
{
  token_unlink(t);
  free(t->dim);
  free(t);
}

/* The variable is not allocated any more. Where move_alloc has given its memory to another one, which is not
 * known, that keeps the token, and may deallocate it. */
static void token_end(struct pst_caf_token *t)
{
  pst_caf_symmetric_give_back(t->memory);
  if (t->variable && *t->variable_token == t && t->variable->base == t->memory) {
    t->variable->base = NULL;
    *t->variable_token = NULL;
    token_free(t);
  } else {
    token_unlink(t);
    t->team = &ended;
    t->memory = NULL;
  }
}

void pst_caf_tokens_free(struct pst_caf_team *team)
{
  pst_caf_tokens_settle();
  while (team->tokens) token_end(team->tokens);
}

/* ---- bounds ---- */

struct pst_caf_token *pst_caf_fresh;

static void token_settle_later(struct pst_caf_token *t)
{
  t->fresh = pst_caf_fresh;
  pst_caf_fresh = t;
}

/* move_alloc copies a descriptor elsewhere, so it is read at once, and not later. */
void pst_caf_tokens_settle(void)
{
  for (struct pst_caf_token *t; (t = pst_caf_fresh); pst_caf_fresh = t->fresh) {
    t->rank = t->variable->rank;
    t->dim = pst_caf_own_take((size_t)t->rank * sizeof *t->dim);
    memcpy(t->dim, t->variable->dim, (size_t)t->rank * sizeof *t->dim);
  }
}

/* gfortran's descriptor of a static coarray is that of an element. */
int pst_caf_token_describe(struct pst_caf_token *token, union pst_caf_whole_descriptor *desc)
{
  ptrdiff_t offset = 0;
  pst_caf_tokens_settle();
  if (!token->variable) return 0;
  for (int k = 0; k < token->rank; k++) {
    desc->desc.dim[k] = token->dim[k];
    offset -= token->dim[k].lower * token->dim[k].stride;
  }
  desc->desc = (gfc_descriptor_t){.offset = (size_t)offset,
      .element = token->element,
      .rank = (signed char)token->rank,
      .type = PST_CAF_DERIVED,
      .span = (ptrdiff_t)token->element};
  return 1;
}

/* ---- components ---- */

/* From gfortran 15 on an accessor may allocate a component again, which it does by realloc. So its memory is
 * malloc's, and only its image uses it. */
static char *component_take(size_t nbytes)
{
  return pst_caf_accessors ? malloc(nbytes ? nbytes : 1) : pst_caf_local_take(nbytes);
}

/* Where a component is an array its token follows its descriptor. Answers how far; 0: it is a scalar. */
static size_t descriptor_before(caf_token_t *token, const gfc_descriptor_t *desc)
{
  const size_t nbytes = offsetof(gfc_descriptor_t, dim) + (size_t)desc->rank * sizeof desc->dim[0];
  return (char *)token - (char *)desc == (ptrdiff_t)nbytes ? nbytes : 0;
}

/* A component of a coarray, whose token lies in it, or in a copy that gfortran makes of the coarray that it
 * has just registered. */
static void components_note(caf_token_t *token)
{
  for (struct pst_caf_team *team = pst_caf_team; team; team = team->parent)
    for (struct pst_caf_token *t = team->tokens; t; t = t->next)
      if ((uintptr_t)token - (uintptr_t)t->memory < t->nbytes) {
        t->has_components = 1;
        return;
      }
  if (pst_caf_team->tokens) pst_caf_team->tokens->has_components = 1;
}

/* ---- registration ---- */

int pst_caf_has_met;

/* Bytes of what is registered. They are cleared where the library uses them. */
static size_t nbytes_of(size_t size, int type, int *clear)
{
  *clear = type >= PST_CAF_LOCK_STATIC && type <= PST_CAF_EVENT_ALLOCATABLE;
  return *clear ? size * UNIT : size;
}

/* Other descriptors are gone after the call. */
static int is_allocated(int type)
{
  return type == PST_CAF_ALLOCATABLE || type == PST_CAF_LOCK_ALLOCATABLE || type == PST_CAF_EVENT_ALLOCATABLE;
}

/* Without stat= the sync all behind it is told, which waits for the others. */
static int is_told(int type, const int *stat)
{
  return type == PST_CAF_COMPONENT_MEMORY || (stat && is_allocated(type));
}

static void memory_missing(const struct pst_caf_status *s, size_t nbytes)
{
  char text[200];
  snprintf(text, sizeof text,
      "out of memory: %zu bytes are wanted; raise CAF_HEAP_SIZE (now %zu) or GASNET_MAX_SEGSIZE", nbytes,
      pst_caf_job.size);
  pst_caf_status_set(s, PST_CAF_STAT_ALLOCATION, text);
}

/* The token of memory that has been taken. gfortran fills in the bounds of an allocated coarray later. */
static void token_make(caf_token_t *token, char *memory, size_t nbytes, int type, gfc_descriptor_t *desc)
{
  struct pst_caf_token *const t = pst_caf_own_take(sizeof *t);
  *t = (struct pst_caf_token){
      .memory = memory, .nbytes = nbytes, .element = desc->element, .critical = type == PST_CAF_CRITICAL};
  *token = t;
  if (type == PST_CAF_COMPONENT_MEMORY) t->descriptor_before = descriptor_before(token, desc);
  else token_link(t, pst_caf_team);
  if (is_allocated(type)) {
    t->variable = desc;
    t->variable_token = token;
    token_settle_later(t);
  }
  desc->base = memory;
}

/* NULL: there is none, and the status says so. */
static char *memory_take(const struct pst_caf_status *s, size_t nbytes, int type, int clear)
{
  char *const memory = type == PST_CAF_COMPONENT_MEMORY ? component_take(nbytes)
                                                        : pst_caf_symmetric_take(nbytes);
  if (!memory) memory_missing(s, nbytes);
  else if (clear) memset(memory, 0, nbytes);
  return memory;
}

void _gfortran_caf_register(size_t size, int type, caf_token_t *token, gfc_descriptor_t *desc, int *stat,
    char *errmsg, size_t errmsg_len)
{
  const struct pst_caf_status status = {"allocate", stat, errmsg, errmsg_len};
  int clear;
  const size_t nbytes = nbytes_of(size, type, &clear);
  if (is_told(type, stat))
    PST_CAF_TOLD(GASP_CAF_ALLOCATE, nbytes, PST_CAF_NO_IMAGE,
        _gfortran_caf_register(size, type, token, desc, stat, errmsg, errmsg_len));
  pst_caf_begin(NULL, NULL);
  pst_caf_status_ok(stat);
  if (type == PST_CAF_COMPONENT_TOKEN) {
    *token = &component;
    components_note(token);
    return;
  }
  if (type == PST_CAF_MAP_EXISTING) return; /* both names have one token */
  /* gfortran calls it a coarray where an assignment allocates it. */
  if (type == PST_CAF_ALLOCATABLE && pst_caf_is_in_segment(pst_caf_job.me, token))
    type = PST_CAF_COMPONENT_MEMORY;
  if (stat && is_allocated(type)) {
    pst_caf_has_met = 1;
    if (!pst_caf_sync_active(&status, pst_caf_team)) return;
  }
  char *const memory = memory_take(&status, nbytes, type, clear);
  if (memory) token_make(token, memory, nbytes, type, desc);
}

/* ---- the end of one ---- */

static void component_free(caf_token_t *token)
{
  struct pst_caf_token *const t = *token;
  if (t == &component) return;
  if (!pst_caf_accessors) pst_caf_local_give_back(t->memory);
  else if (t->descriptor_before) free(((gfc_descriptor_t *)((char *)token - t->descriptor_before))->base);
  else free(t->memory);
  token_free(t);
  *token = &component;
}

/* A coarray goes with its token, also where gfortran would keep that: it does so before move_alloc stores
 * another one there. */
void _gfortran_caf_deregister(caf_token_t *token, int type, int *stat, char *errmsg, size_t errmsg_len)
{
  const struct pst_caf_status status = {"deallocate", stat, errmsg, errmsg_len};
  struct pst_caf_token *const t = *token;
  if (t && t != &component)
    PST_CAF_TOLD(GASP_CAF_DEALLOCATE, t->nbytes, PST_CAF_NO_IMAGE,
        _gfortran_caf_deregister(token, type, stat, errmsg, errmsg_len));
  (void)type;
  pst_caf_tokens_settle();
  pst_caf_status_ok(stat);
  if (!t || pst_caf_job.state != PST_CAF_OPEN) return; /* all memory has gone with the job */
  if (!t->team) {
    component_free(token);
    return;
  }
  if (t->team == &ended) {
    token_free(t);
    *token = NULL;
    return;
  }
  /* Others may still use it. All that go on free it, whatever they know of losses. */
  if (!pst_caf_sync_active(&status, pst_caf_team)) return;
  pst_caf_symmetric_give_back(t->memory);
  token_free(t);
  *token = NULL;
}
