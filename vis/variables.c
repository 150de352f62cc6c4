/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "vis/variables.h"

#include <stddef.h>
#include <string.h>

#include "support/error.h"
#include "support/parse.h"

static const struct {
  const char *name;
  size_t offset;
  uint32_t least, most;
} fields[PST_VISCOST_FIELDS] = {
    {"transfer", offsetof(struct pst_viscost, transfer), 0, PST_VISCOST_MOST},
    {"message", offsetof(struct pst_viscost, message), 0, PST_VISCOST_MOST},
    {"piece", offsetof(struct pst_viscost, piece), 0, PST_VISCOST_MOST},
    {"transfer_kb", offsetof(struct pst_viscost, transfer_kb), 0, PST_VISCOST_MOST},
    {"packed_kb", offsetof(struct pst_viscost, packed_kb), 0, PST_VISCOST_MOST},
    {"chunk", offsetof(struct pst_viscost, chunk), PST_VISCOST_CHUNK_LEAST, PST_VISCOST_CHUNK_MOST},
};

const char *pst_viscost_name(unsigned field) { return fields[field].name; }

uint32_t *pst_viscost_field(struct pst_viscost *c, unsigned field)
{
  return (uint32_t *)(void *)((char *)c + fields[field].offset);
}

static int field_find(const char *name, size_t n)
{
  for (int i = 0; i < PST_VISCOST_FIELDS; i++)
    if (strlen(fields[i].name) == n && memcmp(fields[i].name, name, n) == 0) return i;
  return -1;
}

/* One "name=number" of n characters. */
static int parse_setting(const char *text, size_t n, struct pst_viscost *c)
{
  const char *equals = memchr(text, '=', n);
  char number[32];
  int64_t value;
  const int field = equals ? field_find(text, (size_t)(equals - text)) : -1;
  const size_t digits = equals ? n - (size_t)(equals + 1 - text) : 0;
  if (field < 0 || digits >= sizeof number) return PST_ERR_INVALID;
  memcpy(number, equals + 1, digits);
  number[digits] = '\0';
  if (pst_parse_int(number, &value) != PST_OK) return PST_ERR_INVALID;
  if (value < fields[field].least || value > fields[field].most) return PST_ERR_RANGE;
  *pst_viscost_field(c, (unsigned)field) = (uint32_t)value;
  return PST_OK;
}

int pst_viscost_parse(const char *text, struct pst_viscost *c)
{
  struct pst_viscost new = *c;
  for (size_t n;; text += n + 1) {
    int err;
    n = strcspn(text, ",");
    if ((err = parse_setting(text, n, &new)) != PST_OK) return err;
    if (text[n] == '\0') break;
  }
  *c = new;
  return PST_OK;
}

static int check_viscost(const char *text)
{
  struct pst_viscost ignored = {0};
  return pst_viscost_parse(text, &ignored);
}

const struct pst_vis_env pst_vis_env = {
    .coalesce = {"GASNET_COALESCE", PST_BOOL("yes"),
        .help = "Network conduits: small puts and gets with an implicit handle to one node travel together."},
    .cost = {"GASNET_VIS_COST", PST_SPECIAL(NULL, check_viscost, PST_VISCOST_LEGAL),
        .help = "Replaces constants by which vector, indexed and strided transfers to nodes that are not "
                "reached by load and store choose between packed messages and one transfer a piece; "
                "gasnet_info --vis-cost prints them."},
    .cpu = {"GASNET_VIS_CPU", PST_CHOICE("AUTO", "AUTO", "PORTABLE", "AVX2", "AVX512"),
        .help = "With which instructions strided transfers copy. AUTO, like one that the processor lacks, is "
                "the best that it has."},
};

PST_ENV_TABLE(vis);
