/* Start, queries, pointers and caches: sections 7.1 to 7.7, 7.16 and 7.62 to 7.68; beside them the later names of the same. */
#include "shmem/fortran.h"

#include <string.h>

void start_pes_(const f_integer *npes) { start_pes(npes ? *npes : 0); }
PST_F_NAMES(start_pes, START_PES)

void shmem_init_(void) { shmem_init(); }
PST_F_NAMES(shmem_init, SHMEM_INIT)

void shmem_finalize_(void) { shmem_finalize(); }
PST_F_NAMES(shmem_finalize, SHMEM_FINALIZE)

void shmem_global_exit_(const f_integer *status) { shmem_global_exit(*status); }
PST_F_NAMES(shmem_global_exit, SHMEM_GLOBAL_EXIT)

#define PLACE(name, NAME, c) \
  f_integer name##_(void) { return c(); } \
  PST_F_NAMES(name, NAME)

PLACE(my_pe, MY_PE, _my_pe)
PLACE(num_pes, NUM_PES, _num_pes)
PLACE(shmem_my_pe, SHMEM_MY_PE, _my_pe)
PST_F_FUNCTION_NAMES(shmem_my_pe, SHMEM_MY_PE)
PLACE(shmem_n_pes, SHMEM_N_PES, _num_pes)
PST_F_FUNCTION_NAMES(shmem_n_pes, SHMEM_N_PES)

f_integer shmem_pe_accessible_(const f_integer *pe) { return shmem_pe_accessible(*pe) ? F_TRUE : F_FALSE; }
PST_F_NAMES(shmem_pe_accessible, SHMEM_PE_ACCESSIBLE)
PST_F_FUNCTION_NAMES(shmem_pe_accessible, SHMEM_PE_ACCESSIBLE)

f_integer shmem_addr_accessible_(void *addr, const f_integer *pe) { return shmem_addr_accessible(addr, *pe) ? F_TRUE : F_FALSE; }
PST_F_NAMES(shmem_addr_accessible, SHMEM_ADDR_ACCESSIBLE)
PST_F_FUNCTION_NAMES(shmem_addr_accessible, SHMEM_ADDR_ACCESSIBLE)

/* For a Cray pointer: an INTEGER of 8 bytes. */
void *shmem_ptr_(void *target, const f_integer *pe) { return shmem_ptr(target, *pe); }
PST_F_NAMES(shmem_ptr, SHMEM_PTR)
PST_F_FUNCTION_NAMES(shmem_ptr, SHMEM_PTR)

void shmem_info_get_version_(f_integer *major, f_integer *minor) { shmem_info_get_version(major, minor); }
PST_F_NAMES(shmem_info_get_version, SHMEM_INFO_GET_VERSION)

/* As CHARACTER variables are: filled up with blanks, without a zero. */
void shmem_info_get_name_(char *name, size_t length)
{
  char text[SHMEM_MAX_NAME_LEN];
  shmem_info_get_name(text);
  size_t n = strlen(text);
  if (n > length) n = length;
  memcpy(name, text, n);
  memset(name + n, ' ', length - n);
}
PST_F_NAMES(shmem_info_get_name, SHMEM_INFO_GET_NAME)

#define CACHE(name, NAME)             \
  void shmem_##name##_(void) { shmem_##name(); } \
  PST_F_NAMES(shmem_##name, SHMEM_##NAME)
#define CACHE_LINE(name, NAME)        \
  void shmem_##name##_(void *target) { shmem_##name(target); } \
  PST_F_NAMES(shmem_##name, SHMEM_##NAME)

CACHE(set_cache_inv, SET_CACHE_INV)
CACHE(clear_cache_inv, CLEAR_CACHE_INV)
CACHE(udcflush, UDCFLUSH)
CACHE_LINE(set_cache_line_inv, SET_CACHE_LINE_INV)
CACHE_LINE(clear_cache_line_inv, CLEAR_CACHE_LINE_INV)
CACHE_LINE(udcflush_line, UDCFLUSH_LINE)
