/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the output of xmpcc calls. Every translated file includes this header before anything else, so it
 * includes nothing and takes no name but those that begin with pst_xmp_, PST_XMP_ or _xmp_.
 *
 * The runtime counts dimensions as C does: dimension 0 is the leftmost bracket, the last one is contiguous.
 * Nodes count from 0 in every dimension. xmpcc reverses lists in round brackets and subtracts 1 from their
 * nodes. Templates keep the bounds that the program gives. `where` is "file:line" of the directive, a string
 * that lives as long as the program. Descriptors are pointers that only the runtime makes.
 *
 * A call is collective on the executing node set unless its comment says otherwise. Wrong arguments end the
 * job with a message that names `where`, and the node. */
#ifndef PENSTOCK_XMP_TRANSLATED_H
#define PENSTOCK_XMP_TRANSLATED_H

/* Inner loops are said to be independent where they are. If clang cannot vectorize one, the user need not
 * know. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

typedef long long pst_xmp_index_t;
enum { PST_XMP_DIMENSIONS = 7 };
#define PST_XMP_COLD __attribute__((cold))

/* ---- subscripts: of nodes, templates, and array sections ---- */

enum pst_xmp_span {
  PST_XMP_ALL,    /* : alone, or a dimension for which nothing was written */
  PST_XMP_OWN,    /* *: the executing node's own coordinate, or what it owns */
  PST_XMP_ONE,    /* first */
  PST_XMP_COUNT,  /* first : count : step, square brackets */
  PST_XMP_REST,   /* first :: step, square: as many as fit; towards the lower bound where step is negative */
  PST_XMP_BOUNDS, /* first : last : step, round brackets */
  PST_XMP_LOOP    /* of a loop's on clause: the control variable `variable`, plus first */
};
struct pst_xmp_subscript {
  enum pst_xmp_span span;
  int variable;                      /* LOOP: its number in the loop's list */
  pst_xmp_index_t first, last, step; /* last: of COUNT the count; step: 1 where none is written */
};

/* A reference to nodes or to a template; desc NULL: none was written. n 0: the whole object. */
struct pst_xmp_on {
  void *desc;
  int n;
  const struct pst_xmp_subscript *subscript;
};

/* ---- nodes, templates (chapter 2.1 to 2.3, 2.6) ---- */

enum pst_xmp_parent { PST_XMP_NO_PARENT, PST_XMP_EXECUTING, PST_XMP_PRIMARY, PST_XMP_OF_NODES };
/* size 0: "*", one dimension at most. of: the reference on the right of "=", where parent is OF_NODES. */
void *pst_xmp_nodes(const char *where, const char *name, int dims, const pst_xmp_index_t size[],
    enum pst_xmp_parent parent, const struct pst_xmp_on *of);

/* Both bounds are inclusive. lower NULL: the template is not fixed yet. base: 0 where it was declared in
 * square brackets, 1 in round ones: what inquiry functions count its nodes' indices from. */
void *pst_xmp_template(const char *where, const char *name, int dims, const pst_xmp_index_t lower[],
    const pst_xmp_index_t upper[], int base);

enum pst_xmp_distribution {
  PST_XMP_NOT_DISTRIBUTED,
  PST_XMP_BLOCK,
  PST_XMP_CYCLIC,
  PST_XMP_GBLOCK,
  PST_XMP_AS_DECLARED /* of a template_fix without formats */
};
struct pst_xmp_format {
  enum pst_xmp_distribution kind;
  pst_xmp_index_t width; /* of BLOCK: 0 where none is written; of CYCLIC: 1 */
  const int *map;        /* of GBLOCK: one entry for each node; NULL: "*", fixed later. It is copied. */
  unsigned long entries; /* of map; 0: that is not known */
};
void pst_xmp_distribute(
    const char *where, void *template_, void *nodes, int formats, const struct pst_xmp_format format[]);
/* formats 0: as declared. lower NULL: the bounds are fixed already. */
void pst_xmp_template_fix(const char *where, void *template_, int formats,
    const struct pst_xmp_format format[], int dims, const pst_xmp_index_t lower[],
    const pst_xmp_index_t upper[]);

