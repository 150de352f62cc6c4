/* How the controller, and what it shares with the launcher, report an error that ends it. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "launch/options.h"

void fail(int code, const char *format, ...)
{
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  fflush(stdout);
  dprintf(STDERR_FILENO, "gasnetbench: %s\n", text);
  exit(code);
}
