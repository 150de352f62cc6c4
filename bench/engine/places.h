/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Where variables of other nodes lie: for the workers of languages that stand on gasnet.h. */
#ifndef BENCH_ENGINE_PLACES_H
#define BENCH_ENGINE_PLACES_H
#include "engine.h"

/* Where nodes have what this node has at an address in its segment or static data: as calls take it, and as
 * a plain pointer, NULL where it is not mapped. */
struct bench_places {
  char **remote, **mapped; /* [nodes] */
};
/* All nodes call it. Before the first call for a variable it is all 0. */
void bench_places_find(struct bench_places *p, const void *mine);
/* Whether nodes share memory. */
int bench_is_mapped(void);

/* The engine's memory is `mine` of each node. All nodes call it, before the two above. */
void bench_places_attach(void *mine, size_t size);

#endif