/* The lower bound of a dimension. Not collective. */
pst_xmp_index_t pst_xmp_template_lower(const char *where, void *template_, int k);

/* Not collective; of objects of a block, at its end. NULL is allowed: the declaration was never reached. */
void pst_xmp_nodes_free(void **nodes);
void pst_xmp_template_free(void **template_);

/* ---- global arrays (2.4, 2.5, 4.1.1, 6) ---- */

/* How a cyclic dimension's global indices become local ones. */
struct pst_xmp_cycle {
  pst_xmp_index_t shift, width, round; /* round: width times nodes. With width 1 only it is looked at. */
  pst_xmp_index_t first;               /* where this node's first block begins, shifted; debuggers read it */
};
/* The part of an array's descriptor that translated programs read. All of it changes when the array is
 * allocated, and at no other time. */
typedef struct pst_xmp_array {
  char *base;   /* the local part with its shadow: what the bare name means */
  char *biased; /* base, moved so that global indices of dimensions that are not cyclic fit */
  pst_xmp_index_t ld[PST_XMP_DIMENSIONS]; /* elements that lie here in each dimension, with the shadow */
  struct pst_xmp_cycle cycle[PST_XMP_DIMENSIONS];
  pst_xmp_index_t extent[PST_XMP_DIMENSIONS]; /* of the whole array */
  pst_xmp_index_t low[PST_XMP_DIMENSIONS];    /* the subscript, with `biased`, of the first that lies here */
} pst_xmp_array_t;

/* The local index of g in dimension k, which is cyclic: the subscript to use with `biased`. */
static __inline__ pst_xmp_index_t pst_xmp_cyclic(const pst_xmp_array_t *a, int k, pst_xmp_index_t g)
{
  const struct pst_xmp_cycle *const c = &a->cycle[k];
  const pst_xmp_index_t t = g + c->shift;
  return c->width == 1 ? t / c->round : t / c->round * c->width + t % c->width;
}

enum { PST_XMP_COLLAPSED = -1 };
struct pst_xmp_align {
  int axis;               /* the template's dimension, or PST_XMP_COLLAPSED */
  pst_xmp_index_t offset; /* element i lies where the template's index i + offset does */
};
enum { PST_XMP_FULL_SHADOW = -1 };
struct pst_xmp_shadow {
  pst_xmp_index_t lower, upper; /* FULL_SHADOW: lower */
};

/* Types of elements and of variables of reductions. PST_XMP_TYPE(x) is the type of an expression. */
enum pst_xmp_type {
  PST_XMP_OTHER,
  PST_XMP_BOOL,
  PST_XMP_CHAR,
  PST_XMP_SCHAR,
  PST_XMP_UCHAR,
  PST_XMP_SHORT,
  PST_XMP_USHORT,
  PST_XMP_INT,
  PST_XMP_UINT,
  PST_XMP_LONG,
  PST_XMP_ULONG,
  PST_XMP_LLONG,
  PST_XMP_ULLONG,
  PST_XMP_FLOAT,
  PST_XMP_DOUBLE,
  PST_XMP_LDOUBLE,
  PST_XMP_CFLOAT,
  PST_XMP_CDOUBLE,
  PST_XMP_CLDOUBLE
};
#define PST_XMP_TYPE(x) \
  __extension__ _Generic((x), _Bool \
                         : PST_XMP_BOOL, char \
                         : PST_XMP_CHAR, signed char \
                         : PST_XMP_SCHAR, unsigned char \
                         : PST_XMP_UCHAR, short \
                         : PST_XMP_SHORT, unsigned short \
                         : PST_XMP_USHORT, int \
                         : PST_XMP_INT, unsigned \
                         : PST_XMP_UINT, long \
                         : PST_XMP_LONG, unsigned long \
                         : PST_XMP_ULONG, long long \
                         : PST_XMP_LLONG, unsigned long long \
                         : PST_XMP_ULLONG, float \
                         : PST_XMP_FLOAT, double \
                         : PST_XMP_DOUBLE, long double \
                         : PST_XMP_LDOUBLE, float _Complex \
                         : PST_XMP_CFLOAT, double _Complex \
                         : PST_XMP_CDOUBLE, long double _Complex \
                         : PST_XMP_CLDOUBLE, default \
                         : PST_XMP_OTHER)

