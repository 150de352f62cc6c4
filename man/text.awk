# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Text: what sources write, and what headers say of events. Part of man/pages.awk.

function escaped(s) {
  gsub(/\\/, "\\e", s)
  gsub(/-/, "\\-", s)
  return s
}
function verbatim(s) {
  s = escaped(s)
  gsub(/'/, "\\(aq", s)
  gsub(/\^/, "\\(ha", s)
  gsub(/~/, "\\(ti", s)
  if (s ~ /^\./) s = "\\&" s
  return s
}
# `code` is bold, {parameter} in italics, name(3) a reference; "= term" begins an entry of a list; an empty
# line a paragraph.
function prose(s,   out, w) {
  if (s == "") return ".PP"
  if (s ~ /^\.S[HS] /) section = s
  if (s ~ /^\./ && s !~ /^\.([A-Z][A-Z]?|br|nf|fi)( |$)/) stop("no request begins so: " s)
  if (s ~ /^\./) return s
  if (s ~ /^= /) return ".TP\n" prose(substr(s, 3))
  out = ""
  while (match(s, /`[^`]*`|\{[][A-Za-z_0-9.*>-]+\}|[A-Za-z_][A-Za-z_0-9]*\([1-8]\)/)) {
    out = out substr(s, 1, RSTART - 1)
    w = substr(s, RSTART, RLENGTH)
    s = substr(s, RSTART + RLENGTH)
    if (w ~ /^`/) w = "\\fB" escaped(substr(w, 2, length(w) - 2)) "\\fP"
    else if (w ~ /^\{/) w = "\\fI" escaped(substr(w, 2, length(w) - 2)) "\\fP"
    else w = "\\fB" substr(w, 1, length(w) - 3) "\\fP" substr(w, length(w) - 2)
    out = out w
  }
  return out s
}
# Routines of Fortran, whose pages have names in small letters; man(1) finds them in capitals, too.
function fortran(n, w,   i) {
  if (last ~ /^\\fB[A-Z0-9_]+\\fP$/) page_body = substr(page_body, 1, length(page_body) - 1) ",\n"
  for (i = 1; i <= n; i++) {
    link(tolower(w[i]))
    body("\\fB" w[i] "\\fP" (i < n ? "," : ""))
  }
}
function use(piece,   file, line, got) {
  file = pieces "/" piece ".txt"
  while ((got = (getline line <file)) > 0) body(prose(line))
  close(file)
  if (got < 0) stop("cannot read " file)
}

# What a header says of its constants: of each comment but the first, lines of two columns become entries of a
# list. The constants that follow are listed.
function events(name_of_header,   file, line, got, inside, comments, listed, name) {
  file = header_dir "/" name_of_header
  while ((got = (getline line <file)) > 0) {
    if (line ~ /^\/\*/) {
      inside = 1; comments++; listed = 0
      sub(/^\/\*/, "  ", line)
      if (comments > 1) body(".PP")
    }
    if (inside) {
      inside = line !~ /\*\//
      sub(/ *\*\/.*/, "", line)
      sub(/^ \*/, "  ", line)
      if (comments > 1) comment_line(substr(line, 4))
    } else if (match(line, /^#define [A-Z_]+_[A-Z]+ /)) {
      name = substr(line, 9, RLENGTH - 9)
      if (name !~ /_H$/) { body((listed++ ? ".br\n" : ".PP\n") "\\fB" name "\\fP"); link(name) }
    }
  }
  close(file)
  if (got < 0) stop("cannot read " file)
}
function comment_line(s,   at, indent) {
  match(s, /^ */)
  indent = RLENGTH
  s = substr(s, indent + 1)
  if (indent < 8 && match(s, /[^ ]  +[^ ]/)) {
    at = RSTART
    body(".TP\n" as_text(substr(s, 1, at)) "\n" as_text(substr(s, at + RLENGTH - 1)))
    return
  }
  if (indent < 8 && last ~ /^\.TP/) body(".PP")
  body(as_text(s))
}
function as_text(s) {
  sub(/^ +/, "", s)
  gsub(/\\/, "\\e", s)
  return s ~ /^[.']/ ? "\\&" s : s
}
