/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bench/control/svg.h"

void escaped(FILE *out, const char *text)
{
  for (; *text; text++) switch (*text) {
    case '&': fputs("&amp;", out); break;
    case '<': fputs("&lt;", out); break;
    case '>': fputs("&gt;", out); break;
    case '"': fputs("&quot;", out); break;
    case '\'': fputs("&#39;", out); break;
    default: fputc(*text, out);
    }
}

void svg_begin(FILE *out, double width, double height, const char *title)
{
  fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" width=\"%g\" height=\"%g\"",
      width, height, width, height);
  fputs(" role=\"img\" font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', Helvetica, Arial, sans-serif\""
        " font-size=\"12\">\n<title>",
      out);
  escaped(out, title);
  fputs("</title>\n", out);
  svg_box(out, 0, 0, width, height, "fill=\"#ffffff\"");
}

void svg_end(FILE *out) { fputs("</svg>\n", out); }

void svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *style)
{
  fprintf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n", x1, y1, x2, y2, style);
}

void svg_box(FILE *out, double x, double y, double width, double height, const char *style)
{
  fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\"", x, y);
  fprintf(out, " width=\"%.1f\" height=\"%.1f\" %s/>\n", width, height, style);
}

void svg_text(FILE *out, double x, double y, enum anchor anchor, const char *style, const char *text)
{
  static const char *const name[] = {"start", "middle", "end"};
  fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>", x, y, name[anchor], style);
  escaped(out, text);
  fputs("</text>\n", out);
}

void svg_mark(FILE *out, double x, double y, const char *color, int hollow, const char *hint)
{
  fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%g\"", x, y, hollow ? 2.6 : 3.2);
  fprintf(out, " stroke=\"%s\" stroke-width=\"1.5\" fill=\"%s\"><title>", color, hollow ? "#ffffff" : color);
  escaped(out, hint);
  fputs("</title></circle>\n", out);
}