struct pst_xmp_shape {
  const char *name;
  unsigned long size; /* of an element */
  enum pst_xmp_type type;
  int dims;
  const pst_xmp_index_t *extent;       /* [dims]; [0] may be 0 of a pointer, whose extents xmp_malloc gives */
  const struct pst_xmp_align *align;   /* [dims] */
  const struct pst_xmp_shadow *shadow; /* [dims], or NULL: none */
  int cleared;                         /* it is 0 at first, as C's objects of static storage are */
};
/* A new array, allocated when its template is fixed: now, or by template_fix. Collective on the executing
 * nodes, which include the template's. */
pst_xmp_array_t *pst_xmp_array(const char *where, void *template_, const struct pst_xmp_shape *s);
/* Of a pointer: xmp_malloc allocates it. */
pst_xmp_array_t *pst_xmp_array_pointer(const char *where, void *template_, const struct pst_xmp_shape *s);
/* Of a parameter: the array whose bare name was passed. Its mapping must be the same. Not collective. */
pst_xmp_array_t *pst_xmp_array_parameter(
    const char *where, const void *base, void *template_, const struct pst_xmp_shape *s);
/* The end of a block. Frees an array, unless it is a parameter's. */
void pst_xmp_array_free(pst_xmp_array_t **array);
/* Of one that is a member of a structure. */
static __inline__ void pst_xmp_array_member_free(pst_xmp_array_t ***member) { pst_xmp_array_free(*member); }
/* xmp_malloc: the extents as the program gives them, n of them. Returns `base`. */
void *pst_xmp_malloc(const char *where, void *desc, int n, const pst_xmp_index_t extent[]);

/* ---- loop (3.2) ---- */

/* One control variable's part of a loop on this node. */
struct pst_xmp_range {
  pst_xmp_index_t low, high; /* the indices that this node owns, inclusive, in the variable's own numbers */
  pst_xmp_index_t origin, width, round; /* cyclic: owns v where (v - origin) mod round < width, of all from
    low to high. origin is where the node's first block begins, counted from the template's lower bound, so v
    lies at the local index (v - origin) / round * width + (v - origin) % round. width 0: not cyclic */
};
enum pst_xmp_expand { PST_XMP_NO_EXPAND, PST_XMP_EXPAND, PST_XMP_MARGIN, PST_XMP_PEEL_AND_WAIT };
struct pst_xmp_width {
  pst_xmp_index_t lower, upper;
  int flag; /* of loops: /unbound/; of reflect: /periodic/ */
};
typedef struct pst_xmp_loop {
  struct pst_xmp_range range[PST_XMP_DIMENSIONS];
  void *state[8]; /* the runtime's */
} pst_xmp_loop_t;
/* Not collective; sets *l. variables: of the list. Each subscript of `on` that has a control variable is a
 * LOOP. What pst_xmp_loop_leave is called for at the end, also where the block is left otherwise. */
void pst_xmp_loop_enter(pst_xmp_loop_t *l, const char *where, const struct pst_xmp_on *on, int variables);
void pst_xmp_loop_leave(pst_xmp_loop_t *l);
/* pst_xmp_loop_enter where pst_xmp_loop_tell follows, with the loops' bounds for tools: of n variables, those
 * that do not change in the nest. end: as of pst_xmp_loop_end. */
