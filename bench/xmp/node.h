/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the XcalableMP tests share. All of these files are translated by xmpcc, and compiled alike: also what
 * is written by hand for comparison. */
#ifndef BENCH_XMP_NODE_H
#define BENCH_XMP_NODE_H
#include "../engine/places.h"

/* Indices of this node, or of another one, of n that are distributed in blocks; an empty node has last below
 * first. */
struct bench_block {
  long first, last;
};
static inline struct bench_block bench_block(long n, unsigned node)
{
  const long width = (n + (long)bench_node.nodes - 1) / (long)bench_node.nodes;
  const long first = width * (long)node < n ? width * (long)node : n;
  return (struct bench_block){first, first + width < n ? first + width - 1 : n - 1};
}

/* ---- faces.c: the exchange of shadows, written by hand ---- */

/* One plan puts a face into each neighbour's shadow and notifies it. `signals`: the neighbour says first that
 * it reads its shadow no more. A program that exchanges two arrays in turn needs no signals: the face of the
 * other array tells the same. */
struct bench_faces;
/* Rows first to last of an array lie here, `bytes` each, `row` is the first of them; the shadow is one row on
 * either side. All nodes call it, in the same order. */
struct bench_faces *bench_faces_open(void *row, struct bench_block rows, long all, size_t bytes, int signals);
void bench_faces_exchange(struct bench_faces *f);
#endif
