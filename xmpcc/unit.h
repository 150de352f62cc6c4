/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the parts of the translation share: the file that is being translated, its objects, and the parts'
 * functions for each other.
 *
 * The text is walked once, from the beginning to the end (walk.c). A block's directives are known before its
 * statements are walked, for align comes after the declaration that it changes. Objects of a program have
 * objects of C beside them: _xmp_d_NAME is the descriptor of nodes, a template or an array, _xmp_t_NAME the
 * type of an array's elements. The array's own name becomes a pointer, its view: global indices of dimensions
 * that are not cyclic stay as they were written. A view of an array of the file is declared at the beginning
 * of each function that uses it; one of a block behind its align. Where an array can be allocated later,
 * namely a pointer, the name stays the program's, and references take the view from the descriptor.
 *
 * _xmp_b_NAME has an array's view in the file, and is restrict: so gcc knows that arrays do not overlap, as
 * it does of those of the serial program. */
#ifndef XMPCC_UNIT_H
#define XMPCC_UNIT_H
#include "xmpcc/declaration.h"
#include "xmpcc/directive.h"
#include "xmpcc/edit.h"
#include "xmpcc/message.h"
#include "xmpcc/scope.h"
#include "xmpcc/text.h"

enum { DIMENSIONS = 7, ORDER_MOST = 10 };

struct template_info {
  int dims;
  const char *lower[DIMENSIONS];       /* "" where it is not fixed */
  const struct item *item[DIMENSIONS]; /* its bounds; NULL where it is not fixed */
  int fixed, square;
  int distributed;
  enum item_kind format[DIMENSIONS];    /* STAR BLOCK CYCLIC GBLOCK */
  int single[DIMENSIONS];               /* of CYCLIC: its width is 1, whatever the program's values */
  const struct item *nodes[DIMENSIONS]; /* how many the dimension is distributed onto; NULL of STAR */
};

struct side;
struct named; /* a name in a directive of the block */
struct array {
  const struct token *name;
  const char *type, *descriptor; /* as C: of its elements; a pst_xmp_array_t * */
  const char *base;              /* of an array of the file: the variable that has its view; else NULL */
  int level;                     /* of its declaration's scope */
  int member;                    /* of a structure with the tag */
  const struct token *tag;
  struct declarator declarator;
  const struct symbol *template_;
  const struct named *shadowed; /* its shadow directive, or NULL */
  int dims;
  const char *extent[DIMENSIONS]; /* "0" where the program gives none */
  int varies[DIMENSIONS];         /* its variables may change: the descriptor has it */
  int axis[DIMENSIONS];           /* of the template, in C's order; -1: collapsed */
  const char *offset[DIMENSIONS]; /* to the template's index */
  int cyclic[DIMENSIONS];
  const char *shadow[DIMENSIONS][2]; /* NULL: none was written */
  int late;                          /* it is a pointer, or its template is fixed later */
  int pointer, parameter;
  int is_static, is_extern, is_defined; /* by its declarations so far */
  int aligned, declared_again;          /* since its align directive */
  const struct directive *align;        /* of an array of the file, or a member; NULL until it comes */
  int begun;                            /* the constructor makes it */
};

/* What the directives at the top of a block say of names, before its statements are walked. */
struct named {
  const struct reference *object;
  const struct directive *directive;
};
struct block {
  struct named *named;
  int count;
};

/* A loop directive whose nest is walked now (loop*.c). */
struct loop_variable {
  const struct token *name;
  int subscript;               /* its place in the on clause, in C's order; -1: in none */
  const char *offset;          /* to the template's index */
  int cyclic, single;          /* the template's dimension is; its width is 1 */
  int active;                  /* its loop is walked now */
  const struct symbol *symbol; /* while it is active */
  int found;                   /* how many loops over it there are */
  const char *counter;         /* while it is active: counts the local index; NULL */
  const char *shift;           /* the local index is the variable minus this; NULL */
  const struct item *unbound;  /* the width of expand and its like, if it goes beyond the serial loop; NULL */
};
/* What the innermost loop looks at after each iteration, for firstmax and its like: an expression that says
 * whether the variables have changed, one that keeps them, and where the iteration's number goes. */