struct pst_xmp_bounds {
  int variable;
  pst_xmp_index_t lower, end, step;
};
void pst_xmp_loop_open(pst_xmp_loop_t *l, const char *where, const struct pst_xmp_on *on, int variables);
void pst_xmp_loop_bounds(pst_xmp_loop_t *l, int n, const struct pst_xmp_bounds b[]) PST_XMP_COLD;
static __inline__ void pst_xmp_loop_tell(pst_xmp_loop_t *l, int n, const struct pst_xmp_bounds b[])
{
  if (__builtin_expect(l->state[1] != (void *)0, 0)) pst_xmp_loop_bounds(l, n, b);
}
/* Of an array directive: the array on the left of its assignment, or NULL of a member; what the clause names
 * of the template, for tools: a section for each variable. pst_xmp_loop_leave follows. */
void pst_xmp_array_enter(pst_xmp_loop_t *l, const char *where, const struct pst_xmp_on *on, int variables,
    const struct pst_xmp_bounds section[], pst_xmp_array_t *array);
/* Of each array in that assignment, behind pst_xmp_array_enter: ends the job where its sections have another
 * shape than the template's, or where this node lacks elements that it assigns or reads. */
struct pst_xmp_indices { /* of a dimension: the indices first, first + step, ... of a variable; -1: first
                          * alone
                          */
  int variable;
  pst_xmp_index_t first, step;
};
struct pst_xmp_alike {
  int left;                                /* of the assignment: elements are assigned */
  const struct pst_xmp_indices *index;     /* of each of the array's dimensions */
  const struct pst_xmp_subscript *section; /* of each variable: the template's */
  const pst_xmp_index_t *length;           /* of each variable: the assignment's */
};
void pst_xmp_array_alike(
    const pst_xmp_loop_t *l, const char *where, pst_xmp_array_t *array, const struct pst_xmp_alike *of);
/* Sets the ranges for expand, margin, peel_and_wait clauses, part 0, 1, ...; the loops are run once for each
 * part. Returns 0 where there is no such part, with the ranges of pst_xmp_loop_enter. EXPAND: one part, wider
 * by the widths; MARGIN: what EXPAND adds, or leaves out where widths are negative, as several parts;
 * PEEL_AND_WAIT: EXPAND's part, and then MARGIN's: the program waits between parts 0 and 1. Indices beyond
 * the template only with a /unbound/ flag. width: [n], of the dimensions of the on clause. */
int pst_xmp_loop_expand(pst_xmp_loop_t *l, const char *where, enum pst_xmp_expand form, int n,
    const struct pst_xmp_width width[], int part);

/* The first index that this node runs of lower, lower + step, ... and the end: of a range that is not cyclic.
 * They return an index that does not satisfy the loop's condition where this node runs none. With a step
 * below 0 `end` is the bound below the last one. */
static __inline__ pst_xmp_index_t pst_xmp_loop_first(
    const struct pst_xmp_range *r, pst_xmp_index_t lower, pst_xmp_index_t step)
{
  if (step > 0) return r->low <= lower ? lower : lower + (r->low - lower + step - 1) / step * step;
  return r->high >= lower ? lower : lower - (lower - r->high - step - 1) / -step * -step;
}
/* A step whose value the translator has not seen: it goes the way, 1 or -1, that the condition looks. */
void pst_xmp_loop_step_wrong(const char *where, pst_xmp_index_t step) __attribute__((noreturn, cold));
static __inline__ void pst_xmp_loop_step(const char *where, pst_xmp_index_t step, int way)
{
  if (__builtin_expect(way > 0 ? step <= 0 : step >= 0, 0)) pst_xmp_loop_step_wrong(where, step);
}
/* Of /unbound/ widths: where a loop over first, first + step, ... begins and ends that goes beyond its bounds
 * by so many indices at most. */
