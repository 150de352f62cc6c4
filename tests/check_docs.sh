#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Every code block of README.md, CONTRIBUTING.md and docs/*.md is compiled and run, against an installation of
# the build under test. Its fence says the block's kind; a kind that is not listed here is a failure, and so
# is an indented block.
#   ```c            with a main it is a program, which is compiled without warnings and run by 4
#                   processes; else a fragment, compiled as the body of a function or as what stands
#                   outside of one, with the headers that its calls need
#   ```c halo.c     kept under this name for commands further down the page; there must be some
#                   that use it. So with other kinds
#   ```c examples/halo.c   lines from that file of the source tree, in its order
#   ```fortran      a program, by oshfort, or where it speaks of images by caf
#   ```sh           commands for bash -e; a line that ends with "# exits with N" must do so
#   ```console      lines "$ command" (and "> " to continue), each with all that it prints, in any
#                   order: ... stands for any text, alone for any lines
#   ```make  ```cmake  kept as Makefile or CMakeLists.txt, and built by
#   ```text         nothing of the kind; is not run, and may not look like commands
# A comment <!-- ... --> right before a block changes what is done with it:
#   needs: WORD          left out, and reported, where there is no such program; gdb: where it cannot
#                        attach to processes; debug: other than in a build with --enable-debug; network:
#                        without a network conduit, ofi, ucx: without that one; libdw: where configure has
#                        not found it; namespaces: where there may be no network namespaces; emulation:
#                        unless PST_EMULATION=yes, as it takes minutes
#   given: DECLARATIONS  what a fragment in C uses and does not show
# Commands run in a directory of the page's own, a copy of the source tree in which build is the build under
# test. A page that runs ./setup finds no build there, or what an earlier page has set up. /usr/local and
# PREFIX are the installation; node1, node2 and so on are this machine; launchers that are not here are
# reported. All is done as it stands, with less of what takes long (tests/docs/commands.sh): gasnetbench
# measures one round of each point, builds are at -O0 and compile a file that is compiled the same way a
# second time only once, make builds a part of the test programs, and tests/run runs a part of the tests.
# time-limit: 3000
# lists: release debug
set -u
LC_ALL=C; export LC_ALL
src=${PST_SRCDIR:?} build=${PST_BUILDDIR:?} make=${MAKE:-make} debug=${PST_DEBUG:-no} \
  scale=${PST_TIME_SCALE:-1} list=${PST_LIST:-full}
[ "${PST_SANITIZE:-no}" = no ] || {
  echo "skip: what the pages show is of builds without sanitizers"; exit 77
}
command -v pkg-config >/dev/null || {
  echo "skip: pkg-config is not installed (Debian: apt-get install pkg-config)"; exit 77
}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL
. "$src/tests/docs/kinds.sh"
. "$src/tests/docs/commands.sh"
prefix=$tmp/installed blocks=0 left_out=0 bad=0 limit=(timeout -k 5 $((60 * scale))) builds_limit=(timeout \
  -k 5 $((300 * scale)))

(cd "$build" && "$make" --no-print-directory -j2 install "prefix=$prefix") >"$tmp/log" 2>&1 || {
  echo "FAIL: make install"; tail -15 "$tmp/log"; exit 1
}
mapfile -t conduits < <("$prefix/bin/gasnet_info" | sed -n '/^conduits/,/^limits/s/^  \([a-z]*\)$/\1/p' |
  grep -v '^smp$')
make_commands "$tmp/bin"
# What tests/run tells its tests of this build, compilers included, is not for the builds in the pages.
for v in ${!PST_@} CC CXX; do case $v in PST_TEST | PST_EMULATION) ;; *) unset $v ;; esac; done
export PATH=$tmp/bin:$prefix/bin:$PATH PKG_CONFIG_PATH=$prefix/lib/pkgconfig GASNET_RSH=$tmp/bin/rsh \
  PST_DOCS_SKIPPED=$tmp/skipped
