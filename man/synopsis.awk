# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Prototypes, types and constants, as SYNOPSIS shows them. Part of man/pages.awk.

function call(name,   s, k, tokens) {
  if (!(name in kind)) stop("no header declares " name)
  if (kind[name] == "d") {
    s = name text[name]
  } else {
    s = text[name]
    if (kind[name] == "v") s = "extern " s
  }
  if (s ~ /##/ || name ~ /##/) s = lettered(s)
  link(name)
  if (name ~ /^upc_/ && ("bupc_" substr(name, 5)) in kind) link("bupc_" substr(name, 5))
  title(generic(name))
  synopsis = synopsis styled(s (kind[name] == "d" ? "" : ";")) "\n"
}
# Each word for which @let has a meaning is replaced; ## falls away.
function lettered(s,   out, w) {
  out = ""
  while (match(s, /[A-Za-z_][A-Za-z_0-9]*/)) {
    w = substr(s, RSTART, RLENGTH)
    out = out substr(s, 1, RSTART - 1) ((w in letter) ? letter[w] : w)
    s = substr(s, RSTART + RLENGTH)
  }
  out = out s
  gsub(/##/, "", out)
  gsub(/ ,/, ",", out)
  return out
}

# Bold, parameters' names in italics, broken at commas.
function styled(s,   open, head, rest, n, i, part, parts, line, out, indent, plain, depth, c, k) {
  gsub(/\( +/, "(", s)
  open = index(s, "(")
  if (!open || s ~ /^extern|^#/) return "\\fB" escaped(s) "\\fP"
  head = substr(s, 1, open)
  rest = substr(s, open + 1)
  n = 0
  part = ""
  depth = 0
  for (i = 1; i <= length(rest); i++) {
    c = substr(rest, i, 1)
    if (c == "(") depth++
    if (c == ")") depth--
    part = part c
    if (c == "," && depth == 0) { parts[++n] = part; part = "" }
  }
  parts[++n] = part
  indent = length(head) < 42 ? length(head) : 8
  out = escaped(head)
  plain = length(head)
  for (i = 1; i <= n; i++) {
    part = parts[i]
    sub(/^ /, "", part)
    if (i > 1 && plain + 1 + length(part) > WIDTH) {
      out = out "\\fP\n" sprintf("%" indent "s", "") "\\fB"
      plain = indent
    } else if (i > 1) {
      out = out " "
      plain++
    }
    out = out parameter(part)
    plain += length(part)
  }
  return "\\fB" out "\\fP"
}
function parameter(s,   tail, name) {
  if (!match(s, /[,);]+$/)) return escaped(s)
  tail = substr(s, RSTART)
  s = substr(s, 1, RSTART - 1)
  if (s !~ /[ *]/ && s !~ /^[a-z]+$/ || s == "void" || !match(s, /[A-Za-z_][A-Za-z_0-9]*(\[[^]]*\])*$/))
    return escaped(s tail)
  name = substr(s, RSTART)
  s = substr(s, 1, RSTART - 1)
  match(name, /^[A-Za-z_0-9]+/)
  return escaped(s) "\\fI" substr(name, 1, RLENGTH) "\\fB" escaped(substr(name, RLENGTH + 1) tail)
}

function type(name,   s, n, i, w) {
  show(name)
  link(name)
  if (name ~ /^upc_/ && ("bupc_" substr(name, 5)) in kind) link("bupc_" substr(name, 5))
  s = text[name]
  if (s !~ /enum/) return
  sub(/^[^{]*\{ */, "", s)
  sub(/ *\}.*/, "", s)
  n = split(s, w, / *, */)
  for (i = 1; i <= n; i++) { sub(/ *=.*/, "", w[i]); link(w[i]) }
}
function show(name,   s, inner, m, i, w, line) {
  if (!(name in kind)) stop("no header declares " name)
  s = text[name]
  if (s ~ /##/) s = lettered(s)
  if (s ~ /pst_|^typedef struct [a-z_]+ /) {
    s = "typedef " (s ~ /\{/ ? "struct { ... } " : s ~ /\*/ ? "struct ... *" : "struct ... ") generic(name)
  }
  if (length(s) <= WIDTH || s !~ /\{/) { synopsis = synopsis styled(s ";") "\n"; return }
  inner = s
  sub(/^[^{]*\{ */, "", inner)
  sub(/ *\}.*/, "", inner)
  synopsis = synopsis "\\fB" substr(s, 1, index(s, "{")) "\n"
  if (s ~ /enum/) m = split(inner, w, / *, */)
  else m = split(inner, w, / *; */)
  line = ""
  for (i = 1; i <= m; i++) {
    if (w[i] == "") continue
    w[i] = w[i] (s ~ /enum/ ? (i < m ? "," : "") : ";")
    if (line != "" && (s !~ /enum/ || length(line) + 1 + length(w[i]) > WIDTH - 2)) {
      synopsis = synopsis "  " line "\n"
      line = ""
    }
    line = line (line == "" ? "" : " ") w[i]
  }
  sub(/.*\}/, "}", s)
  synopsis = synopsis "  " line "\n" s ";\\fP\n"
}

function constant(name) {
  if (!(name in kind) || kind[name] != "d") stop("no header defines " name)
  link(name)
  synopsis = synopsis "\\fB" escaped("#define " name text[name] " " value[name]) "\\fP\n"
}
