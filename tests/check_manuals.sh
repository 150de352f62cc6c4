#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# The manual: each public name of the headers has a page, each page a name; a compiler accepts synopses beside
# the headers; references lead somewhere; pages are set without a warning; examples compile.
# time-limit: 400
# lists: full short plain
set -u
. "$(dirname "$0")/script.sh"
[ -f "$build/include/gasnet_config.h" ] || { echo "FAIL: no include/gasnet_config.h in $build"; exit 1; }
wings="-I$src/include/penstock-upc -I$src/include/penstock-shmem -I$src/include/penstock-gasp \
-I$src/include/penstock-xmp"
# MPI need not be here.
mkdir "$tmp/mpi"
cp "$src/tests/xmp/mpi/stand_in.h" "$tmp/mpi/mpi.h"
cc="${CC:-cc} -std=gnu11 -I$src/include -I$build/include $wings -I$tmp/mpi"
man=$tmp/man
differ() { # message, file of names
  [ -s "$2" ] || return 0
  fail "$1:"; head -30 "$2" | sed 's/^/    /'
}

"$src/man/generate" "$man" >"$tmp/log" 2>&1 || { fail "man/generate"; cat "$tmp/log"; exit 1; }
[ ! -s "$tmp/log" ] || { fail "man/generate says"; cat "$tmp/log"; }
grep -rlE '__inline__|PST_[A-Z]+' "$man/man3" >"$tmp/inside"
differ "pages that show how headers write inline functions" "$tmp/inside"
# Every awk makes the same pages.
for awk in mawk gawk original-awk 'busybox awk'; do
  command -v "${awk%% *}" >/dev/null 2>&1 || continue
  printf '#!/bin/sh\nexec %s "$@"\n' "$awk" >"$tmp/awk"; chmod +x "$tmp/awk"
  AWK=$tmp/awk "$src/man/generate" "$tmp/other" >"$tmp/log" 2>&1 &&
    diff -r "$man" "$tmp/other" >>"$tmp/log" 2>&1 ||
    { fail "man/generate with $awk"; head -5 "$tmp/log"; }
  rm -rf "$tmp/other"
done

