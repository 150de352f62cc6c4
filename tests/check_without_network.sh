#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# A machine without a network's library: what ./setup demo installs, and a job's message on several hosts.
# time-limit: 60
set -u
. "$(dirname "$0")/script.sh"
bad() { echo "FAIL $*"; sed 's/^/  | /' "$tmp/out" | cut -c1-250 | tail -8; failed=1; }
says() { grep -qE -- "$1" "$tmp/out" || bad "no '$1'"; }
silent() { ! grep -qE -- "$1" "$tmp/out" || bad "'$1' is there"; }

# ---- ./setup demo, on a machine that has a compiler, make, and apt-get ----

# Its PATH holds what the script itself uses, and three programs of this test: gcc finds no network library
# before the package is installed; apt-get records its arguments, and finds no package if the file `absent`
# exists; configure ends the demo.
mkdir "$tmp/bin" "$tmp/tree"
for p in sh cat tr mkdir mktemp rm dirname env id getconf make gcc; do
  at=$(command -v $p) || { echo "$p is missing here" >&2; exit 77; }
  ln -s "$at" "$tmp/bin/$p"
done
rm "$tmp/bin/gcc"
cat >"$tmp/bin/gcc" <<END
#!/bin/sh
case " \$* " in *' -lfabric '*) [ -e "$tmp/installed" ] || exit 1 ;; *' -lucp '*) exit 1 ;; esac
END
cat >"$tmp/bin/apt-get" <<END
#!/bin/sh
echo "apt-get \$*"
case "\$*" in update*) exit 0 ;; esac
[ ! -e "$tmp/absent" ] || exit 100
case "\$*" in *libfabric-dev*) : >"$tmp/installed" ;; esac
END
printf '#!/bin/sh\nexec "$@"\n' >"$tmp/bin/sudo"
printf '#!/bin/sh\necho configuring\nexit 1\n' >"$tmp/tree/configure"
cp "$src/setup" "$tmp/tree/setup"
chmod +x "$tmp/bin/gcc" "$tmp/bin/apt-get" "$tmp/bin/sudo" "$tmp/tree/configure"

demo() {
  env -i PATH="$tmp/bin" "$tmp/bin/sh" "$tmp/tree/setup" demo "$@" >"$tmp/out" 2>&1 &&
    bad 'setup demo went on after configure had failed'
  says '^configuring$'
}
demo
says '^apt-get update'; says '^apt-get install .*libfabric-dev'; silent 'could not be installed'
demo
silent 'apt-get'
rm -f "$tmp/installed"; : >"$tmp/absent"
demo
says '^libfabric-dev could not be installed: programs will run on this host alone$'
demo --no-packages
silent '^apt-get'; says '^missing, so programs will run on this host alone: libfabric-dev'
rm "$tmp/bin/apt-get"
demo
says '^missing, so programs will run on this host alone: libfabric-dev'

# ---- a job on several hosts, with a library without networks ----

cat >"$tmp/job.c" <<'END'
#include <gasnet.h>
int main(int argc, char **argv) { return gasnet_init(&argc, &argv) == GASNET_OK; }
END
cat >"$tmp/rsh" <<'END'
#!/bin/sh
shift
exec "$@"
END
chmod +x "$tmp/rsh"
sanitize=(); [ "${PST_SANITIZE:-no}" = no ] || sanitize=("-fsanitize=$PST_SANITIZE")
debug=(); [ "${PST_DEBUG:-no}" = no ] || debug=(-DGASNET_DEBUG)
# The list of conduits comes before the library's, so that the linker omits the latter.
${CC:-cc} -std=gnu11 "${sanitize[@]}" "${debug[@]}" -DGASNET_SEQ '-DPST_CONDUITS=X(smp)' -I"$src" \
  -I"$build/include" -I"$src/include" \
  -o "$tmp/job" "$tmp/job.c" "$src/core/conduits.c" "$build/libpenstock-internal.a" -pthread -ldl \
  -lm >"$tmp/out" 2>&1 || bad 'the program does not link'
timeout $((20 * ${PST_TIME_SCALE:-1})) "$build/bin/gasnetrun" --rsh "$tmp/rsh" -n 2 -H h1,h2 \
  "$tmp/job" >"$tmp/out" 2>&1 </dev/null && bad 'the job ran'
[ "$(grep -c 'several hosts' "$tmp/out")" -eq 1 ] || bad 'not one message'
case " $(. /etc/os-release 2>/dev/null; echo "${ID-} ${ID_LIKE-}") " in
  *' debian '* | *' ubuntu '*) packages='libfabric-dev or libucx-dev' ;;
  *' fedora '* | *' rhel '*) packages='libfabric-devel or ucx-devel' ;;
  *' suse '*) packages='libfabric-devel or libucp-devel' ;;
  *' arch '*) packages='libfabric or openucx' ;;
  *) packages='the development files of libfabric or UCX' ;;
esac
says "this library was built without one: install $packages.*, configure and build it again"
exit $failed