static __inline__ pst_xmp_index_t pst_xmp_loop_before(
    pst_xmp_index_t first, pst_xmp_index_t width, pst_xmp_index_t step)
{
  return width <= 0 ? first : step > 0 ? first - width / step * step : first + width / -step * -step;
}
static __inline__ pst_xmp_index_t pst_xmp_loop_behind(
    pst_xmp_index_t first, pst_xmp_index_t end, pst_xmp_index_t width, pst_xmp_index_t step)
{
  if (width <= 0 || (step > 0 ? end <= first : end >= first)) return end;
  if (step > 0) return first + (end - first - 1) / step * step + width + 1;
  return first - (first - end - 1) / -step * -step - width - 1;
}
/* The bound of a loop that counts up, in C's sense: without sign a first index below 0 is above any bound. */
static __inline__ pst_xmp_index_t pst_xmp_loop_bound(
    pst_xmp_index_t first, pst_xmp_index_t bound, int is_unsigned)
{
  return is_unsigned && first < 0 ? first - 1 : bound;
}
static __inline__ pst_xmp_index_t pst_xmp_loop_end(
    const struct pst_xmp_range *r, pst_xmp_index_t end, pst_xmp_index_t step)
{
  if (step > 0) return end <= r->high + 1 ? end : r->high + 1;
  return end >= r->low - 1 ? end : r->low - 1;
}
/* Of any range: the first index at or after v, a member of the sequence lower, lower + step, ..., that this
 * node owns; one beyond `end` if there is none. */
pst_xmp_index_t pst_xmp_loop_next(
    const struct pst_xmp_range *r, pst_xmp_index_t v, pst_xmp_index_t step, pst_xmp_index_t end);

/* Of a cyclic range: where the first block begins that has an index of lower, lower + step, ... or later ones
 * (which need not be in the sequence). The next ones follow at a distance of round, in the step's direction.
 */
static __inline__ pst_xmp_index_t pst_xmp_loop_block(
    const struct pst_xmp_range *r, pst_xmp_index_t lower, pst_xmp_index_t step)
{
  pst_xmp_index_t in = (lower - r->origin) % r->round;
  if (in < 0) in += r->round;
  return step > 0 && in >= r->width ? lower - in + r->round : lower - in;
}
/* The part of a range that lies in the block that begins at b. */
static __inline__ struct pst_xmp_range pst_xmp_loop_within(const struct pst_xmp_range *r, pst_xmp_index_t b)
{
  struct pst_xmp_range part = *r;
  if (b > part.low) part.low = b;
  if (b + r->width - 1 < part.high) part.high = b + r->width - 1;
  return part;
}
/* The local index of what lies where the template's index of v does, which this node owns. */
static __inline__ pst_xmp_index_t pst_xmp_loop_local(const struct pst_xmp_range *r, pst_xmp_index_t v)
{
  return (v - r->origin) / r->round * r->width + (v - r->origin) % r->round;
}
/* The control variable's value after the serial loop. */
static __inline__ pst_xmp_index_t pst_xmp_loop_final(
    pst_xmp_index_t lower, pst_xmp_index_t end, pst_xmp_index_t step)
{
  if (step > 0) return end <= lower ? lower : lower + (end - lower + step - 1) / step * step;
  return end >= lower ? lower : lower - (lower - end - step - 1) / -step * -step;
}

/* Memory for the right side of an array assignment, which is freed at the end of its block. */
void *pst_xmp_buffer(const char *where, unsigned long size);
void pst_xmp_buffer_free(void **buffer);
/* How many elements from base on, at distances of step, a dimension of the extent has. */
static __inline__ pst_xmp_index_t pst_xmp_rest(
    pst_xmp_index_t extent, pst_xmp_index_t base, pst_xmp_index_t step)
{
  if (step > 0) return base >= extent ? 0 : (extent - base + step - 1) / step;
  return base < 0 ? 0 : base / -step + 1;
}
/* Ends the job where the sections of an array assignment have different lengths. */
void pst_xmp_length_wrong(const char *where, const char *name, int dimension, pst_xmp_index_t length,
    pst_xmp_index_t right) __attribute__((noreturn, cold));
static __inline__ void pst_xmp_length_check(
    const char *where, const char *name, int dimension, pst_xmp_index_t length, pst_xmp_index_t right)
{
  if (__builtin_expect(length != right, 0)) pst_xmp_length_wrong(where, name, dimension, length, right);
}

/* ---- variables of reductions and broadcasts (3.2.1, 4.4, 4.5) ---- */