struct note {
  const char *changed, *keep, *when;
  const char *set; /* the flag that an assignment sets, for lastmax and its like: the value may be the same */
  const struct symbol **variable; /* [variables] */
  int variables;
};
struct loop {
  struct loop *outer;
  int number;
  const struct token *at;
  const struct symbol *template_; /* NULL: on nodes */
  struct loop_variable *variable; /* [count] */
  int count;
  const struct token *first, *last; /* the nest: last is its last token */
  int parallel;                     /* an OpenMP pragma stands beside the directive */
  struct text hoisted;              /* goes to the directive's line */
  struct text bounds;               /* for tools: of variables whose bounds are hoisted, and how many */
  int bounded;
  int blocks;          /* within OpenMP's region the first loop over blocks, from 1; 0: none */
  const char **shared; /* [shares] variables of ours within OpenMP's region */
  int shares;
  struct text closing;       /* goes behind the nest */
  const struct array **late; /* arrays whose views the nest has */
  int lates;
  const struct token **reduced; /* [reductions] names of scalars that have a copy; NULL for others */
  int reductions;
  struct note *note;
  int notes;
  struct text noted;
  const char *order[ORDER_MOST]; /* of the loops being walked: the iteration's number in each */
  int entered;
};

struct function {
  const struct token *brace;
  struct {
    const struct array *array;
    int counts; /* compilers see a use of it */
  } * view;     /* arrays of the file that the function uses */
  int views;
};

struct parsed {
  const struct token *at;
  struct directive *directive;
  int count;
  int walked; /* it stands where directives may be */
};

struct member {
  const struct token *tag;
  struct array *array;
  struct member *next;
};

struct unit {
  const struct source *source;
  struct edits *edits;
  struct scope *scope;
  struct parsed *parsed; /* [directives], in the file's order */
  size_t directives;
  struct function *function; /* NULL outside of any */
  struct loop *loop;         /* the innermost one, or NULL */
  struct member *members;    /* of structures, that are global arrays */
  struct sections *sections; /* the array assignment that is translated now, or NULL */
  struct once *once;         /* what that computes before its loops, or NULL */
  int clang;                 /* the compiler is: pragmas have other words */
  int coarrays_of_blocks;    /* the constructor registers them */
  int numbers;               /* given to names of the translation */
  int unevaluated;           /* within sizeof and the like */
  int depth;                 /* of statements */
  struct {
    const struct token *at;
    const char *text;
  } * begin; /* [begins]: statements of the constructor */
  int begins;
  const struct token *ended;  /* behind the statement of the last task */
  const struct token **wrong; /* [wrongs]: names whose declarations were wrong */
  int wrongs;
  /* OpenMP's pragma, all of whose threads execute what is walked; NULL: none is seen. */
  const struct token *at_once;
};

/* ---- walk.c ---- */
void walk_file(struct unit *u);
/* Each returns the token behind. */
const struct token *walk_statement(struct unit *u, const struct token *t);
/* The statement of an if or a loop. */
const struct token *walk_substatement(struct unit *u, const struct token *t);
/* Is it a directive that is a statement, and not one before a statement? */
int directive_is_alone(const struct unit *u, const struct token *t);
void walk_expression(struct unit *u, const struct token *first, const struct token *last);
/* The ; that ends the expression statement at t; an error and the last token where none does. */
const struct token *statement_end(const struct token *t);
/* The last token of the statement at t, without walking it. */
const struct token *statement_last(const struct token *t);

/* ---- jump.c ---- */
/* The function whose body begins here: an error where a goto or a switch jumps past a directive. */
void jumps_check(const struct unit *u, const struct token *brace);

/* ---- type.c: types, in which sizes of arrays may be asked for ---- */
void specifiers_walk(struct unit *u, const struct specifiers *s);
/* What is behind the declarator's name; of one without a name, all. */
void declarator_walk(struct unit *u, const struct declarator *d);
/* ( type ) at t: returns the token behind; NULL: it is none. */
const struct token *type_walk(struct unit *u, const struct token *t);

/* ---- translate.c ---- */
struct parsed *unit_directives(const struct unit *u, const struct token *at);
/* A statement of the constructor that runs before main. */
void unit_begin_add(struct unit *u, const struct token *at, const char *text);
/* "file:line" as a string literal. */
const char *where_of(const struct token *at);

