/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The performance tools' numbers for events of the client's, which several threads ask for at once. */
#include "gasp/tools/common_tool.c"

#include "tests/unit/suite.h"

/* What the functions under test do not reach. */
const struct pst_tool pst_tool = {.name = "test"};
const struct pst_event_info *pst_event_info(unsigned tag) { return (void)tag, NULL; }
void pst_event_decode(unsigned tag, gasp_evttype_t type, unsigned thread, va_list args, struct pst_event *out)
{
  (void)tag, (void)type, (void)thread, (void)args;
  *out = (struct pst_event){.function = NULL};
}
FILE *pst_part_create(const char *path, const struct pst_part_head *head)
{
  return (void)path, (void)head, NULL;
}
void pst_part_write(FILE *out, unsigned kind, const void *data, size_t size)
{
  (void)out, (void)kind, (void)data, (void)size;
}
void pst_part_write_site(FILE *out, const struct pst_site *site) { (void)out, (void)site; }
int pst_part_close(FILE *out) { return (void)out, 0; }
void pst_tool_paths_make(struct pst_tool_paths *paths, unsigned thread) { (void)paths, (void)thread; }
void pst_tool_end(
    const struct pst_tool_paths *paths, unsigned thread, unsigned threads, enum pst_tool_end how)
{
  (void)paths, (void)thread, (void)threads, (void)how;
}

enum { THREADS = 4, EACH = 16384, NUMBERS = GASP_UPC_USEREVT_END - GASP_UPC_USEREVT_START + 1 };
_Static_assert(THREADS *EACH == NUMBERS, "the threads take all numbers");

static struct _gasp_context_S tool;
static pthread_barrier_t ready;
static unsigned numbers[THREADS][EACH];

static void name_make(char *name, size_t thread, int i) { snprintf(name, 32, "event %d of %zu", i, thread); }

static void *events_create(void *arg)
{
  const size_t thread = (size_t)(uintptr_t)arg;
  char name[32];
  pthread_barrier_wait(&ready);
  for (int i = 0; i < EACH; i++) {
    name_make(name, thread, i);
    numbers[thread][i] = gasp_create_event(&tool, name, NULL);
  }
  return NULL;
}

/* Each number is given once, and has the name that it was asked for. */
static void test_several_threads(void)
{
  pthread_t thread[THREADS];
  char name[32];
  int wrong = 0;
  pthread_barrier_init(&ready, NULL, THREADS);
  for (uintptr_t t = 0; t < THREADS; t++)
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread[t], NULL, events_create, (void *)t), 0);
  for (int t = 0; t < THREADS; t++) pthread_join(thread[t], NULL);
  pthread_barrier_destroy(&ready);
  CU_ASSERT_EQUAL_FATAL(tool.users, NUMBERS);
  for (size_t t = 0; t < THREADS; t++)
    for (int i = 0; i < EACH; i++) {
      name_make(name, t, i);
      const struct pst_event none = {.function = NULL};
      const char *found = name_of(&tool, numbers[t][i], &none);
      wrong += !found || strcmp(found, name) != 0;
    }
  CU_ASSERT_EQUAL(wrong, 0);
}

static void test_too_many(void)
{
  CU_ASSERT_EQUAL(gasp_create_event(&tool, "one more", NULL), GASP_UPC_USEREVT_END + 1);
  CU_ASSERT_EQUAL(gasp_create_event(&tool, "another", NULL), GASP_UPC_USEREVT_END + 1);
  CU_ASSERT_EQUAL(tool.users, NUMBERS);
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"events of several threads", test_several_threads},
      {"more than there are numbers", test_too_many},
  };
  const int bad = RUN_SUITE("gasp tool", tests);
  for (uint32_t i = 0; i < tool.users; i++) free(tool.user[i]);
  free(tool.user);
  return bad;
}