enum pst_xmp_operation {
  PST_XMP_SUM,
  PST_XMP_PRODUCT,
  PST_XMP_BITAND,
  PST_XMP_BITOR,
  PST_XMP_BITXOR,
  PST_XMP_LOGAND,
  PST_XMP_LOGOR,
  PST_XMP_MAX,
  PST_XMP_MIN,
  PST_XMP_FIRSTMAX,
  PST_XMP_FIRSTMIN,
  PST_XMP_LASTMAX,
  PST_XMP_LASTMIN
};
struct pst_xmp_variable {
  void *address;
  unsigned long count, size; /* elements, and bytes of one */
  enum pst_xmp_type type;
  const char *name;
};
/* Sets all elements to the operation's neutral value. Not collective. */
void pst_xmp_neutral(const char *where, enum pst_xmp_operation op, const struct pst_xmp_variable *v);
/* Of a loop's reduction clause: combines v of all nodes that run parts of the loop, and with `old`, the
 * variable's value before the loop, which takes part once. The result is in *old. locations: n variables
 * beside a FIRSTMAX and its like, whose values come from the node whose iteration `when` set them. */
struct pst_xmp_location {
  void *value, *old;
  unsigned long size;
};
/* An iteration's place in the serial program: its number in each loop of the nest, from the outermost one.
 * All -1: in none. */
enum { PST_XMP_DEPTH = 10 };
/* The variable, or one of its locations, is assigned: an expression may do both. */
static __inline__ void pst_xmp_set(int *is_set) { *is_set = 1; }
struct pst_xmp_when {
  pst_xmp_index_t number[PST_XMP_DEPTH];
};
/* location, when: NULL but for FIRSTMAX and its like. */
void pst_xmp_loop_reduce(pst_xmp_loop_t *l, const char *where, enum pst_xmp_operation op,
    const struct pst_xmp_variable *v, void *old, int n, const struct pst_xmp_location location[],
    const struct pst_xmp_when *when);

/* An async clause: NULL, or the id. */
void pst_xmp_reduction(const char *where, enum pst_xmp_operation op, int n, const struct pst_xmp_variable v[],
    const struct pst_xmp_on *on, const int *async);
/* MAX or MIN with n locations, whose values come from the node that has the extreme: of several the first of
 * the set. value and old of a location are the same. */
void pst_xmp_reduction_located(const char *where, enum pst_xmp_operation op, const struct pst_xmp_variable *v,
    int n, const struct pst_xmp_location location[], const struct pst_xmp_on *on);
void pst_xmp_bcast(const char *where, int n, const struct pst_xmp_variable v[], const struct pst_xmp_on *from,
    const struct pst_xmp_on *on, const int *async);
void pst_xmp_barrier_on(const char *where, const struct pst_xmp_on *on);
void pst_xmp_wait_async(const char *where, int n, const int id[], const struct pst_xmp_on *on);

/* ---- tasks (3.1) ---- */

typedef struct pst_xmp_task {
  void *state[8];
} pst_xmp_task_t;
/* 1 where this node runs the block. pst_xmp_task_leave follows on all nodes. */
int pst_xmp_task_enter(pst_xmp_task_t *t, const char *where, const struct pst_xmp_on *on, int nocomm);
void pst_xmp_task_leave(pst_xmp_task_t *t);
/* Around a tasks construct: the tasks within need not be reached by nodes that are not in them. */
void pst_xmp_tasks_enter(pst_xmp_task_t *t, const char *where);
void pst_xmp_tasks_leave(pst_xmp_task_t *t);

/* ---- shadows and gmove (4.1, 4.2, 4.7) ---- */

enum { PST_XMP_ORTHOGONAL = 1 };
/* width NULL: the whole shadow; else [dims]. */
void pst_xmp_reflect(
    const char *where, pst_xmp_array_t *a, const struct pst_xmp_width width[], int flags, const int *async);
void pst_xmp_reduce_shadow(
    const char *where, pst_xmp_array_t *a, const struct pst_xmp_width width[], int flags, const int *async);

/* One side of a gmove: a global array with subscripts, or local memory: `address` is element [0]..[0] of an
 * array of the extents. dims 0: a scalar. extent[0] 0: of a pointer, whose subscript has a length. */
