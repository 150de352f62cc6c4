/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "caf/tool.h"

#include <pthread.h>

#include "caf/side.h"

int pst_caf_tool;
static pthread_t program;

int pst_caf_tool_is_here(void) { return pthread_equal(pthread_self(), program); }

/* The thread of GASP's. */
static int image_thread(int image)
{
  if (image == 0) return (int)pst_caf_job.me;
  if (image < 1 || image > pst_caf_team->images) return PST_CAF_NO_IMAGE;
  return (int)gasnetx_team_node(pst_caf_team->nodes, (gasnet_node_t)image - 1);
}

struct pst_caf_told pst_caf_told_begin(const void *code, unsigned tag, size_t nbytes, int image)
{
  const struct pst_caf_told told = {tag, nbytes, image_thread(image)};
  pst_caf_tool = 0;
  pst_gasp_set_code_site(code);
  pst_gasp_begin(GASP_MODEL_CAF, told.tag, told.nbytes, told.node);
  return told;
}

void pst_caf_told_end(const struct pst_caf_told *told)
{
  pst_gasp_finish(GASP_MODEL_CAF, told->tag, told->nbytes, told->node);
  pst_caf_tool = 1;
}

size_t pst_caf_told_bytes(const gfc_descriptor_t *d, const caf_vector_t *vector, int kind)
{
  struct pst_caf_side side;
  pst_caf_side_read(&side, d, vector, kind, d->base);
  return side.count * side.element;
}

size_t pst_caf_told_fresh(void)
{
  size_t nbytes = 0;
  for (const struct pst_caf_token *t = pst_caf_fresh; t; t = t->fresh) nbytes += t->nbytes;
  return nbytes;
}

/* ---- the job ---- */

static const void *stop_code;
static int stop_status;

void pst_caf_tool_open(int *argc, char ***argv)
{
  pst_front_tools_open(GASP_MODEL_CAF, argc, argv);
  GASP_ATOMICALLY(CAF, GASP_CAF_INIT, pst_caf_job.nodes);
  program = pthread_self();
  pst_caf_tool = pst_gasp_on;
}

void pst_caf_told_stop(const void *code, int status)
{
  stop_code = code;
  stop_status = status;
}

void pst_caf_told_error_stop(const void *code, int status)
{
  if (!PST_CAF_TOOL) return;
  pst_gasp_set_code_site(code);
  pst_gasp_atomic(GASP_MODEL_CAF, GASP_CAF_NONCOLLECTIVE_EXIT, status);
}

void pst_caf_told_leave(int begins)
{
  if (begins && pst_gasp_on && stop_code) pst_gasp_set_code_site(stop_code);
  if (begins) GASP_BEGIN(CAF, GASP_CAF_COLLECTIVE_EXIT, stop_status);
  else GASP_FINISH(CAF, GASP_CAF_COLLECTIVE_EXIT, stop_status);
  pst_caf_tool = 0;
}