# Wrong sources are refused, with the line and the reason.
mkdir -p "$tmp/wrong/man/calls"
ln -s "$src/include" "$tmp/wrong/include"
cp "$src"/man/generate "$src"/man/*.awk "$src"/man/*.[137] "$tmp/wrong/man"
refused() { # what is to be said, source
  printf '@page wrong 3\n@brief a page\n%b\n' "$2" >"$tmp/wrong/man/calls/wrong.in"
  "$tmp/wrong/man/generate" "$tmp/other" >"$tmp/log" 2>&1 && fail "man/generate takes: $2"
  grep -q "wrong.in:[0-9]*: $1" "$tmp/log" || { fail "man/generate does not say \"$1\""; cat "$tmp/log"; }
}
refused 'no header declares gasnet_nothing' '@call gasnet_nothing'
refused 'no header defines gasnet_put' '@define gasnet_put'
refused 'no header has GASNET_NOTHING' '@name GASNET_NOTHING'
refused 'gasnet_put is on the page wrong, too' \
  '@call gasnet_put\n.SH DESCRIPTION\n@page other 3\n@brief another\n@call gasnet_put'
refused 'no such directive: @unknown' '@unknown'
refused 'text before .SH' 'text'
refused 'no request begins so' '.SH DESCRIPTION\n... and so on'
refused 'cannot read' '.SH DESCRIPTION\n@use nothing'
refused 'an example without @end' '.SH EXAMPLES\n@example\nint i;'
rm -rf "$tmp/other"

# ---- names ----

# What the headers themselves define and declare, without the system's headers: "d NAME" for macros, "c TEXT"
# for code.
of_headers() { # flags and headers
  for a; do case $a in -*) ;; *) echo "#include <$a>" ;; esac; done >"$tmp/all.c"
  flags=; for a; do case $a in -*) flags="$flags $a" ;; esac; done
  $cc $flags -E -dD "$tmp/all.c" | awk -v a="$src/include/" -v b="$build/include/" '
    /^# [0-9]+ "/ { file = $3; gsub(/"/, "", file); ours = index(file, a) == 1 || index(file, b) == 1; next }
    ours && /^#define / { name = $2; sub(/\(.*/, "", name); print "d", name; next }
    ours && !/^#/ { print "c", $0 }'
}
public='gasnet[tx]?_|GASNET[TX]?_|b?upc_|B?UPC_|(MYTHREAD|THREADS)$|gaspu?_|GASP_|pupc_'
public="$public|shmem_|_?SHMEM_|shm(alloc|align|emalign|realloc|free)$|start_pes$|_(my_pe|num_pes|n_pes)$"
public="$public|xmp[ct]?_|XMPT?_"
names_of() { # flags and headers
  of_headers "$@" >"$tmp/text"
  awk '$1 == "d" { print $2 }' "$tmp/text" | grep -Ev '^PST_|^pst_|_H_?$|^_(INCLUDED_)?GASNET'
  sed -n 's/^c //p' "$tmp/text" | sed 's/struct *[A-Za-z_]*//g; s/"[^"]*"//g' |
    grep -oE '[A-Za-z_][A-Za-z_0-9]*' | grep -E "^($public)" |
    grep -v '^gasnett_threadkey_of_'
}
{ for mode in SEQ PARSYNC PAR; do names_of -DGASNET_$mode gasnetx.h gasnet_coll.h gasnet_tools.h; done
  names_of -DGASNETT_THREAD_SINGLE -DGASNET_DEBUGMALLOC gasnet_tools.h
  names_of upc_memory.h; names_of -DPST_SHMEM_CALLS shmem.h; names_of xmp_io.h xmpt.h xmp_mpi.h
  names_of -DPENSTOCK_PUPC_FUNCTIONS gasp.h gasp_upcalls.h pupc.h; } | sort -u >"$tmp/names"
[ "$(wc -l <"$tmp/names")" -gt 1000 ] ||
  fail "only $(wc -l <"$tmp/names") public names were found in the headers"
