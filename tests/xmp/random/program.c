/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* program SEED DIRECTORY: writes a random program to random.c there, and for some seeds also to random.h and
 * random_other.c. The first line of random.c has the number of its nodes.
 * program SEED DIRECTORY check: one that also prints the checksums of all arrays after each statement. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

static const char
    *const head = "#include <math.h>\n"
                  "#include <stdio.h>\n"
                  "#include <stdlib.h>\n"
                  "#ifdef _XCALABLEMP\n"
                  "#include <xmp.h>\n"
                  "#define NODE(n) xmpc_node_num()\n"
                  "#define WRAP(e, n) (e)\n"
                  "#define IMAGES(n) \\\n"
                  "  for (int me = xmpc_this_image(), images = xmp_num_images(), once = 1; once; once = 0)\n"
                  "#define OWN(a) a\n"
                  "#define AT(a, s, i) a s:[i]\n"
                  "#else\n"
                  "#define IMAGES(n) for (int me = 0, images = (n); me < images; me++)\n"
                  "#define OWN(a) a[me]\n"

                  "#define NODE(n) (n)\n"
                  "#define WRAP(e, n) ((((e) % (n)) + (n)) % (n))\n"
                  "#endif\n"
                  "#define DIRECTIVE(...) _Pragma(#__VA_ARGS__)\n"
                  "#define EXPANDED(...) DIRECTIVE(__VA_ARGS__)\n"
                  "#define ADD(a, b) ((a) + (b))\n"
                  "#define MAX(a, b) ((a) > (b) ? (a) : (b))\n"
                  "#define MIN(a, b) ((a) < (b) ? (a) : (b))\n"
                  "#define IN(e, n) ((int)((((long)(e)) % (n) + (n)) % (n)))\n"
                  "struct pair { double v; char c; };\n"
                  "typedef struct { short s; long v; } pair_type;\n"
                  "typedef int value_type;\n"
                  "extern int same_all[256];\n"
                  "#define same (same_all + 128)\n"
                  "static inline int neighbour(int me, int d, int n) { return (me + d) % n; }\n"
                  "static inline int one(int x) { return x; }\n"
                  "static inline int mod(long x) { return (int)((x % 97 + 97) % 97); }\n"
                  "static inline unsigned long hash_add(unsigned long h, long x)\n"
                  "{\n"
                  "  return h * 31 + (unsigned long)x;\n"
                  "}\n"
                  "/* One node of those that execute prints; all have the same value. */\n"
                  "static void say_at(int at, const char *name, unsigned long value)\n"
                  "{\n"
                  "  unsigned long low = value, high = value;\n"
                  "#pragma xmp reduction (min:low)\n"
                  "#pragma xmp reduction (max:high)\n"
                  "  if (NODE(0) == 0)\n"
                  "    printf(\"%d %s %lx%s\\n\", at, name, value, low == high ? \"\" : \" differs\");\n"
                  "  fflush(stdout);\n"
                  "}\n"
                  "#define say(name, value) say_at(__LINE__, name, value)\n";

static void constants_write(void)
{
  for (int i = 0; i < 48; i++)
    line(i % 5 == 3 ? "#define K%d ADD(K%d, 2)" : "#define K%d %d", i, i % 5 == 3 ? i - 2 : i);
}

/* Each file has templates of its own. */
static void other_fix_write(void)
{
  file_choose(HEADER);
  line("void other_fix(void);");
  file_choose(OTHER);
  line("void other_fix(void)");
  line("{");
  templates_fix(0);
  line("}");
}

static void main_write(const char *const *call, int calls)
{
  if (file_is_open(OTHER)) other_fix_write();
  file_choose(MAIN);
  line("int main(void)");
  line("{");
  indent(1);
  in_block = 1;
  block_variables_write();
  line("for (int i = -128; i < 128; i++) same[i] = i;");
  if (file_is_open(OTHER)) line("other_fix();");
  mapping_fix(0, 0);
  for (int i = 0; i < calls; i++) {
    line("%s", call[i]);
    if (chance(20) && strchr(call[i], '#') == NULL) line("%s", call[i]);
  }
  for (int i = 0; i < scope.arrays; i++) {
    array_check(scope.array[i]);
    loop_sum(scope.array[i]);
  }
  line("return 0;");
  indent(-1);
  line("}");
}

/* What the whole program knows: in a header, where there are two files. */
static void files_begin(const char *seed, const char *directory)
{
  const int several = chance(30);
  file_open(MAIN, directory, "random.c");
  file_choose(MAIN);
  line("/* nodes: %d, seed %s */", executing, seed);
  if (several) {
    file_open(HEADER, directory, "random.h");
    file_open(OTHER, directory, "random_other.c");
    line("#include \"random.h\"");
    file_choose(OTHER);
    line("#include \"random.h\"");
    file_choose(HEADER);
    line("#ifndef RANDOM_H");
    line("#define RANDOM_H");
  }
  line("%s", head);
  constants_write();
}

static void files_end(void)
{
  file_choose(MAIN);
  line("int same_all[256];");
  if (!file_is_open(HEADER)) return;
  file_choose(HEADER);
  line("#endif");
}

int main(int argc, char **argv)
{
  const char *call[8];
  if (argc < 3) {
    fprintf(stderr, "usage: program SEED DIRECTORY [check]\n");
    return 2;
  }
  checks = argc > 3;
  draw_begin(strtoul(argv[1], NULL, 10));
  executing = chance(70) ? draw_from(1, 6) : draw_from(1, 12);
  files_begin(argv[1], argv[2]);
  mapping_declare(draw_from(1, 3));
  scalars_declare();
  if (chance(60)) coarrays_declare();
  const int calls = draw_from(2, 5);
  for (int i = 0; i < calls; i++) call[i] = function_draw();
  main_write(call, calls);
  files_end();
  return 0;
}
