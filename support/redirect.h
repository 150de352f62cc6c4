/* One library's calls of a function, sent elsewhere for a while. All others call it as before. */
#ifndef SUPPORT_REDIRECT_H
#define SUPPORT_REDIRECT_H

typedef void pst_function(void);
struct pst_redirect { pst_function **place, *before; };

/* 1: calls of the function of that name, by the library that dlopen() gave the handle of, go to `to` until pst_redirect_end(). 0: it makes none, or
 * its calls cannot be told on this system; nothing is changed. Either
 * may be called while the library runs, by one thread at a time. */
int pst_redirect_begin(void *handle, const char *name, pst_function *to, struct pst_redirect *r);
void pst_redirect_end(const struct pst_redirect *r);

#endif