(cd "$man" && printf '%s\n' man[37]/*) | sed 's|.*/||; s|\.[37]$||' | sort -u >"$tmp/pages"
comm -23 "$tmp/names" "$tmp/pages" >"$tmp/lacking"
differ "public names without a page; add them to a file of man/calls" "$tmp/lacking"

# Directives of XcalableMP, as the translator knows them.
grep -o '{"[a-z_]*", DIRECTIVE_' "$src/xmpcc/directive.c" | sed 's/{"\(.*\)",.*/xmp_\1/' |
  sort -u >"$tmp/directives"
[ "$(wc -l <"$tmp/directives")" -gt 20 ] || fail "the directives were not found in xmpcc/directive.c"
comm -23 "$tmp/directives" "$tmp/pages" >"$tmp/lacking"
differ "directives of XcalableMP without a page" "$tmp/lacking"

(cd "$man" && grep -L '^\.so ' man[137]/*) >"$tmp/real"

# Links lead from names in the headers, if only for another machine, or from Fortran's.
(cd "$man" && grep -H '^\.so ' man[37]/*) | sed 's|^man[37]/\(.*\)\.[37]:\.so |\1 |' >"$tmp/so"
sed 's/ .*//' "$tmp/so" | sort >"$tmp/links"
{ find "$src/include" -name "*.h" -o -name "*.in" | xargs cat | grep -oE '[A-Za-z_][A-Za-z_0-9]*'
  echo GASNET_DEBUG; echo GASNET_NDEBUG # a build has one of them
} | sort -u - "$tmp/names" "$tmp/directives" >"$tmp/words"
: >"$tmp/fortran"
if [ -f "$build/libpenstock-shmem.so.1" ]; then
  nm -D --defined-only "$build/libpenstock-shmem.so.1" | awk '{ sub(/@.*/, "", $NF); print $NF }' |
    sed -n '/^pst_/d; s/^\([a-z].*[^_]\)_$/\1/p' | sort -u >"$tmp/fortran"
  [ "$(wc -l <"$tmp/fortran")" -gt 120 ] || fail "Fortran's routines were not found in libpenstock-shmem.so.1"
  comm -23 "$tmp/fortran" "$tmp/pages" >"$tmp/lacking"
  differ "routines of Fortran without a page" "$tmp/lacking"
  sort -u "$tmp/words" "$tmp/fortran" | comm -13 - "$tmp/links" >"$tmp/idle"
  differ "pages for names that nothing has" "$tmp/idle"
else
  echo "note: no libpenstock-shmem.so.1 in $build; Fortran's names were not checked"
fi

# ---- pages ----

# Each SYNOPSIS again, after its headers: compilers refuse what differs. Macros and types are left out. A
# family has one member: TYPE int, 64 BITS, OP sum, M one argument. Pages with the same headers make one C
# file, in which #line names the page.
synopses() { # pages
  awk -v out="$tmp/synopsis" '
    FNR == 1 { finish(); shown = 0; page = FILENAME; sub(/.*\//, "", page) }
    /^\.SH SYNOPSIS/ { shown = 1; next }
    /^\.fi/ { shown = 0 }
    !shown || /^\.[SnfT]/ || /\\\(la/ { next }
    { gsub(/\\f[BIPR]/, ""); gsub(/\\-/, "-"); gsub(/\\e/, "\\") }
    /^#include/ { headers = headers $0 "\n"; next }
    /^#/ || /^[A-Za-z_0-9]+(\([^;]*\))?$/ { next }
    /^typedef/ { skip = 1 }
    !skip && /[^ ]/ { s = s " " $0 }
    /; *$/ { if (!skip && s ~ /\(|^ extern/) text = text "#line 1 \"" page "\"\n" s "\n"; s = ""; skip = 0 }
    END { finish() }
    function finish() {
      if (text ~ /\(/) {
        if (!(headers in number)) {
          number[headers] = ++n
          printf "%s", headers >(out "." n ".c")
        }
        printf "%s", text >(out "." number[headers] ".c")
      }
      headers = text = s = ""; skip = 0
    }' "$@"
  sed -E -i 's/_OP_to/_sum_to/; s/\bTYPE\b/int/g; s/_TYPE_/_int_/g; s/(put|get)BITS/\164/; '\
's/(gasnet_AM[A-Za-z]*)M\(/\11(/; s/ a0, +\.\.\./ a0/' "$tmp"/synopsis.*.c
}
# The code of examples, after what they need; fragments become functions.
examples() { # sources of pages
  awk -v out="$tmp/example" '
    /^@page / { page = $2; headers = "" }
    /^@header / { headers = ""; for (i = 2; i <= NF; i++) headers = headers "#include <" $i ">\n" }
    /^@given$/ { before = ""; given = 1; next }
    /^@example$/ { given = 0; code = ""; inside = 1; next }
    /^@end$/ { inside = 0; file = out (page ~ /^xmp/ ? "-xmp." : ".") page "." ++n ".c"
      whole = code ~ /\)\n\{\n/ || code ~ /^#include/
      if (page ~ /^xmp/) headers = headers "#include <xmp.h>\n"
      if (code ~ /printf|malloc|calloc|free\(/) headers = "#include <stdio.h>\n#include <stdlib.h>\n" headers
      if (!whole) code = "void example(void);\nvoid example(void)\n{\n" code "}\n"
      printf "%s%s%s", (code ~ /#include/ ? "" : headers), before, code >file
      close(file); before = "" }
    given { before = before $0 "\n" }
    inside { code = code $0 "\n" }' "$@"
}
compile() { # title, C files
  count=$((count + $# - 1))
  $cc -DGASNET_SEQ -DGASNET_DEBUGMALLOC -DPENSTOCK_PUPC_FUNCTIONS -fsyntax-only -Wall -Wextra -Werror \
    -Wno-unused "${@:2}" >"$tmp/log" 2>&1 ||
    { fail "$1"; sed "s|$tmp/example\\.||" "$tmp/log" | head -30; }
}
mapfile -t pages < <(sed -n "s|^man[37]/|$man/&|p" "$tmp/real")
synopses "${pages[@]}"
compile "these pages' SYNOPSIS is not what the headers say" "$tmp"/synopsis.*.c
[ "$(cat "$tmp"/synopsis.*.c | grep -c '^#line')" -gt 500 ] || fail "the synopses were not found"
examples "$src"/man/calls/*.in
compile "these pages have wrong examples" "$tmp"/example.*.c
for file in "$tmp"/example-xmp.*.c; do
  count=$((count + 1))
  "$build/bin/xmpcc" -std=gnu11 "-I$tmp/mpi" -fsyntax-only -Wall -Wextra -Werror -Wno-unused "$file" \
    >"$tmp/log" 2>&1 ||
    { fail "these pages have wrong examples"; sed "s|$tmp/example-xmp\.||" "$tmp/log" | head -30; }
done
[ "$(printf '%s\n' "$tmp"/example.*.c | wc -l)" -gt 40 ] || fail "the examples were not found"

# References: to pages that are here, or to the system's.
system=' abort(3) errno(3) exit(3) malloc(3) memcpy(3) memfd_create(2) printf(3) pthread_mutex_lock(3)
  setrlimit(2)
  ident(1) mpiexec(1) mpirun(1) nohup(1) pkg-config(1) prun(1) srun(1) strings(1) ulimit(1) '
(cd "$man" && {
  sed -n -e 's/\\-/-/g' -e 's/^\.BR \([A-Za-z_0-9.+-]*\) (\([1-8]\)).*/\1(\2)/p' \
    -e 's/^\.Xr \([^ ]*\) \([1-8]\).*/\1(\2)/p' $(<"$tmp/real")
  grep -ohE '\\fB[A-Za-z_0-9]+\\fP\([1-8]\)' $(<"$tmp/real") | sed 's/\\f[BP]//g'; }) | sort -u |
  while read -r ref; do
    name=${ref%(*} section=${ref##*(}; section=${section%)}
    [ -f "$man/man$section/$name.$section" ] || [[ $system == *" $ref "* || $system == *" $ref"$'\n'* ]] ||
      (cd "$man" && grep -lE "(BR|Xr|fB) *${name//-/\\\\?-}\b" $(<"$tmp/real") | sed "s/\$/: $ref/")
  done >"$tmp/dead"
differ "references that lead nowhere" "$tmp/dead"
while read -r name page; do [ -f "$man/$page" ] || echo "$name: $page"; done <"$tmp/so" >"$tmp/dead"
differ "links that lead nowhere" "$tmp/dead"

# groff and mandoc do not complain.
formatters=0
if command -v groff >/dev/null 2>&1; then
  formatters=1
  (cd "$man" && groff -z -mandoc -ww -Tutf8 $(<"$tmp/real")) >"$tmp/said" 2>&1
  differ "groff warns" "$tmp/said"
fi
if command -v mandoc >/dev/null 2>&1; then
  formatters=1
  (cd "$man" && mandoc -T lint -W error $(<"$tmp/real")) >"$tmp/said" 2>&1
  differ "mandoc finds errors" "$tmp/said"
fi
[ $formatters = 1 ] ||
  echo "note: neither groff nor mandoc is there (Debian: groff-base, mandoc); how pages are set was not "\
"checked"
[ $bad -eq 0 ] && echo "ok: $(wc -l <"$tmp/real") pages, $(wc -l <"$tmp/links") links, $count compilations"
exit $bad
