/* The kernel's symbols, which libfabric looks through when it begins. */
#ifndef CONDUITS_OFI_SYMBOLS_H
#define CONDUITS_OFI_SYMBOLS_H

/* Between the two the library of this handle finds none of them; 0: it does, for it is to, or cannot be kept from it. */
int pst_ofi_symbols_hide(void *library);
void pst_ofi_symbols_show(void);

#endif