export HOME=$tmp/home CFLAGS=-O0 CXXFLAGS=-O0 FCFLAGS=-O0 PST_BUILDS=gcc \
  PST_ONLY='value unit/test_parse check_death' PST_ROUNDS=1
mkdir "$HOME"

# ---- one block ----

skip() { echo "$*" >>"$PST_DOCS_SKIPPED"; }
skipped_here() { [ -s "$PST_DOCS_SKIPPED" ]; }
localised() { sed "s|/usr/local|$prefix|g; s|\bPREFIX\b|$prefix|g" "$1"; }
later() { echo "$1	$where" >>"$tmp/names"; } # a command further down must use it

# Whether gdb can attach to a process that is not its child.
gdb_attaches() {
  local pid rc
  command -v gdb >/dev/null || return 1
  sleep 60 & pid=$!
  gdb -nx -batch -p $pid -ex 'info registers' 2>/dev/null | grep -q '^[rx]'; rc=$?
  kill $pid; wait $pid 2>/dev/null
  return $rc
}

unmet() { # WORD: why the block is left out
  case $1 in
    -) return 1 ;;
    debug) [ "$debug" = yes ] && return 1; echo "it shows a build with --enable-debug" ;;
    network)
      [ ${#conduits[@]} -gt 0 ] && return 1; echo "no network conduit was built (Debian: libfabric-dev)" ;;
    ofi | ucx) [[ " ${conduits[*]} " == *" $1 "* ]] && return 1; echo "the conduit $1 was not built" ;;
    namespaces) [ "$(id -u)" -eq 0 ] && unshare -m -n ip link add bridge type bridge 2>/dev/null && return 1
                echo "network namespaces need root, ip (Debian: iproute2) and a kernel that permits them" ;;
    emulation) [ "${PST_EMULATION-}" = yes ] && return 1; echo "PST_EMULATION=yes runs it, in minutes" ;;
    libdw) grep -q PST_LIBDW "$build/Makefile" && return 1
      echo "this build finds no lines (Debian: libdw-dev)" ;;
    gdb) gdb_attaches && return 1; echo "there is no gdb (Debian: gdb), or it may not attach to processes" ;;
    *) command -v "$1" >/dev/null && return 1; echo "there is no $1 (Debian: $1)" ;;
  esac
}

# Leaves its complaint in $tmp/said.
run_block() { # KIND
  given=$block.given; [ -f "$given" ] || : >"$given"
  : >"$PST_DOCS_SKIPPED"
  case $1 in bad:*) echo "${1#bad: }" >"$tmp/said"; return 1 ;; esac
  declare -F "do_$1" >/dev/null || { echo "a block of the unknown kind '$1'" >"$tmp/said"; return 1; }
  if unmet "$needs" >"$PST_DOCS_SKIPPED"; then :
  else (cd "$page_dir" && "do_$1")
  fi >"$tmp/said" 2>&1
}

one_block() { # number line kind name needs
  block=$tmp/blocks/$1 where=$page:$2 name=$4 needs=$5
  blocks=$((blocks + 1))
  if ! run_block "$3"; then
    bad=$((bad + 1)); echo "FAIL: $where: $(head -1 "$tmp/said")"
    sed 1d "$tmp/said" | cut -c1-250 | tail -25 | sed 's/^/    /'
  fi
  if [ "$3" = sh ] || [ "$3" = console ] || [ "$3" = make ] || [ "$3" = cmake ]; then used; fi
  ! skipped_here || {
    left_out=$((left_out + 1)); sort -u "$PST_DOCS_SKIPPED" | sed "s|^|left out: $where: |"
  }
}
# Takes the names that the block mentions off the list; names left at a page's end were never run.
used() {
  local file at
  [ -s "$tmp/names" ] || return 0
  while IFS=$'\t' read -r file at; do
    [ "$at" != "$where" ] && grep -qF -e "${file%.*}" "$block" || printf '%s\t%s\n' "$file" "$at"
  done <"$tmp/names" >"$tmp/names.left"
  mv "$tmp/names.left" "$tmp/names"
}

