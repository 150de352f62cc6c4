# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Splits a page of Markdown into its code blocks. For each one a file OUT/N with its text, OUT/N.given with
# the declarations that it takes as given, and a line of the index, whose fields are separated by tabs, -
# where there is nothing:
#   N  line  kind  name  what it needs
# The convention is at the head of tests/check_docs.sh. Code that no fence surrounds, and what is not closed,
# is the kind "bad: why".

function entry(number, line, kind, name, needs) {
  print number "\t" line "\t" kind "\t" (name == "" ? "-" : name) "\t" (needs == "" ? "-" : needs)
}
function bad(line, why) { entry(++count, line, "bad: " why); printf "" >(out "/" count) }

function forget() { needs = given = ""; directive_line = 0 }

# The text between <!-- WORD: and -->, of one line or several.
function directive(text) {
  sub(/[ \t]*-->[ \t]*$/, "", text)
  sub(/^ *<!-- /, "", text)
  directive_line = NR
  if (text ~ /^needs: /) needs = substr(text, 8)
  else if (text ~ /^given:/) given = substr(text, 7)
  else bad(NR, "no such directive: " text)
}

function open_block() {
  match($0, /^ */); indent = RLENGTH
  match($0, /`+|~+/); fence = substr($0, RSTART, RLENGTH)
  words = substr($0, RSTART + RLENGTH)
  n = split(words, word, " ")
  kind = n ? word[1] : "bad: a fence without a kind"
  if (n > 2) kind = "bad: more than a kind and a name: " words
  entry(++count, NR, kind, n > 1 ? word[2] : "", needs)
  printf "" >(out "/" count)
  if (given != "") print given >(out "/" count ".given")
  opened = NR; forget()
}
function in_block(line) {
  if (line ~ "^ *" fence "[ \t]*$") { close(out "/" count); opened = 0; return }
  for (i = 0; i < indent && substr(line, 1, 1) == " "; i++) line = substr(line, 2)
  print line >(out "/" count)
}

opened { in_block($0); next }
comment != "" { comment = comment "\n" $0; if (/-->/) { directive(comment); comment = "" } next }
/^ *(```|~~~)/ { open_block(); blank = 0; next }
/^ *<!-- [a-z][a-z ]*:/ && !/<!-- fails:/ { if (/-->/) directive($0); else comment = $0; next }
/^[ \t]*$/ { blank = 1; next }
/^(    |\t)/ && (blank || NR == 1) && !/^[ \t]+([-*+]|[0-9]+[.)]) / {
  if (!code) bad(NR, "an indented block: surround it with a fence that says its kind")
  code = 1; next
}
{ if (directive_line) bad(directive_line, "a directive with no block behind it"); forget(); blank = 0 }
!/^(    |\t)/ { code = 0 }
END {
  if (opened) bad(opened, "a block that is not closed")
  if (comment != "" || directive_line) bad(NR, "a directive with no block behind it")
}
