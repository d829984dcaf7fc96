package shell_test

import "testing"

// TestFloorForkBombs: what starts processes until none can start any more, also where functions
// and scripts call themselves by other names.
func TestFloorForkBombs(t *testing.T) {
	floor(t, true, []string{
		`f() { x=f; $x | $x & }; f`, `f() { "$FUNCNAME" | "$FUNCNAME" & }; f`, `f() { ${FUNCNAME[0]} & ${FUNCNAME[0]} & }; f`, `x=f; f() { $x | $x & }; f`, `f() { $1 $1 & $1 $1; }; f f`, `f() { "$@" | "$@" & }; f f`, `f() { eval "f|f&"; }; f`,
		`f(){ trap f CHLD; sleep 1 & }; f`, `f(){ trap f CHLD; /bin/true; }; f`, `trap 'sleep 1 &' SIGCHLD; sleep 1 &`, `f() { yes | xargs -P0 bash -c f; }; export -f f; f`, `f() { xargs -P 0 bash -c f < <(yes); }; export -f f; f`, `yes f | xargs -P0 bash -c`, `yes 9 | parallel -j0 sleep`,
		`while sleep 0; do sleep 1000 & done`, `while sleep 0.001; do x & done`, `while true; do { sleep 100 & }; done`, `while true; do (sleep 100 &); done`, `while true; do if true; then sleep 100 & fi; done`, `while date; do sleep 100 & done`, `while true; true; do sleep 100 & done`, `while true; do for i in 1 2; do x & done; done`, `while true; do sleep 0; x & done`,
		`yes | while read x; do sleep 100 & done`, `echo '$0 & $0 &' > x.sh; bash x.sh`, `bash -c '$0 "$0" | $0 "$0"'`, `sh -c 'sh $0 & sh $0 &' x`, `sh -c '"$0" & "$0" &'`, `bash -c '$0 -c "$1" $0 "$1" & $0 -c "$1" $0 "$1" &' bash x`,
	})
	floor(t, true, []string{
		`f() { ls & }; while :; do f; done`, `g() { ls & }; f() { g; }; while true; do f; done`, `f() { sleep 100 & }; for ((;;)); do f; done`,
		`command_not_found_handle() { x & x; }; x`, `command_not_found_handle() { nosuch | nosuch & }; nosuch`, `command_not_found_handle() { nosuch & }; nosuch`,
		`f() { f | cat; }; f`, `f() { (f); }; f`, `f() { $(f); }; f`, `f() { x=$(f); }; f`, `f() { g | cat; }; g() { f; }; f`,
	})
	floor(t, true, []string{
		`while ((1==1)); do y & done`, `while test -n x; do y & done`, `while [ 1 -eq 1 ]; do y & done`, `while [[ 1 == 1 ]]; do y & done`, `while let 1; do y & done`, `while : && :; do y & done`,
		`while true || false; do y & done`, `while printf ''; do y & done`, `until [ 1 -eq 2 ]; do y & done`, `until ((0)); do y & done`, `until false || false; do y & done`, `while ! false; do y & done`,
		`for ((;1;)); do sleep 99 & done`, `for ((i=0;i>=0;i++)); do sleep 99 & done`, `for ((i=0;i<99999999;i++)); do sleep 99 & done`, `for i in {1..99999999}; do sleep 99 & done`, `for i in $(seq 99999999); do sleep 99 & done`,
		`while true; do eval 'sleep 99 &'; done`, `while true; do bash -c 'sleep 99 &'; done`, `while true; do : <(sleep 99); done`, `while true; do echo x > >(sleep 99); done`, `while :; do case x in x) y & ;; esac; done`,
		`while true; do true && { y & }; done`, `while read -r _; do sleep 9 & done < /dev/zero`, `while read x; do y & done < /dev/urandom`, `seq 99999999 | while read x; do y & done`, `seq 99999999 | xargs -P0 -n1 sleep`, `yes ':|:&' | sh`,
	})
	floor(t, false, []string{
		`for ((i=0;i<10;i++)); do sleep 1 & done; wait`, `for ((i=9;i>=0;i--)); do sleep 1 & done; wait`, `for i in {1..100}; do curl -s x & done; wait`, `for i in $(seq 20); do x & done; wait`, `for i in $(seq 1 $N); do x & done; wait`,
		`until [ -f x ]; do y & done`, `while [ "$n" -lt 3 ]; do n=$((n+1)); x & done; wait`, `while ((n--)); do x & done; wait`, `while true; do eval 'make'; sleep 5; done`, `while read l; do x "$l" & done < /dev/stdin`,
		`while true; do case $x in a) y & wait;; esac; sleep 5; done`, `while true; do diff <(a) <(b); sleep 1; done`, `seq 10 | xargs -P0 -n1 curl`, `seq 3 | while read x; do y & done`, `echo ls | sh`,
	})
	floor(t, false, []string{
		`f() { ls & wait; }; while :; do f; done`, `f() { ls; }; while :; do f & sleep 5; done`, `f() { curl x; }; while true; do f; sleep 1; done`,
		`command_not_found_handle() { echo "no $1"; return 127; }; ls`, `command_not_found_handle() { printf '%s\n' "$1" >&2; }; foo`,
		`walk() { for d in "$1"/*; do (walk "$d"); done; }; walk .`, `fact() { [ $1 -le 1 ] && echo 1 || echo $(( $1 * $(fact $(($1-1))) )); }; fact 5`, `ls() { command ls --color "$@"; }; ls`,
		`while true; do curl -s localhost:8080; sleep 5; done &`, `until nc -z localhost 8080; do sleep 1; done`, `while ! nc -z localhost 8080; do sleep 0.1; done`, `while sleep 1; do date; done`, `while sleep 1; do make & wait; done`, `while sleep 5; do ./poll.sh & done`,
		`while true; do npm start & pid=$!; inotifywait -e modify src; kill $pid; done`, `while true; do if nc -z localhost 80; then break; fi; sleep 1; done`, `while read l; do work "$l" & done < list`, `for i in 1 2 3; do sleep $i & done; wait`, `while true; do if [ -f x ]; then x & break; fi; done`,
		`retry() { "$@" || "$@"; }; build() { retry make; }; retry build`, `walk() { for d in "$1"/*; do [ -d "$d" ] && walk "$d" & done; wait; }; walk .`, `run() { "$1" & "$2" & wait; }; run server client`, `log() { echo "$@" >> log; }; run() { log a; "$@"; log b; }; run make`, `main() { "$@"; }; main build`,
		`trap 'kill $(jobs -p)' EXIT; sleep 5 & wait`, `trap 'echo done' CHLD; sleep 1 & wait`, `cat urls | xargs -P0 -n1 curl -sO`, `check() { curl -s $1; }; export -f check; cat urls | xargs -P0 -n1 bash -c 'check "$0"'`, `yes | head -5 | xargs -P0 -n1 echo`, `yes | xargs -n1 -P4 echo`, `yes | while read x; do make; done`,
		`echo '"$0" "$@"' > x.sh; bash x.sh`, `usage() { echo "usage: $0 [-h]; see $0"; }; usage`, `sh -c '"$0" build && "$0" test' ./do`, `cd "$(dirname "$0")" && ls "$0"`,
	})
}
