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
