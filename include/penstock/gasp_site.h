/* Where the program is that calls next: code compiled with upccc --inst says it before each call that causes events. */
#ifndef PENSTOCK_GASP_SITE_H
#define PENSTOCK_GASP_SITE_H
#ifdef __cplusplus
extern "C" {
#endif

extern int pst_gasp_on; /* is there a tool? */

/* This thread's next call; file stays for ever. line -1: it causes no events (#pragma pupc off). */
void pst_gasp_set_site(const char *file, int line, int column);

/* No event of a function itself. */
__attribute__((no_instrument_function)) static inline void pst_gasp_here(const char *file, int line, int column)
{
  if (__builtin_expect(pst_gasp_on, 0)) pst_gasp_set_site(file, line, column);
}

#ifdef __cplusplus
}
#endif
#endif
