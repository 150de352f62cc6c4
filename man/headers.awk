# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Reads C headers; prints what they declare, a line each: name, tab, kind, tab, text. Kinds: f function, v
# variable, t type, d macro (text: parameters in parentheses or nothing, tab, what it stands for). Macros that
# make declarations (PST_... with ##) count as the declarations that they make, with ## in the names:
# shmem_##N##_put. Knows the C of these headers and no more; tests/check_manuals.sh compares the result with a
# compiler's.

FNR == 1 { if (NR > 1) end_of_file(); code = held = ""; in_comment = depth = 0 }
{
  line = uncommented($0)
  if (held != "") line = held " " line
  held = ""
  if (line ~ /\\$/) { held = substr(line, 1, length(line) - 1); next }
  if (line ~ /^[ \t]*#/) directive(line)
  else if (!skipped()) code = code " " line
}
END { end_of_file() }

function end_of_file() {
  if (in_comment || depth != 0) stop("a comment or #if is not closed")
  declarations(code)
}
function stop(why) { print "man/headers.awk: " FILENAME ": " why >"/dev/stderr"; failed = 1; exit 1 }

function uncommented(s,   out, at) {
  out = ""
  while (s != "") {
    if (in_comment) {
      at = index(s, "*/")
      if (!at) return out
      s = substr(s, at + 2)
      in_comment = 0
    } else {
      at = index(s, "/*")
      if (!at) return out s
      out = out substr(s, 1, at - 1) " "
      s = substr(s, at + 2)
      in_comment = 1
    }
  }
  return out
}

# Conditions: what is for C++, UPC compilers and strict prototypes is left out. Of all other alternatives each
# is read, and the first declaration of a name stands.
function directive(line,   word) {
  sub(/^[ \t]*#[ \t]*/, "", line)
  word = line
  sub(/[^a-z].*/, "", word)
  if (word ~ /^if/) {
    depth++
    left_out[depth] = 0
    if (line ~ /__cplusplus|__UPC__|GASNET_USE_STRICT_PROTOTYPES|PST_SHMEM_CALLS/)
      left_out[depth] = word == "ifndef" || line ~ /!defined/ ? 2 : 1
  } else if (word == "else" || word == "elif") {
    if (left_out[depth]) left_out[depth] = 3 - left_out[depth]
  } else if (word == "endif") {
    if (depth == 0) stop("#endif without #if")
    depth--
  } else if (word == "define" && !skipped()) define(substr(line, 7))
}
# left_out: 1 nothing counts until #else, 2 nothing from there
function skipped(   i) {
  for (i = 1; i <= depth; i++) if (left_out[i] == 1) return 1
  return 0
}

function define(s,   name, parameters, body) {
  gsub(/[ \t]+/, " ", s)
  sub(/^ /, "", s)
  match(s, /^[A-Za-z_0-9]+/)
  name = substr(s, 1, RLENGTH)
  body = substr(s, RLENGTH + 1)
  parameters = ""
  if (substr(body, 1, 1) == "(") {
    parameters = substr(body, 1, index(body, ")"))
    body = substr(body, length(parameters) + 1)
  }
  sub(/^ /, "", body)
  sub(/ $/, "", body)
  if (name ~ /^PST_/) {
    if (body ~ /##/) declarations(body)
  } else if (name !~ /_H$|_H_$/) {
    emit(name, "d", parameters "\t" body)
  }
}

# Splits at ; and at function bodies, which are left out; the braces of types stay.
function declarations(s,   head, c, braces) {
  gsub(/[ \t]+/, " ", s)
  head = ""
  braces = 0
  while (match(s, /[;{}]/)) {
    c = substr(s, RSTART, 1)
    head = head substr(s, 1, RSTART - 1)
    s = substr(s, RSTART + 1)
    if (braces > 0 || (c == "{" && head ~ /(struct|enum)( [A-Za-z_]+)? *$/)) {
      head = head c
      if (c == "{") braces++
      else if (c == "}") braces--
    } else if (c == ";") {
      declaration(head)
      head = ""
    } else if (c == "{") {
      if (head !~ /extern "C" *$/) {
        declaration(head)
        s = after_body(s)
      }
      head = ""
    } else {
      head = ""
    }
  }
}
function after_body(s,   n) {
  for (n = 1; n > 0 && match(s, /[{}]/); s = substr(s, RSTART + 1)) n += substr(s, RSTART, 1) == "{" ? 1 : -1
  return s
}

function declaration(s,   name, at, n, i, names) {
  while ((at = match(s, /(__attribute__|PST_PRINTF|PST_ALIGNED) *\(/)) > 0)
    s = substr(s, 1, at - 1) after_parenthesis(substr(s, at + RLENGTH))
  gsub(/static inline|extern __inline__|PST_[A-Z_]*INLINE|PST_SHMEM_ALWAYS/, " ", s)
  gsub(/PST_(BEGIN|END)_C|__extension__|extern "C"/, " ", s)
  gsub(/__restrict__/, "restrict", s)
  gsub(/\(PST_[A-Z]+\)/, "", s) # EACH(PST_PARAMETER): parameters that a macro makes are named EACH
  gsub(/ +/, " ", s)
  sub(/^ /, "", s)
  sub(/ $/, "", s)
  while (s !~ /^PST_UPC ?\(/ && match(s, /^PST_[A-Z_]+ ?\(/)) {
    s = after_parenthesis(substr(s, RLENGTH + 1))
    sub(/^ /, "", s)
  }
  if (s ~ /^PST_UPC ?\(/) {
    for (i = 1; i <= 2; i++) {
      at = index(s, ",")
      names[i] = substr(s, 1, at - 1)
      s = substr(s, at + 1)
    }
    sub(/^PST_UPC ?\(/, "", names[1])
    sub(/^ /, "", names[2])
    sub(/^ /, "", s)
    sub(/\)$/, "", s)
    s = names[1] (names[1] ~ /\*$/ ? "" : " ") "upc_" names[2] s
    emit("bupc_" names[2], "f", s)
  }
  if (s ~ /^typedef /) {
    name = s
    if (s !~ /\{/ && match(s, /\(\*[A-Za-z_0-9#]+\)/)) name = substr(s, RSTART + 2, RLENGTH - 3)
    else sub(/.*[ *}]/, "", name)
    emit(name, "t", s)
  } else if (s ~ /^extern / && s !~ /[A-Za-z_0-9#]\(/) {
    sub(/^extern /, "", s)
    if (match(s, /\(\*[A-Za-z_0-9]+\)/)) { emit(substr(s, RSTART + 2, RLENGTH - 3), "v", s); return }
    n = split(s, names, ",")
    for (i = 1; i <= n; i++) {
      name = names[i]
      sub(/.*[ *]/, "", name)
      emit(name, "v", s)
    }
  } else if (match(s, /[A-Za-z_0-9#]+\(/)) {
    emit(substr(s, RSTART, RLENGTH - 1), "f", s)
  }
}
# What is behind the parenthesis that was opened before s.
function after_parenthesis(s,   n) {
  for (n = 1; n > 0 && match(s, /[()]/); s = substr(s, RSTART + 1)) n += substr(s, RSTART, 1) == "(" ? 1 : -1
  return s
}

function emit(name, kind, text) {
  if (name == "" || name ~ /^(pst_|PST_)/ || (kind, name) in seen) return
  seen[kind, name] = 1
  print name "\t" kind "\t" text
}