struct pst_xmp_side {
  pst_xmp_array_t *array; /* NULL: local */
  void *address;
  unsigned long size; /* of an element */
  enum pst_xmp_type type;
  int dims;
  const pst_xmp_index_t *extent;             /* of local memory */
  const struct pst_xmp_subscript *subscript; /* [dims] */
};
enum pst_xmp_gmove_mode { PST_XMP_COLLECTIVE, PST_XMP_IN, PST_XMP_OUT };
void pst_xmp_gmove(const char *where, const struct pst_xmp_side *left, const struct pst_xmp_side *right,
    enum pst_xmp_gmove_mode mode, const int *async);

/* ---- coarrays (5) ---- */

/* The image indices of a node set, as inline functions see them. Image i is the node node[i], or where node
 * is NULL, first + i * stride. count 0: all accesses are to call the library. */
struct pst_xmp_images {
  unsigned count, first;
  int stride;
  const unsigned *node;
};
/* The part of a coarray's descriptor that inline functions read. here[node], added to an address within this
 * image's own object, gives the same place in the object of the node, for loads and stores. */
struct pst_xmp_coarray {
  const struct pst_xmp_images *const *images;
  const __PTRDIFF_TYPE__ *here;
};
#define PST_XMP_UNMAPPED ((__PTRDIFF_TYPE__)1)

/* From a constructor, for each coarray: an object of static storage. codims: of them but the last, which is
 * *. nodes: in which image indices count, or NULL: in the executing set. Not collective, but all nodes
 * register the same coarrays in the same order. */
void *pst_xmp_coarray(const char *where, const char *name, void *object, unsigned long size,
    unsigned long element, int codims, const pst_xmp_index_t codim[], void *nodes);
/* Of a coarray within a block: lies in a section of the program, of which one constructor registers all. */
struct pst_xmp_coarray_record {
  const char *where, *name;
  void *object;
  unsigned long size, element;
  long codims;
  pst_xmp_index_t codim[PST_XMP_DIMENSIONS];
  void **descriptor; /* which the registration sets */
};
extern const struct pst_xmp_coarray_record __start_pst_xmp_coarrays[],
    __stop_pst_xmp_coarrays[] __attribute__((weak, visibility("hidden")));
void pst_xmp_coarrays_begin(
    const struct pst_xmp_coarray_record *first, const struct pst_xmp_coarray_record *last);
/* The image that coindices name. Neither this nor any other call for coarrays is collective. */
int pst_xmp_image(const char *where, void *coarray, int n, const pst_xmp_index_t coindex[]);

/* `at` is an address within the caller's own object. A put may be pending until an image control statement,
 * a barrier or a post; a get is complete, and sees the puts that this image made before. They are inlined:
 * of a size that is a constant, at most 16 bytes, and an image whose memory is mapped here, they are a load
 * and a store. Define PST_XMP_CALLS to have calls. */
#ifndef PST_XMP_INLINE
#define PST_XMP_INLINE extern __inline__ __attribute__((__gnu_inline__))
#endif
void pst_xmp_put_call(
    const char *where, void *coarray, int image, void *at, const void *from, unsigned long size);
void pst_xmp_get_call(
    const char *where, void *coarray, int image, const void *at, void *to, unsigned long size);
