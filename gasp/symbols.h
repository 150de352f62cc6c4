/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Names of the program's functions. */
#ifndef GASP_SYMBOLS_H
#define GASP_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

/* The name of the function that begins at this value in the symbol table of an ELF file's bytes, or NULL.
 * Where there is one, it lies among the bytes. The file may be anything. */
const char *pst_gasp_symbol(const unsigned char *file, size_t size, uint64_t value);

#endif
