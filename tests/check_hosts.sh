#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the Penstock authors
# Jobs on several hosts, which are all this machine: the remote shell of these tests starts its command here.
# PST_ROUNDS rounds of sudden deaths.
# time-limit: 200
# lists: full soak
set -u
LC_ALL=C; export LC_ALL
unset GASNET_HOSTS GASNET_RSH
names=(h1 h2 h3 h4)
. "${PST_SRCDIR:?}/tests/hosts/common.sh"
cat >rsh <<'END'
#!/bin/sh
# HOST COMMAND...
case $1 in h[1-4]) ;; *) echo "rsh: $1: no such host" >&2; exit 1 ;; esac
shift
exec env -i PATH="$PATH" HOME=/there "$@"
END
chmod +x rsh
remote=(--rsh "$tmp/rsh")

check_places
FOO=1 BAR=2 HOSTNAME=here try 0 -n 2 -H h1,h2 sh -c 'echo "$FOO $BAR $HOME $(printenv HOSTNAME || echo none)"'
printed '1 2 /there none\n1 2 /there none\n' environment
FOO=1 BAR=2 GASNET_X=3 try 0 -n 2 -H h1,h2 --export FOO,HOME -E Y=4 sh \
  -c 'echo "$FOO,$BAR,$GASNET_X,$Y,$HOME"'
printed "1,,3,4,$HOME\n1,,3,4,$HOME\n" --export
check_output
check_input
check_codes
check_signals
check_deaths $((${PST_ROUNDS:-20} / 10 + 1))
check_much
check_refusals
check_misuse

# ---- hosts that are not like this one ----

cat >other <<'END'
#!/bin/sh
host=$1; shift
case $host in
  newer) read -r a b rest; echo "$a 2 $rest" | "$@" ;;         # another version of gasnetrun
  talkative) echo 'Welcome'; echo 'warning' >&2; exec "$@" ;;
  foreign) exec "$0.program" ;;                                # of another architecture
esac
END
chmod +x other; printf '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\xff\xff' >other.program; chmod +x other.program
remote=(--rsh "$tmp/other")
try 1 -n 1 -H newer "$job" info
said "host 'newer': the command ended with code 1 before it had connected" newer
said '^gasnetrun: newer: gasnetrun: gasnetrun here is of another version than where it was started$' \
  'what it printed'
try 0 -n 1 -H talkative "$job" info; holds 'a welcome does no harm' grep -q 'node 0 of 1, host 0 of 1' out
try 1 -n 1 -H foreign "$job" info
said "host 'foreign': the command ended with code [0-9]+ before it had connected" foreign
remote=(--rsh "$tmp/rsh")

# ---- strangers ----