# ---- pages ----

# Without builds and logs in it, and as if not configured itself.
copy_tree() { # DIRECTORY
  local builds
  mapfile -t builds < <(cd "$src" &&
    find . -mindepth 2 \( -path ./.git -o -path ./build -o -path ./tests/log \) -prune -o -name \
    config.status -printf '--exclude=%h\n' -prune)
  mkdir "$1"
  tar -C "$src" --exclude=./.git --exclude=./build --exclude=./tests/log "${builds[@]}" -cf - . |
    tar -C "$1" -xf - || return
  [ ! -f "$1/Makefile" ] || "$make" -s -C "$1" distclean
}
copy_tree "$tmp/tree" >"$tmp/log" 2>&1 || {
  echo "FAIL: the source tree cannot be copied"; tail -15 "$tmp/log"; exit 1
}

# All pages share the place, so that the next can use what one has built.
make_page_dir() { # FILE
  page_dir=$tmp/page
  [ -L "$page_dir/build" ] || [ ! -d "$page_dir/build" ] || mv "$page_dir/build" "$tmp/set-up"
  rm -rf "$page_dir"; cp -a "$tmp/tree" "$page_dir"
  if ! grep -q '^\./setup ' "$1"; then ln -s "$build" "$page_dir/build"
  elif [ -d "$tmp/set-up" ]; then mv "$tmp/set-up" "$page_dir/build"
  fi
}

one_page() { # FILE, the name to be shown
  page=$2
  make_page_dir "$1"
  rm -rf "$tmp/blocks"; mkdir "$tmp/blocks"; : >"$tmp/names"
  awk -v out="$tmp/blocks" -f "$src/tests/docs/blocks.awk" "$1" >"$tmp/index" || {
    echo "FAIL: $page: cannot be split into blocks"; bad=$((bad + 1))
  }
  while IFS=$'\t' read -r -u 7 number line kind name needs; do
    one_block "$number" "$line" "$kind" "$name" "$needs"
  done 7<"$tmp/index"
  while IFS=$'\t' read -r file at; do
    bad=$((bad + 1)); echo "FAIL: $at: no command below uses $file"
  done <"$tmp/names"
}

# ---- the check itself: each line of tests/docs/faulty.md that promises a failure gets it ----

check_faults() {
  local line text found=0
  one_page "$src/tests/docs/faulty.md" faulty.md >"$tmp/faults"
  while IFS=: read -r line text; do
    text=${text#*fails: } text=${text%% -->*} found=$((found + 1))
    grep -qE "^FAIL: faulty.md:[0-9]+: .*$text|^    .*$text" "$tmp/faults" || {
      echo "FAIL: faulty.md:$line: not noticed: $text"; faults_bad=1
    }
  done < <(grep -n '^<!-- fails: ' "$src/tests/docs/faulty.md")
  [ "$found" -eq "$bad" ] || {
    echo "FAIL: faulty.md: $bad failures, $found expected"; cat "$tmp/faults"; faults_bad=1
  }
}

# The page about conduits builds with one more: tests/check_template.sh runs it, unless this build has that.
# The short list runs what shows a debug build.
pages=("$@") faults_bad=0
if [ $# -eq 0 ] && [ "$list" = short ]; then pages=($(cd "$src" &&
  grep -l '^<!-- needs: debug -->' README.md docs/*.md))
elif [ $# -eq 0 ]; then
  check_faults
  bad=$faults_bad blocks=0 left_out=0
  pages=(README.md CONTRIBUTING.md $(cd "$src" && echo docs/*.md))
  [[ " ${conduits[*]} " == *" template "* ]] || pages=($(printf '%s\n' "${pages[@]}" |
    grep -vx docs/porting.md))
fi
for p in "${pages[@]}"; do one_page "$src/$p" "$p"; done
[ $bad -eq 0 ] && echo "ok: $blocks blocks of ${#pages[@]} pages, $left_out of them left out" && exit 0
echo "$bad failures in $blocks blocks"
exit 1