/* ---- wrong.c: names whose declarations were wrong, of which nothing more is said ---- */
void wrong_add(struct unit *u, const struct token *name);
void wrong_read(struct unit *u, const struct token *directive);
int wrong_is(const struct unit *u, const struct token *name);

/* ---- names and expressions, as text of C ---- */
const char *name_text(const struct token *name);
/* Are both the same name? NULL is none. */
int name_is(const struct token *a, const struct token *b);
const char *expression_text(const struct expression *e);
/* The text of a range of the program, as it has been translated so far. */
const char *translated_text(const struct unit *u, const struct expression *e);
/* Numbers and operators alone. */
int expression_is_literal(const struct expression *e);
/* Variables are in it, whose values may change. */
int expression_varies(const struct unit *u, const struct expression *e);
/* A PST_XMP_ type: of a declarator's elements where their words tell, else of the expression. d: or NULL. */
const char *type_text(const struct unit *u, const struct declarator *d, const char *expression);
/* Do a declarator's words tell a type of numbers? */
int type_is_known(const struct unit *u, const struct declarator *d);
/* The colon at the top of a range that is no conditional's; NULL. */
const struct token *section_colon(const struct token *first, const struct token *last);
/* Is a section anywhere in the range? */
int has_section(const struct token *first, const struct token *last);
/* Of an operator, or a (: has it no operand, and no name of a function, on its left? */
int begins_operand(const struct unit *u, const struct token *t);
/* The bracket that the one at t closes; NULL. */
const struct token *bracket_opening(const struct unit *u, const struct token *t);
/* The = at the top of a range, or another operator that assigns; NULL. */
const struct token *assignment_operator(const struct token *first, const struct token *last);

/* ---- mapping.c: declarative directives, and references to what they declare ---- */
void mapping_directive(struct unit *u, const struct directive *d, struct text *out);
const char *descriptor_name(const struct token *name);
/* A struct pst_xmp_on * for a reference, "0" for none. */
const char *on_text(struct unit *u, const struct reference *r);
/* The same of what names one node. */
const char *on_one_text(struct unit *u, const struct reference *r);
/* A struct pst_xmp_subscript for an entry of a list. of: the nodes or template, or NULL of an array. */
const char *subscript_text(const struct item *i, const struct list *list, const struct symbol *of);
/* The lower bound of a template's dimension, as C. */
const char *template_lower(const struct symbol *s, int k, const struct token *at);
const char *template_fix_text(struct unit *u, const struct directive *d);
void array_set_shadow(struct array *a, const struct reference *object);

/* ---- array.c: global arrays in declarations and expressions ---- */
/* The align, shadow and coarray directives at the top of the tokens between the two. */
void block_read(struct unit *u, const struct token *from, const struct token *to, struct block *b);
void block_read_more(struct unit *u, const struct token *from, const struct token *to, struct block *b);
/* Adds the names to the scope, walks dimensions and initializers, and rewrites the declaration where the
 * block's directives change it. b: or NULL. */
void declaration_declare(struct unit *u, struct declaration *d, const struct block *b);
void parameter_declare(struct unit *u, struct declarator *d, const struct block *b);
/* The array's align directive has been read: makes its descriptor. */
void array_begin(struct unit *u, struct array *a, int level, const struct directive *align, struct text *out);
/* A reference at t, which is walked; NULL: there is none. */
const struct token *array_reference(struct unit *u, const struct token *t);
struct array *array_new(struct unit *u, const struct declarator *d, int parameter);
const char *array_typedef(const struct array *a);
/* A dimension's length, as C that is right here. */
const char *array_extent(const struct unit *u, const struct array *a, int k);
/* The call that makes it. */
const char *array_made(const struct unit *u, const struct array *a, const struct directive *d);
/* Writes a declaration without the declarators that go, and a text behind it. */
void declaration_rewrite(struct unit *u, struct declaration *d, const char *goes, const char *behind);
const char *array_view(const struct array *a, const char *name, int counts);
const char *array_bare(const struct array *a);
/* The function uses the array's view, or a pragma alone does, which compilers do not count. */
void array_use(struct unit *u, const struct symbol *s, int counts);
/* An index of a dimension as the view takes it. e: the index, if it is one expression of the program. */
const char *array_index(
    struct unit *u, const struct array *a, int k, const struct expression *e, const char *text);
