/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Constructs on some of the nodes, or on several sets of nodes side by side: the generator computes what each
 * node has then. */
#include "random.h"

enum { STAR = -1 };
/* The nodes that a reference names: of each dimension an interval, or the node's own coordinate. */
struct part {
  const struct nodes *p;
  int first[DIMS], count[DIMS];
  const char *text;
};

static int part_draw(struct part *part)
{
  const char *list[DIMS];
  const int square = chance(60);
  if (scope.nodes_count == 0) return 0;
  const struct nodes *const p = part->p = scope.nodes[draw(scope.nodes_count)];
  if (!p->all || p->is_set) return 0;
  for (int k = 0; k < p->dims; k++) {
    const int size = p->size[k], kind = draw(4), first = draw(size), n = draw_from(1, size - first);
    part->first[k] = kind == 0 ? STAR : kind == 1 ? 0 : first;
    part->count[k] = kind == 0 ? 1 : kind == 1 ? size : kind == 2 ? 1 : n;
    list[k] = kind == 0 ? "*"
        : kind == 1     ? ":"
        : kind == 2     ? number(first + !square)
        : square        ? text("%s:%s", number(first), number(n))
                        : text("%s:%s", number(first + 1), number(first + n));
  }
  part->text = text("%s%s", p->name, axes_text(square, p->dims, list));
  return 1;
}

static int coordinate(const struct nodes *p, int node, int k)
{
  for (int d = p->dims - 1; d > k; d--) node /= p->size[d];
  return node % p->size[k];
}

/* Is the other node in the set that the node has? A node has none if it is not in it itself. */
static int has(const struct part *part, int node, int other)
{
  for (int k = 0; k < part->p->dims; k++) {
    const int at = coordinate(part->p, other, k), first = part->first[k];
    if (first == STAR ? at != coordinate(part->p, node, k) : at < first || at >= first + part->count[k])
      return 0;
  }
  return 1;
}

/* What one node has after the construct, where node n had before + factor * n. */
struct rule {
  enum { SUM, MAX, FIRST, COUNT } kind;
  long before, factor;
};

static long result(const struct part *part, const struct rule *r, int node)
{
  const long own = r->before + r->factor * node;
  long made = own;
  int nodes = 0, place = 0;
  if (!has(part, node, node)) return own;
  for (int other = 0; other < executing; other++) {
    const long value = r->before + r->factor * other;
    if (!has(part, node, other)) continue;
    if (nodes == 0) made = value;
    else if (r->kind == SUM) made += value;
    else if (r->kind == MAX && value > made) made = value;
    place += other < node;
    nodes++;
  }
  return r->kind == COUNT ? own + 100 * nodes + 1000 * place : made;
}

static void construct_write(const struct part *part, const struct rule *r)
{
  const int async = r->kind != COUNT && chance(20) ? draw_from(30, 39) : 0;
  const char *const end = async ? text(" async(%d)", async) : "";
  switch (r->kind) {
  case SUM: line("#pragma xmp reduction (+:x) on %s%s", part->text, end); break;
  case MAX: line("#pragma xmp reduction (max:x) on %s%s", part->text, end); break;
  case FIRST: line("#pragma xmp bcast (x) on %s%s", part->text, end); break;
  default:
    line("#pragma xmp task on %s", part->text);
    line("x += 100 * xmp_num_nodes() + 1000 * NODE(0);");
    if (chance(50)) line("#pragma xmp barrier on %s", part->text);
  }
  if (async) line("#pragma xmp wait_async (%d)", async);
}

int sets_draw(void)
{
  struct part part;
  const struct rule rule = {draw(4), draw(97), draw_from(-9, 9)};
  long total = 0;
  if (!part_draw(&part)) return 0;
  for (int node = 0; node < executing; node++) total += (node + 1) * result(&part, &rule, node);
  line("{");
  indent(1);
  line("#ifdef _XCALABLEMP");
  line("long x = %ld + %ld * NODE(0);", rule.before, rule.factor);
  construct_write(&part, &rule);
  line("x *= NODE(0) + 1;");
  line("#pragma xmp reduction (+:x)");
  line("#else");
  line("long x = %ld;", total);
  line("#endif");
  line("say(\"on %s\", (unsigned long)x);", part.p->name);
  indent(-1);
  line("}");
  return 1;
}
