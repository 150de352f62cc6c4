# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Compares what a page says that a command prints with what it printed: compare.awk EXPECTED PRINTED. In an
# expected line ... stands for any text; a line that is nothing else stands for any lines. Lines come in any
# order, for processes write when they like. Prints what is wrong.
function like(text, pattern,    part, n, i, at) {
  n = split(pattern, part, /\.\.\./)
  if (n == 1) return text == pattern
  if (substr(text, 1, length(part[1])) != part[1]) return 0
  text = substr(text, length(part[1]) + 1)
  for (i = 2; i < n; i++) {
    if (!(at = index(text, part[i]))) { if (part[i] == "") continue; return 0 }
    text = substr(text, at + length(part[i]))
  }
  return length(text) >= length(part[n]) && substr(text, length(text) - length(part[n]) + 1) == part[n]
}
{ file = FILENAME == ARGV[1] ? 1 : 2 }
{ sub(/[ \t]+$/, "") }
file == 1 && /^[ \t]*\.\.\.$/ { others = 1; next }
file == 1 && NF { expected[++wanted] = $0; next }
file == 2 && NF {
  # A line that is expected twice is printed twice; one that is expected may be printed more often.
  for (e = 1; e <= wanted && (e in seen || !like($0, expected[e])); e++) {}
  if (e > wanted) for (e = 1; e <= wanted && !like($0, expected[e]); e++) {}
  if (e <= wanted) seen[e] = 1
  else if (!others) print "not expected: " $0
}
END { for (e = 1; e <= wanted; e++) if (!(e in seen)) print "not printed: " expected[e] }
