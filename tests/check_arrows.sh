#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Which layer may use which: the table in docs/architecture.md, which begins with "| layer | may include |",
# is compared with the #include lines of the sources, and with the names that the objects of the build define
# and use. A layer is a directory. The functions of the page's walk are where the page says.
# lists: full short plain
set -u
cd "${PST_SRCDIR:?}" || exit 1
work=$(mktemp -d "${TMPDIR:-/tmp}/arrows.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
page=docs/architecture.md bad=0
complain() { echo "$*"; bad=1; }

# Rows as "layer allowed": from the lowest layer to the uppermost, the order of the table.
sed -n '/^| layer | may include |/,/^$/p' $page |
  sed -n 's/^| `\([^`]*\)` |\([^|]*\)|.*/\1 \2/p' | tr -d '`,' >"$work/table"
[ "$(wc -l <"$work/table")" -gt 15 ] || complain "$page: no table of layers was found"

# A row names only rows above it: no cycle.
awk -v page=$page '
  { line[$1] = NR
    for (i = 2; i <= NF; i++) {
      to = $i
      if (to ~ /\.h$/) sub(/\/[^\/]*$/, "", to)
      if ((to in line) && to != $1) continue
      print page ": " $1 " may include " $i ", which no row above it is about"
      bad = 1
    } }
  END { exit bad }' "$work/table" || bad=1

# "file included-file" for each include of a file of the tree; the public headers are one layer.
find bench bootstrap caf conduits core examples extended front gasp launch shmem support teams tools upc vis \
  xmp xmpcc xmpf90 -name '*.[ch]' >"$work/files"
[ "$(wc -l <"$work/files")" -gt 350 ] || complain "too few sources were found"
xargs grep -oHE '^[[:blank:]]*#[[:blank:]]*include "[^"]*"' <"$work/files" |
  sed 's/:[^"]*"/ /; s/"$//' >"$work/includes"
awk -v page=$page '
  function layer(f) { sub(/\/[^\/]*$/, "", f); return f }
  FILENAME ~ /table$/ { for (i = 2; i <= NF; i++) may[$1, $i] = 1; known[$1] = 1; next }
  FILENAME ~ /files$/ { file[$1] = 1; next }
  { from = layer($1)
    if (($2 in file) && $2 ~ /\//) to = $2
    else if ((from "/" $2) in file) next
    else to = "include/" $2
    if (layer(to) == from || to ~ /^include/ && from ~ /^include/) next
    target = to ~ /^include/ ? "include" : layer(to)
    if ((from, target) in may || (from, to) in may) next
    print $1 " includes " $2 (from in known ? ", which its layer may not" : "; " page " has no row for it")
    bad = 1 }
  END { exit bad }' "$work/table" "$work/files" "$work/includes" || bad=1

# The page's steps of a put, and those of a directive: "| `function` | `file` | ...", where a macro may make
# the function.
sed -n 's/^| `\([a-z_]*\)` | `\([a-z_/]*\.[ch]\)` |.*/\1 \2/p' $page docs/translator.md >"$work/walk"
[ "$(wc -l <"$work/walk")" -gt 22 ] || complain "$page, docs/translator.md: the walks were not found"
while read -r function file; do
  grep -qE "(\b$function\(|\(${function%_nb_bulk},)" "$file" ||
    complain "$file has no function $function, of which the documentation speaks"
done <"$work/walk"

# An object uses only names of its own layer and of rows above. Two objects are lists that the makefile
# writes: of the conduits, and of the layers' tables of variables. A build for tests has the library's objects
# for the shared library alone. GASP's tools are libraries of their own, which the runtime finds by name.
cd "${PST_BUILDDIR:?}" || exit 1
lists=' core/conduits.o support/layers.o '
while read -r layer rest; do
  for source in "$PST_SRCDIR/$layer"/*.c; do # what a removed source has left in the build is not asked
    object=${source##*/} object=$layer/${object%.c}.o
    [[ $lists != *" $object "* ]] || continue
    if [ -f "pic/$object" ] && [ "$layer" != gasp/tools ]; then echo "pic/$object"
    elif [ -f "obj/$object" ]; then echo "obj/$object"; fi
  done | xargs -r nm -A 2>/dev/null | awk -v layer="$layer" '
    { kind = $(NF - 1)
      print layer, $NF, kind ~ /[Uvw]/ ? "uses" : kind ~ /[TDBRCVW]/ ? "has" : "local", $1 }'
done <"$work/table" | grep -E '^[^ ]+ (pst_|gasnet)' >"$work/names"
awk '
  FILENAME ~ /table$/ { row[$1] = NR; next }
  $3 == "has" { at[$2] = $1; next }
  $3 == "uses" { used[++n] = $0 }
  END {
    for (i = 1; i <= n; i++) {
      split(used[i], u, " ")
      if (!(u[2] in at) || row[at[u[2]]] <= row[u[1]]) continue
      print u[4] " " u[1] " uses " u[2] " of " at[u[2]] ", which is above it"
      bad = 1
    }
    exit bad || n < 500
  }' "$work/table" "$work/names" || bad=1
exit $bad
