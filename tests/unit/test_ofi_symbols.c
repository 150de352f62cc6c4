/* The kernel's symbols are hidden from whoever asks for them by fopen, they alone, and for a while. */
#include "conduits/ofi/symbols.c"

#include "tests/unit/suite.h"

static __attribute__((noinline)) int opens(const char *path)
{
  FILE *f = fopen(path, "r");
  if (f) fclose(f);
  return f != NULL;
}

static void test_hidden(void)
{
  void *self = dlopen(NULL, RTLD_NOW);
  const int here = opens("/proc/kallsyms");
  if (!pst_ofi_symbols_hide(self)) printf("this program has an fopen of its own, as by clang's sanitizers ... ");
  else CU_ASSERT(!opens("/proc/kallsyms"));
  CU_ASSERT(opens("/proc/self/maps"));
  pst_ofi_symbols_show();
  CU_ASSERT(opens("/proc/kallsyms") == here);
  dlclose(self);
}

static void test_again(void)
{
  void *self = dlopen(NULL, RTLD_NOW);
  const int here = opens("/proc/kallsyms");
  pst_ofi_symbols_show(); /* without the other */
  for (int i = 0; i < 3; i++) {
    const int hidden = pst_ofi_symbols_hide(self);
    CU_ASSERT(opens("/proc/kallsyms") == (here && !hidden));
    pst_ofi_symbols_show();
  }
  CU_ASSERT(opens("/proc/kallsyms") == here);
  dlclose(self);
}

int main(void)
{
  static const struct unit_test tests[] = { {"hidden, and shown", test_hidden}, {"again and again", test_again} };
  return RUN_SUITE("conduits/ofi/symbols", tests);
}
