#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# gasnet_info without a job: every conduit says whether it works, and if not, why; a report has what a reader
# needs and no names; JSON is valid.
# time-limit: 120
# lists: full short plain
set -u
. "$(dirname "$0")/script.sh"
info=$build/bin/gasnet_info
place=${tmp//[^A-Za-z0-9_\/]/.} # in an expression: paths may have + and the like
for v in ${!GASNET_@} ${!FI_@} ${!UCX_@} ${!UPC_@} ${!SMA_@} ${!SHMEM_@}; do unset "$v"; done

# run EXIT-CODE [NAME=VALUE...] -- OPTION...: output in out and err.
run() {
  local code=$1 set=() got; shift
  while [ "$1" != -- ]; do set+=("$1"); shift; done
  shift
  what="${set[*]} gasnet_info $*"
  env "${set[@]}" "$info" "$@" >"$tmp/out" 2>"$tmp/err"; got=$?
  [ $got -eq "$code" ] || { fail "$what: exit code $got, expected $code"; head -3 "$tmp/err"; }
}
says() {
  grep -qE -e "$1" "$tmp/out" || {
    fail "$what: does not say \"$1\""; grep -E '^ .*(works|said)' "$tmp/out" | head -5
  }
}
says_not() { ! grep -qF -e "$1" "$tmp/out" || fail "$what: says \"$1\": $(grep -F -m 1 -e "$1" "$tmp/out")"; }
quiet() { [ ! -s "$tmp/err" ] || fail "$what: says on standard error: $(head -2 "$tmp/err")"; }
# The contents of a conduit's group.
of() { sed -n "/^  $1\$/,/^  [a-z]*\$\|^\$/p" "$tmp/out" | sed 1d; }
of_says() {
  of "$1" | grep -qE -e "$2" || { fail "$what: conduit $1 does not say \"$2\""; of "$1" | head -4; }
}

run 0 --
quiet
for s in configuration conduits limits launchers host; do says "^$s\$"; done
says '^  compiler  .*[0-9]'; says '^  flags '; says '^  configured with '; says '^  open files  '
says '^  locked memory  '; says '^  PMIx  '; says '^  MPI  '
mapfile -t conduits < <(sed -n '/^conduits/,/^limits/s/^  \([a-z]*\)$/\1/p' "$tmp/out")
[[ " ${conduits[*]} " == *' smp '* ]] || fail "$what: lists the conduits ${conduits[*]}"
for c in "${conduits[@]}"; do
  of_says "$c" '^    works here  *(yes|no: .)'; of_says "$c" '^    medium message'
done
of_says smp 'works here  *yes'
# Where the libraries lie that this run has found.
where() { of "$1" | sed -n 's/^    library  *//p'; }
declare -A library
for c in "${conduits[@]}"; do library[$c]=$(where "$c"); done
has() { [[ " ${conduits[*]} " == *" $1 "* ]]; }
for c in ofi ucx; do has $c || says "^  $c  *not built"; done

# ---- what is missing is named ----

run 0 "GASNET_TMPDIR=$tmp/none" --
of_says smp "works here  *no: .*$place/none.*No such"
run 0 GASNET_MAX_SEGSIZE=abc GASNET_MAX_THREADS=x --
says 'GASNET_MAX_SEGSIZE is not valid'; says 'GASNET_MAX_THREADS is not valid'

# A library under the loader's name in a directory that comes first; not if configure was given a directory.
instead() { # conduit, library, file that is put in its place
  [[ ${library[$1]} == */usr/lib/* || ${library[$1]} == /lib/* ]] || {
    echo "note: the library of $1 lies in ${library[$1]}: not replaced"; return 1
  }
  rm -rf "$tmp/lib"; mkdir "$tmp/lib"
  cp "$3" "$tmp/lib/$2"
  run 0 "LD_LIBRARY_PATH=$tmp/lib" --
  quiet
}
c_library() {
  printf '%s\n' "$2" | ${CC:-cc} -shared -fPIC -x c - -o "$tmp/$1" 2>"$tmp/err" || {
    fail "cannot compile $1"; cat "$tmp/err"
  }
}
: >"$tmp/empty"
c_library crash '#include <signal.h>
__attribute__((constructor)) static void crash(void) { signal(SIGSEGV, SIG_DFL); raise(SIGSEGV); }'
c_library late '#include <signal.h>
__attribute__((constructor)) static void late(void) { raise(SIGALRM); }'
c_library talk '#include <unistd.h>
__attribute__((constructor)) static void talk(void) { (void)!write(2, "no device of mine\n", 18); }'
for pair in ofi:libfabric.so.1 ucx:libucs.so.0; do
  c=${pair%:*} l=${pair#*:}
  has $c || continue
  instead $c "$l" "$tmp/empty" || continue
  of_says $c "works here  *no: .* cannot be used: .*$l"
  instead $c "$l" "$tmp/crash" && of_says $c 'works here  *no: .*died of signal 11'
  instead $c "$l" "$tmp/late" && of_says $c 'works here  *no: .*did not end within [0-9]+ seconds'
  instead $c "$l" "$tmp/talk" && {
    of_says $c 'works here  *no: .* cannot be used'; of_says $c 'said  *no device of mine'
  }
done
if has ofi && run 0 -- && of ofi | grep -q 'works here  *yes'; then
  of_says ofi 'version  *libfabric [12]\.'
  of_says ofi 'provider  *[a-z0-9;_]+: device .*, reaches .*, largest transfer ([0-9]+|any), inject [0-9]+'
  run 0 GASNET_OFI_PROVIDER=nothing --
  of_says ofi 'works here  *no: .*GASNET_OFI_PROVIDER=nothing'
  [ "$PST_FAULTS" = no ] || {
    run 0 GASNET_OFI_MR=nonsense --
    of_says ofi 'works here  *no: GASNET_OFI_MR="nonsense"'
  }
fi
if has ucx && run 0 -- && of ucx | grep -q 'works here  *yes'; then
  of_says ucx 'version  *UCX 1\.'
  of_says ucx 'transport  *[a-z0-9_]+/.'
  run 0 GASNET_UCX_TLS=nonsense --
  of_says ucx 'works here  *no: UCX: .*GASNET_UCX_TLS'
fi

# ---- launchers ----

mkdir "$tmp/path" "$tmp/path/srun"
printf '#!/bin/sh\n' >"$tmp/path/mpirun.some"; chmod +x "$tmp/path/mpirun.some"
ln -s mpirun.some "$tmp/path/mpirun"
: >"$tmp/path/mpiexec"
run 0 "PATH=$tmp/path" --
says "^  mpirun  *$place/path/mpirun, which is .*/mpirun.some"; says '^  mpiexec  *none in PATH'
says '^  srun  *none in PATH'

# ---- the environment ----

run 0 GASNET_BARIER=AUTO GASNET_QQQQ=1 -- --env
says '^GASNET_BARIER$'; says 'did you mean GASNET_BARRIER\?'; says '^GASNET_QQQQ$'

# ---- the report ----

host=$(hostname 2>/dev/null || cat /proc/sys/kernel/hostname)
private=(GASNET_HOSTS=alpha,beta GASNET_RSH='ssh -l carol' "GASNET_TRACEFILE=/x/$host/10.11.12.13/t" \
  UCX_NET_DEVICES=fe80::1:2 FI_X_AUTH_KEY=5ecret HOME=/home/dave
  GASNET_STATSFILE=/home/dave/s GASNET_BARRIER=NONSENSE GASNET_BARIER=AUTO)
run 0 "${private[@]}" -- --report
quiet
for s in configuration conduits limits launchers system processors memory network environment; do
  says "^$s\$"
done
says '^  kernel  *Linux '; says '^  C library  *glibc '; says '^  processors  *[0-9]'; says '^  available  '
says '^  interface  *lo: '
says '^  GASNET_BARRIER  *NONSENSE  NOT VALID: it must be AUTO'; says 'did you mean GASNET_BARRIER'
says '^  GASNET_STATSFILE  *~/s$'
[ ${#host} -lt 3 ] || says '^  GASNET_TRACEFILE  */x/\(host\)/\(address\)/t$'
for word in alpha carol 10.11.12.13 fe80::1 5ecret dave; do says_not "$word"; done
! grep -E '([0-9]{1,3}\.){3}[0-9]{1,3}|([0-9a-f]{2}:){5}[0-9a-f]{2}' "$tmp/out" ||
  fail "$what: shows addresses"
[ "$(grep -vc '^  interface' "$tmp/out")" -lt 160 ] ||
  fail "$what: $(wc -l <"$tmp/out") lines are more than a page"
run 0 "${private[@]}" -- --report --names
for word in alpha,beta 'ssh -l carol' "/x/$host/10.11.12.13/t" fe80::1:2 5ecret; do says "$word"; done

# ---- JSON ----

if command -v python3 >/dev/null; then
  value=$(printf 'a"\\\001\377\303\244')
  json() { # title, expression that must be true of d
    python3 -c 'import json, sys
d = json.load(open(sys.argv[1], encoding="utf-8"))
assert eval(sys.argv[2]), sys.argv[2]' "$tmp/out" "$1" 2>"$tmp/err" || fail "$what: $(tail -1 "$tmp/err")"
  }
  run 0 "GASNET_TRACEFILE=$value" -- --json
  json 'set(d) >= {"penstock", "configuration", "conduits", "limits", "launchers", "host"}'
  json 'd["conduits"]["smp"]["works_here"] is True and d["limits"]["message_arguments"] == 16'
  json 'all(type(p["name"]) is str for c in d["conduits"].values() if type(c) is dict for p in '\
'c.get("provider", []) + c.get("transport", []))'
  run 0 GASNET_TMPDIR=/none "GASNET_TRACEFILE=$value" -- --report --json
  json 'd["conduits"]["smp"]["works_here"] is False and "/none" in d["conduits"]["smp"]["why_not"]'
  json '[i for i in d["network"]["interface"] if i["name"] == "lo"]'
  json 'd["environment"]["GASNET_TRACEFILE"] == "a\"\\\x01\ufffd\u00e4"'
  run 1 GASNET_BARRIER=NONSENSE GASNET_BARIER=AUTO -- --env --json
  json '[v for v in d["environment"]["variable"] if v["name"] == "GASNET_BARRIER" and not v["is_valid"] '\
'and v["now"] == "NONSENSE"]'
  json 'd["environment"]["unknown"] == [{"name": "GASNET_BARIER", "nearest": "GASNET_BARRIER"}]'
else
  echo "note: without python3 nobody reads the JSON"
fi

# ---- misuse ----

for o in '--names' '--report --env' '--json --vis-cost' '--env --man --json' '--report word'; do
  run 2 -- $o
  grep -q usage: "$tmp/err" || fail "$what: prints no usage"
done
"$info" >/dev/full 2>"$tmp/err" && fail "a full disk is no error"
grep -q 'cannot write' "$tmp/err" || fail "a full disk: says $(head -1 "$tmp/err")"
for o in --help --version; do "$info" $o >/dev/full 2>/dev/null && fail "$o to a full disk is no error"; done
[ $bad -eq 0 ] && echo ok
exit $bad
