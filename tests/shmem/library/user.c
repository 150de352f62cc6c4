/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Uses a shared library's variables as symmetric objects. --private 1: also those that only the library has.
 * --loaded PATH: only the private one, not symmetric, of a library that is loaded at run time. */
#include "../common.h"
#include "library.h"

#include <dlfcn.h>

static int next_pe(void) { return (test.me + 1) % test.pes; }
static int previous_pe(void) { return (test.me + test.pes - 1) % test.pes; }

static void exchange(long *word, long before, const char *what)
{
  CHECK(*word == before, "%s: at the start %ld, not %ld", what, *word, before);
  CHECK(shmem_addr_accessible(word, next_pe()) == 1, "%s: not accessible", what);
  shmem_barrier_all();
  shmem_long_p(word, 100 + test.me, next_pe());
  shmem_barrier_all();
  CHECK(*word == 100 + previous_pe(), "%s: %ld, not %d", what, *word, 100 + previous_pe());
  shmem_barrier_all();
  CHECK(shmem_long_fadd(word, 5, next_pe()) == 100 + test.me, "%s: fadd", what);
  shmem_barrier_all();
  CHECK(shmem_long_g(word, previous_pe()) == 105 + (previous_pe() + test.pes - 1) % test.pes, "%s: g", what);
  shmem_barrier_all();
}

static void loaded(const char *path)
{
  void *library = dlopen(path, RTLD_NOW);
  REQUIRE(library, "dlopen: %s", dlerror());
  long *(*private)(void);
  *(void **)&private = dlsym(library, "library_private");
  REQUIRE(private, "dlsym: %s", dlerror());
  CHECK(shmem_addr_accessible(private(), next_pe()) == 0, "accessible: a library's that was loaded later");
  shmem_barrier_all();
  shmem_long_p(private(), 1, next_pe());
  shmem_barrier_all();
}

int main(int argc, char **argv)
{
  const char *with_private = test_option(&argc, argv, "--private"),
             *path = test_option(&argc, argv, "--loaded");
  test_start("user", &argc, &argv);
  if (path) {
    loaded(path);
    return test_finish();
  }
  exchange(&library_copied, 31, "a copied variable");
  CHECK(library_sees() == library_copied, "the library sees %ld, not %ld", library_sees(), library_copied);
  exchange(&library_large[3999], 0, "a copied array");
  if (with_private) {
    exchange(library_private(), 32, "a private variable");
    exchange(library_private_zero(), 0, "a private array");
  }
  return test_finish();
}