/* An element, or a part where there are fewer indices than dimensions: as C. */
const char *array_element(struct unit *u, const struct side *s, const char *const index[], int count);
/* Has the node perhaps not all of the dimensions from this one on, or not where they begin? */
int array_is_moved(const struct array *a, int count);

/* ---- indirect.c: elements that are written in other ways than a[i] ---- */
/* At a * or a (: as array_reference. */
const struct token *indirect_reference(struct unit *u, const struct token *t);
/* The name, and what it has of subscripts, may stand in the place of an index: i[a]; 0: it does not. */
int indirect_index(struct unit *u, const struct side *s);

/* ---- member.c: global arrays within structures ---- */
/* A structure's body: its aligned members become pointers to descriptors. */
void members_declare(struct unit *u, const struct specifiers *s, const struct block *b);
/* A variable: its members' arrays are made. */
void members_begin(struct unit *u, const struct declarator *d, struct text *behind);
struct array *member_find(const struct unit *u, const struct token *tag, const struct token *name);
/* A variable at t, or what is declared: a function or a parameter. An error where a structure with a global
 * array would be copied, for the copy would have the same array. */
void members_check(const struct unit *u, const struct token *t, const struct symbol *s);
void members_check_declared(const struct unit *u, const struct declarator *d, int parameter);
/* A structure's member: an error where it is such a structure. */
void members_check_inner(const struct unit *u, const struct declarator *d);
/* A coarray: likewise. */
void members_check_coarray(const struct unit *u, const struct declarator *d);
/* .m[i].n of a structure with these specifiers, from first to last: the name of the last one if it is a
 * bit-field; NULL. */
const struct token *member_bits(
    const struct unit *u, const struct specifiers *s, const struct token *first, const struct token *last);
/* Do the tokens from first to name, v.m, mean one? */
int member_is_array(const struct unit *u, const struct token *first, const struct token *name);
/* The array that the tokens from first to name, v.m, mean; NULL: none. */
const struct array *member_array(const struct unit *u, const struct token *first, const struct token *name);
/* Likewise of (v).m, (*p).m, (p + 1)->m. */
const struct array *member_bracketed(
    const struct unit *u, const struct token *open, const struct token *name);

/* ---- structure.c: members that are no global arrays ---- */
/* Is what a declaration's words name a structure or a union, also by typedefs? */
int type_is_structure(const struct unit *u, const struct specifiers *s);
/* The declarator of the member that the tokens mean: v.m, p->q[2].m. NULL: its structure is not known. */
const struct declarator *member_declarator(
    const struct unit *u, const struct token *first, const struct token *last);

/* ---- names of the runtime for operations, and variables of clauses (construct.c) ---- */
/* NULL: there is none, which has been said. clause: of a loop, where firstmax and its like are allowed. */
const char *operation_name(const struct token *operation, int clause);
/* Does the variable's type, where it is known, have the operation, of that name? Says so where not. */
int operation_fits(const struct unit *u, const struct token *operation, const char *name,
    const struct reduction_variable *v);
/* A variable of a clause: a name, or a member. */
const char *variable_text(const struct reduction_variable *v);
const struct declarator *variable_declarator(const struct unit *u, const struct reduction_variable *v);
const char *variable_size(const struct unit *u, const struct reduction_variable *v);
/* An element of a variable of a reduction, as an expression; NULL: it cannot be one, which has been said. */
const char *variable_element(struct unit *u, const struct reduction_variable *v);
int pragma_is_openmp(const struct token *t);

/* ---- openmp.c ---- */
/* A pragma that the walk has come to: its clauses' global arrays are used here, or an error. */
void pragma_names(struct unit *u, const struct token *pragma);
/* The statement behind has been walked: default(none) is told of the translation's variables that are
 * declared outside. numbers: how many had been given before the statement. */
void pragma_region(struct unit *u, const struct token *pragma, int numbers);
/* u->at_once of the statement behind the pragma. Where the text does not tell, as in an if, it is NULL, and
 * the runtime sees it. */
const struct token *pragma_threads(const struct unit *u, const struct token *pragma);
/* A directive at t: an error where it communicates, and all threads of a region would do it. */
void threads_check(const struct unit *u, const struct directive *d, const struct token *t);

