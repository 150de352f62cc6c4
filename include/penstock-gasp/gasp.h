/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The tool interface for global address space models: GASP 1.5, and the names of its draft 1.3-pre2. A tool
 * defines the functions below, and the front-ends call them. Where there is no tool, programs are linked with
 * functions of the library that do nothing. */
#ifndef _GASP_H
#define _GASP_H

#include <stdarg.h>
#include <stddef.h>

#define GASP_VERSION 20060914

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  GASP_MODEL_UPC,
  GASP_MODEL_TITANIUM,
  GASP_MODEL_CAF,
  GASP_MODEL_MPI,
  GASP_MODEL_SHMEM,
  GASP_MODEL_XMP /* Penstock's own */
} gasp_model_t;
typedef enum { GASP_START, GASP_END, GASP_ATOMIC } gasp_evttype_t;

/* A thread's state in the tool, which defines the structure. */
struct _gasp_context_S;
typedef struct _gasp_context_S *gasp_context_t;

/* Each thread of the job calls it once a model, when the model has started and before the client's code goes
 * on. The tool may take its own arguments out of *argc and *argv. It may call functions of the model, which
 * cause no events. Section 3.2. */
gasp_context_t gasp_init(gasp_model_t srcmodel, int *argc, char ***argv);

/* An event of the thread whose context it is. evttag: an event of the headers below or one that
 * gasp_create_event returned; the further arguments depend on it. filename may be NULL and is valid for ever;
 * line and column are 0 where they are not known. Memory that arguments point to is valid during the call and
 * must not be changed. Calls of the model from within cause no events. Section 3.2. */
void gasp_event_notify(gasp_context_t context, unsigned int evttag, gasp_evttype_t evttype,
    const char *filename, int linenum, int colnum, ...);
void gasp_event_notifyVA(gasp_context_t context, unsigned int evttag, gasp_evttype_t evttype,
    const char *filename, int linenum, int colnum, va_list varargs);

/* 0: the tool is to measure nothing on this thread until the next call with another number. Returns the
 * number of the call before; not 0 the first time. Section 3.3. */
int gasp_control(gasp_context_t context, int on);

/* A number for an event of the client's. `desc` is NULL or a format of printf for the event's arguments. Both
 * texts may be freed after the call. Section 3.4. */
unsigned int gasp_create_event(gasp_context_t context, const char *name, const char *desc);

/* Names of draft 1.3-pre2. */
typedef gasp_model_t gasp_lang_t;
#define GASP_LANG_UPC      GASP_MODEL_UPC
#define GASP_LANG_TITANIUM GASP_MODEL_TITANIUM
#define GASP_LANG_CAF      GASP_MODEL_CAF
#define GASP_LANG_MPI      GASP_MODEL_MPI
#define GASP_LANG_SHMEM    GASP_MODEL_SHMEM

#ifdef __cplusplus
}
#endif

#include "gasp_upc.h"
#include "gasp_shmem.h"
#include "gasp_xmp.h"
#include "gasp_caf.h"
#include "gasp_c.h"

#endif