# It knows where the launcher listens, but not the secret; then the daemon may do its work.
cat >attack <<'END'
#!/bin/bash
host=$1; shift
IFS= read -r line
read -r _ _ _ _ _ place _ <<<"$line"
at=/dev/tcp/${place%,*}/${place#*,}
hello='\0\0\0\x18\x01\0\0\0\0\0\0\x04\0\0\0\0AAAAAAAAAAAAAAAA'
exec 3<>$at; printf 'GET / HTTP/1.0\r\n\r\n' >&3; cat <&3 >garbage.got; exec 3>&-
exec 3<>$at; exec 3>&- # early close
exec 3<>$at; printf '\xff\xff\xff\xff\x01\0\0\0' >&3; cat <&3 >huge.got; exec 3>&-  # an impossible length
exec 3<>$at; printf "$hello" >&3; head -c 56 <&3 >challenge.got                     # a wrong proof
printf '\0\0\0\x20\x02\0\0\0BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB' >&3; cat <&3 >proof.got; exec 3>&-
exec 3<>$at; printf '\0\0\0\x20\x02\0\0\0BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB' >&3
cat <&3 >early.got; exec 3>&- # a proof unasked
exec 3<>$at; printf '\0\0\0\x18\x01\0\0\0\0\0\0\x04\0\0\xff\xffAAAAAAAAAAAAAAAA' >&3
cat <&3 >nohost.got; exec 3>&-
exec 3<>$at; printf '\0\0\0\x18\x01\0\0\0\0\0\0\x01\0\0\0\0AAAAAAAAAAAAAAAA' >&3
cat <&3 >version.got; exec 3>&-
exec 3<>$at; printf "$hello" | head -c 20 >&3; exec 3>&- # half a hello
exec 3<>$at; printf "$hello" >&3; head -c 56 <&3 >/dev/null; exec 3>&- # goes without a proof
exec 3<>$at; printf '\0\0\0\x40\x01\0\0\0' >&3; cat <&3 >long.got; exec 3>&- # a hello longer than one may be
exec 4<>$at; printf '\0\0' >&4 # never says more
many=()
ulimit -n "$(ulimit -Hn)"
for ((i = 0; i < 1000; i++)); do exec {fd}<>$at && many+=($fd); done 2>/dev/null # idle, more than are kept
cat <&4 >slow.got & slow=$!
for fd in "${many[@]}"; do exec {fd}>&-; done
exec 4>&-
echo "${#many[@]}" >many.count
kill $slow 2>/dev/null
printf '%s\n' "$line" | "$@"
END
chmod +x attack
remote=(--rsh "$tmp/attack" --interface 127.0.0.1)
GASNET_SPAWN_VERBOSE=1 try 0 -n 1 -H stranger "$job" info
holds 'the job runs' grep -q 'node 0 of 1, host 0 of 1' out
for f in garbage huge long proof early nohost version; do
  holds "a stranger gets an answer: $f" [ -e $f.got -a ! -s $f.got ]
done
holds 'a challenge of 56 bytes' [ "$(wc -c <challenge.got)" -eq 56 ]
holds "many connections: $(cat many.count)" [ "$(cat many.count)" -eq 1000 ]
said 'refused a connection from .*: too many others came' 'idle connections'
said 'refused a connection from .*: the connection was closed' 'half a hello'
said 'refused a connection from 127.0.0.1 port [0-9]+: it does not know the job.s secret' 'a wrong proof'
said 'refused a connection from .*: a frame of an impossible length' 'an impossible length'
said 'refused a connection from .*: a host that does not exist' 'a wrong host'
said 'refused a connection from .*: gasnetrun on that host is of another version' 'another version'

# Neither bytes that were sent once nor the launcher's own proof are accepted. A stranger that sends a byte at
# a time does not stay, either.
cat >replay <<'END'
#!/bin/bash
host=$1; shift
IFS= read -r line
read -r _ _ _ _ _ place _ <<<"$line"
at=/dev/tcp/${place%,*}/${place#*,}
bytes='\x00\x00\x00\x18\x01\x00\x00\x00\x00\x00\x00\x04\x00\x00\x00\x00'$(printf '\\x41%.0s' {1..16})
exec 3<>$at; printf "$bytes" >&3; head -c 56 <&3 >challenge.1; exec 3>&-
exec 3<>$at; printf "$bytes" >&3; head -c 56 <&3 >challenge.2
tail -c 32 challenge.2 >echoed # the launcher's own proof, sent back
{ printf '\0\0\0\x20\x02\0\0\0'; cat echoed; } >&3; cat <&3 >echo.got; exec 3>&-
from=$EPOCHREALTIME
( exec 3<>$at
  for ((i = 0; i < 128; i += 4)); do
    printf "$(cut -c$((i + 1))-$((i + 4)) <<<"$bytes")" >&3
    sleep 0.5
  done ) 2>/dev/null # slowly
echo $((${EPOCHREALTIME/./} - ${from/./})) >slow.us
printf '%s\n' "$line" | "$@"
END
chmod +x replay
remote=(--rsh "$tmp/replay" --interface 127.0.0.1)
GASNET_SPAWN_VERBOSE=1 try 0 -n 1 -H stranger "$job" info
holds 'the same hello gets another challenge' [ "$(cmp challenge.1 challenge.2 2>&1 | wc -l)" -gt 0 ]
holds 'an echoed proof gets an answer' [ -e echo.got -a ! -s echo.got ]
said 'refused a connection from .*: it does not know the job.s secret' 'an echoed proof'
said 'refused a connection from .*: it took too long' 'a slow one'
holds "a slow one stays $(cat slow.us) us" [ "$(cat slow.us)" -lt $((12000000 * scale)) ]

# The secret is on no command line, and nothing listens when the job runs.
remote=(--rsh "$tmp/rsh" --interface 127.0.0.1)
: >err
GASNET_SPAWN_VERBOSE=1 "$run" "${remote[@]}" -n 2 -H h1,h2 "$job" wait mark-door. >out 2>err </dev/null & \
  pid=$!
until_true 20 ready || wrong 'the job does not start'
place=$(sed -n 's/.*which connect to: //p' err)
if (exec 3<>"/dev/tcp/${place%,*}/${place#*,}") 2>/dev/null; then
  wrong "$place is open while the job runs"; else ok
fi
holds 'a secret on a command line' \
  [ -z "$(grep -lazxE '[0-9a-f]{64}' /proc/[0-9]*/cmdline 2>/dev/null | cut -d/ -f3 | ours)" ]
kill -TERM $pid; wait $pid; gone_in_time mark-door. 'SIGTERM'

# ---- daemons that know the secret and break the rules ----

cat >lying <<END
#!/bin/sh
shift 2
exec "$build/tests/hosts/liar" \$PST_LIE
END
chmod +x lying
remote=(--rsh "$tmp/lying")
for lie in early-bye early-output unknown garbage wrong-node twice; do
  PST_LIE=$lie try 1 -n 2 -H h1:2 "$job" info
  said "^penstock: lost host h1 with nodes 0 to 1 of 2: a frame .*; ending the job$" "the lie $lie"
done
PST_LIE=size try 1 -n 2 -H h1:2 "$job" info
said 'lost host h1 .*: a frame with an impossible number' 'the lie size'
PST_LIE=gone try 1 -n 2 -H h1:2 "$job" info
said '^penstock: lost host h1 with nodes 0 to 1 of 2: .*; ending the job$' 'proved and gone'
PST_LIE=silent try 1 --timeout 5 -n 2 -H h1:2 "$job" info
said "host 'h1' has not started its processes within 5 s" 'the lie silent'
gone_in_time "$build/tests/hosts/liar" 'lies'

# ---- a terminal ----

if command -v script >/dev/null; then
  remote=(--rsh "$tmp/rsh")
  : >err; : >out
  { until_true 20 grep -q ^ready typescript; printf '\003'; } 2>/dev/null |
    timeout $((30 * scale)) script -qefc "env --default-signal=INT \
GASNET_EXITTIMEOUT=$((10 * scale)) $run --rsh $tmp/rsh -n 2 -H h1,h2 $job signals" typescript >out 2>err
  code=$?
  holds "a terminal's interrupt: code $code" [ $code -eq 130 ]
  holds "a terminal's interrupt comes once to each" [ "$(grep -c 'got 2' typescript)" -eq 2 ]
fi

finish