/* ---- loop*.c, construct.c, gmove.c, section.c, coarray.c: each walks what belongs to its directive, and
 * returns the token behind. ---- */
/* The label of a name among these tokens; NULL. */
const struct token *label_find(const struct token *first, const struct token *last, const struct token *name);
const struct token *loop_translate(struct unit *u, const struct directive *d, const struct token *t);
/* A for at t whose control variable a loop directive names: walks it; NULL: it is a plain one. */
const struct token *loop_for(struct unit *u, const struct token *t);
/* A plain for at t, for the order of iterations: whether it is counted from here to loop_count_end. */
int loop_count_plain(struct unit *u, const struct token *t);
void loop_count_end(struct unit *u, const struct token *t);
/* The name that a for at t sets first; NULL. */
const struct token *for_variable(const struct unit *u, const struct token *t);
/* Within a loop directive's nest: touches no iteration of the loop over the variable, whose body begins at
 * first, memory that another one writes? Tells the compiler so, of the for at t. */
int loop_is_independent(struct unit *u, const struct token *variable, const struct token *first);
void loop_tell_independent(struct unit *u, const struct token *t);
/* Is the function that is called at t one of the C library that reads and writes no memory? */
int function_is_pure(const struct unit *u, const struct token *t);
const struct token *construct_translate(struct unit *u, const struct directive *d, const struct token *t);
const struct token *gmove_translate(struct unit *u, const struct directive *d, const struct token *t);
const struct token *array_translate(struct unit *u, const struct directive *d, const struct token *t);
/* An expression statement from t to its ;: 1 where it is an array assignment or assigns to another image, and
 * has been translated. */
int section_assignment(struct unit *u, const struct token *t, const struct token *end);
int coarray_assignment(struct unit *u, const struct token *t, const struct token *end);
/* A section of another image becomes what is computed of sections: 0 where there are none. */
struct side;
int section_put(struct unit *u, const struct side *left, const struct token *equal, const struct token *end);
/* Within an array assignment: the element of a reference with sections, and of one of its subscripts. */
const char *section_element(struct unit *u, const struct side *s);
const char *section_subscript(struct unit *u, const struct side *s, int k);
void section_begin(struct unit *u, const struct side *s); /* a reference, before its subscripts */
/* A reference to a global array, whose subscripts have been walked: is it like the array directive? */
void section_alike(struct unit *u, const struct side *s);
const struct token *section_reference(struct unit *u, const struct token *t, const struct symbol *s);
/* Behind what begins at t and is computed once; NULL. */
const struct token *once_skip(const struct unit *u, const struct token *t);
const struct token *coarray_reference(struct unit *u, const struct token *t, const struct symbol *s);
const struct token *coarray_atomic(struct unit *u, const struct token *t);
/* A structure's body, which has no coarrays. */
void coarray_members_refuse(const struct token *open);
/* A coarray's declaration: by codimensions of its own, or by a directive. */
struct symbol *coarray_of_file(const struct unit *u, const struct token *name); /* NULL: it is none so far */
void coarray_begin(
    struct unit *u, struct symbol *s, const struct directive *d, const struct reference *object);
/* Has the nest that is walked a view of an array that is allocated late, _xmp_v_NAME? */
int loop_has_view(struct unit *u, const struct array *a);
/* A variable of a reduction at t is assigned, of which it matters that it is: notes that. */
int loop_note_assignment(struct unit *u, const struct token *t, const struct symbol *s);
/* The name at t, which means s, is none that its loop counts, or is not changed: an error otherwise. */
void loop_check_variable(const struct unit *u, const struct token *t, const struct symbol *s);
/* The nest uses this variable of the function: OpenMP's default(none) wants to know. */
void loop_share(struct loop *l, const char *variable);
/* Are dimensions of two templates distributed in ways that surely differ? */
int templates_differ(const struct symbol *a, int i, const struct symbol *b, int k);
/* Says where a subscript that is a loop's variable is of a dimension whose elements are on other nodes than
 * the loop's iterations. */
void loop_check_element(const struct unit *u, const struct array *a, int k, const struct expression *e);
/* The local index of a subscript of a cyclic dimension, without a division; NULL where the loops do not count
 * it. */
const char *loop_local(const struct unit *u, const struct array *a, int k, const struct expression *e);

#endif
