/* A library's calls of a function, sent elsewhere and back: this program's own, and those of another. Of functions that no sanitizer has a version of. */
#include "support/redirect.c"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "tests/unit/suite.h"

enum { OTHER = 4242 };
static pid_t other(void) { return OTHER; }

/* Compilers may read the table once for several calls in one function. */
static __attribute__((noinline)) pid_t parent_now(void) { return getppid(); }

/* The protection of the page where p is, as /proc/self/maps says it. */
static void protection_of(const void *p, char letters[5])
{
  char line[512];
  unsigned long begin, end;
  FILE *f = fopen("/proc/self/maps", "r");
  letters[0] = 0;
  while (f && fgets(line, sizeof line, f)) {
    char found[5];
    if (sscanf(line, "%lx-%lx %4s", &begin, &end, found) == 3 && (unsigned long)p >= begin && (unsigned long)p < end) strcpy(letters, found);
  }
  if (f) fclose(f);
}

static void test_own(void)
{
  const pid_t parent = parent_now();
  struct pst_redirect r, again;
  char before[5], after[5];
  void *self = dlopen(NULL, RTLD_NOW);
  protection_of(place_of(self, "getppid"), before); /* read-only, as the program is linked */
  CU_ASSERT_FATAL(pst_redirect_begin(self, "getppid", (pst_function *)other, &r) == 1);
  CU_ASSERT(parent_now() == OTHER);
  pst_redirect_end(&r);
  CU_ASSERT(parent_now() == parent);
  CU_ASSERT(pst_redirect_begin(self, "getppid", (pst_function *)other, &again) == 1);
  protection_of(r.place, after);
  CU_ASSERT(before[0] == 'r' && strcmp(before, after) == 0);
  CU_ASSERT(again.place == r.place && parent_now() == OTHER);
  pst_redirect_end(&again);
  CU_ASSERT(parent_now() == parent);
  dlclose(self);
}

static void test_unknown(void)
{
  struct pst_redirect r;
  void *self = dlopen(NULL, RTLD_NOW);
  CU_ASSERT(pst_redirect_begin(self, "there_is_no_such_function", (pst_function *)other, &r) == 0);
  pst_redirect_end(&r);
  CU_ASSERT(pst_redirect_begin(self, "", (pst_function *)other, &r) == 0);
  dlclose(self);
}

/* This program calls as before when another library's calls go elsewhere. */
static void test_another(void)
{
  const pid_t parent = parent_now();
  struct pst_redirect r;
  void *cunit = dlopen("libcunit.so.1", RTLD_NOW);
  if (!cunit) {
    printf("libcunit.so.1 is not to be loaded ... ");
    return;
  }
  CU_ASSERT(pst_redirect_begin(cunit, "getppid", (pst_function *)other, &r) == 0);
  CU_ASSERT(pst_redirect_begin(cunit, "time", (pst_function *)other, &r) == 1);
  CU_ASSERT(time(NULL) != OTHER);
  pst_redirect_end(&r);
  CU_ASSERT(parent_now() == parent);
  dlclose(cunit);
}

int main(void)
{
  static const struct unit_test tests[] = {
    {"this program's calls", test_own}, {"what it does not call", test_unknown}, {"another library's calls", test_another},
  };
  return RUN_SUITE("support/redirect", tests);
}
