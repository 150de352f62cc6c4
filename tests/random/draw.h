/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Random numbers from a seed, and texts, for generators of programs. */
#ifndef TESTS_RANDOM_DRAW_H
#define TESTS_RANDOM_DRAW_H

void draw_begin(unsigned long seed);
unsigned long long draw_state(void);
void draw_again(unsigned long long state);
int draw(int n);                  /* 0 to n - 1 */
int draw_from(int low, int high); /* both inclusive */
int chance(int percent);
void shuffle(int *list, int n);
/* Lives as long as the program. */
const char *text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
