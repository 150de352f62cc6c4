/* What the checks know of this thread's handler-safe locks; 0 but in debug builds. */
#ifndef CORE_HSL_H
#define CORE_HSL_H
int pst_hsl_held(void); /* how many this thread holds */

#endif
