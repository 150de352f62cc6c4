/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* One side of an assignment: a name with subscripts and sections, and perhaps of another image. */
#ifndef XMPCC_SIDE_H
#define XMPCC_SIDE_H
#include "xmpcc/unit.h"

struct side_subscript {
  struct expression all; /* between the brackets */
  int section;
  struct expression base, length, step; /* of a section; empty where nothing was written */
};
struct side {
  const struct token *first, *last; /* last is not included */
  const struct token *subscripts;   /* the first [, or what follows the name */
  const struct symbol *symbol;      /* of a name alone; NULL of s.m, p->m */
  const struct array *array;        /* a global one; NULL */
  struct side_subscript *subscript;
  int count, sections;
  const struct token *codims; /* the colon of a coindex, or NULL */
  const struct token *codims_last;
};

/* 0 where the tokens are such a side as a whole. */
int side_read(const struct unit *u, const struct token *first, const struct token *last, struct side *s);
/* Also one with members behind its sections, which are part of it then: v[0:3].m. */
int side_read_member(
    const struct unit *u, const struct token *first, const struct token *last, struct side *s);
/* Its name, or what stands for it, for messages. */
const char *side_name(const struct side *s);
/* The side that begins at t; what follows it does not matter. -1: no name stands there. */
int side_read_at(const struct unit *u, const struct token *t, const struct token *end, struct side *s);
/* How many brackets are around the tokens from first to t, not included, but for those of a call, as f(v). */
int side_brackets(const struct token *first, const struct token *t);
/* As what its name, or its member, is declared; NULL where that is not known. */
const struct declarator *side_declarator(const struct unit *u, const struct side *s);
/* How many dimensions its name has, and the k-th one's extent, "" where it is not known. The subscripts of a
 * member's structure have been walked. */
int side_dims(const struct unit *u, const struct side *s);
/* How many dimensions its value has: those of sections, and those without a subscript. */
int side_rank(const struct unit *u, const struct side *s);
const char *side_extent(const struct unit *u, const struct side *s, int k);
/* The first element as C: sections begin at their base. Its subscripts have been walked. */
const char *side_element(const struct unit *u, const struct side *s);
/* Walks the subscripts' expressions. */
void side_walk(struct unit *u, const struct side *s);
/* A struct pst_xmp_side *: of a global array; of local memory, also of this image's part of a coarray. */
const char *side_text(struct unit *u, const struct side *s);
/* The image that the side's coindex names: an int. */
const char *side_image(struct unit *u, const struct side *s, const struct token *at);

#endif