#if defined(PST_XMP_CALLS)
void pst_xmp_put(const char *where, void *coarray, int image, void *at, const void *from, unsigned long size);
void pst_xmp_get(const char *where, void *coarray, int image, const void *at, void *to, unsigned long size);
#else
/* Where to load and store; NULL: the library has to be called. */
extern __inline__ __attribute__((__gnu_inline__, __always_inline__)) void *pst_xmp_here(
    const void *coarray, int image, const void *at)
{
  const struct pst_xmp_coarray *const c = (const struct pst_xmp_coarray *)coarray;
  const struct pst_xmp_images *const s = *c->images;
  unsigned node;
  __PTRDIFF_TYPE__ delta;
  if (__builtin_expect((unsigned)image >= s->count, 0)) return (void *)0;
  node = s->node ? s->node[image] : s->first + (unsigned)(image * s->stride);
  delta = c->here[node];
  if (__builtin_expect(delta == PST_XMP_UNMAPPED, 0)) return (void *)0;
  return (void *)((__UINTPTR_TYPE__)at + (__UINTPTR_TYPE__)delta);
}
PST_XMP_INLINE void pst_xmp_put(
    const char *where, void *coarray, int image, void *at, const void *from, unsigned long size)
{
  if (__builtin_constant_p(size) && size <= 16) {
    void *const here = pst_xmp_here(coarray, image, at);
    if (__builtin_expect(here != (void *)0, 1)) {
      __builtin_memcpy(here, from, size);
      return;
    }
  }
  pst_xmp_put_call(where, coarray, image, at, from, size);
}
/* The barrier keeps a load that waits for another image's store within its loop. */
PST_XMP_INLINE void pst_xmp_get(
    const char *where, void *coarray, int image, const void *at, void *to, unsigned long size)
{
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (__builtin_constant_p(size) && size <= 16) {
    const void *const here = pst_xmp_here(coarray, image, at);
    if (__builtin_expect(here != (void *)0, 1)) {
      __builtin_memcpy(to, here, size);
      return;
    }
  }
  pst_xmp_get_call(where, coarray, image, at, to, size);
}
#endif

/* A get into `to`, which it returns. */
static __inline__ const void *pst_xmp_got(
    const char *where, void *coarray, int image, const void *at, void *to, unsigned long size)
{
  pst_xmp_get(where, coarray, image, at, to, size);
  return to;
}

/* Sections, as sides whose arrays are NULL; equal in shape, type and size, or `from` is a scalar, which may
 * be one element of a section. Images -1: this image's own memory. coarray_* NULL: local. The source is read
 * before anything is stored, and may be changed on return. */
void pst_xmp_copy_section(const char *where, void *to_coarray, int to_image, const struct pst_xmp_side *to,
    void *from_coarray, int from_image, const struct pst_xmp_side *from);

/* xmp_atomic_define(coarray, value) and xmp_atomic_ref(value, coarray): on an int of an image, -1: this one.
 * `at` as above. */
void pst_xmp_atomic_define(const char *where, void *coarray, int image, void *at, int value);
void pst_xmp_atomic_ref(const char *where, int *value, void *coarray, int image, void *at);

/* The image directive, around the statement that follows it: images of the synchronisation in it count in the
 * node set. Not collective. */
void pst_xmp_images_enter(const char *where, void *nodes);
void pst_xmp_images_leave(void);
static __inline__ void pst_xmp_images_end(char *c)
{
  (void)c;
  pst_xmp_images_leave();
}

/* xmp_sync_memory and the others, with the place of the call. */
void pst_xmp_sync_memory(const char *where, int *status);
void pst_xmp_sync_all(const char *where, int *status);
void pst_xmp_sync_image(const char *where, int image, int *status);
void pst_xmp_sync_images(const char *where, int n, int *set, int *status);
void pst_xmp_sync_images_all(const char *where, int *status);

/* post, wait, lock, unlock; tag NULL: any; on NULL: any node, else one of its nodes. A post names one node.
 * Image -1: this one. acquired NULL: lock waits; stat NULL: errors end the job. Not collective. */
void pst_xmp_post(const char *where, const struct pst_xmp_on *to, int tag);
void pst_xmp_wait(const char *where, const struct pst_xmp_on *from, const int *tag);
void pst_xmp_lock(const char *where, void *coarray, int image, void *lock, int *acquired, int *stat);
void pst_xmp_unlock(const char *where, void *coarray, int image, void *lock, int *stat);

/* ---- the job ---- */

/* The first call of every file's constructor; the first in a program starts the runtime. */
void pst_xmp_begin(int argc, char **argv);
/* Of the object that xmpcc links into each program: the end of the program is to come before that of
 * libraries. */
void pst_xmp_end_here(void);

#endif
