/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Tasks with objects of their own, within each other. */
#include <string.h>

#include "random.h"

enum { DEPTH_MOST = 3 };
static int depth;

const char *nodes_draw(int *count)
{
  const struct nodes *const p = scope.nodes_count ? scope.nodes[draw(scope.nodes_count)] : NULL;
  const char *list[DIMS];
  const int square = chance(60);
  if (!p || !p->all || p->is_set) return NULL;
  *count = 1;
  for (int k = 0; k < p->dims; k++) {
    const int first = draw(p->size[k]), n = draw_from(1, p->size[k] - first);
    *count *= n;
    list[k] = square ? text("%s:%s", number(first), number(n))
                     : text("%s:%s", number(first + 1), number(first + n));
    if (n == 1 && chance(40)) list[k] = number(first + !square);
    if (n == p->size[k] && chance(40)) list[k] = ":";
  }
  return text("%s%s", p->name, axes_text(square, p->dims, list));
}

static int task_write(void)
{
  const struct scope before = scope;
  const int all = executing, in_function_before = in_function;
  const char *const nodes = nodes_draw(&executing);
  if (!nodes) return 0;
  line("#pragma xmp task on %s", nodes);
  memset(&scope, 0, sizeof scope);
  in_function = 0; /* what is outside goes on */
  depth++;
  block_write();
  depth--;
  in_function = in_function_before;
  scope = before;
  executing = all;
  return 1;
}

int task_draw(void)
{
  if (depth == DEPTH_MOST || scope.nodes_count == 0) return 0;
  if (chance(60)) return task_write();
  line("#pragma xmp tasks");
  line("{");
  indent(1);
  for (int i = draw_from(1, 3); i > 0; i--) task_write();
  indent(-1);
  line("}");
  return 1;
}
