package permission_test

import "testing"

// An assignment that bash may skip leaves nothing, and what follows the variable is then
// an absolute path.
func TestP16_AssignmentsThatMayNotHappen(t *testing.T) {
	newWorld(t, lists{}).check(commands{
		stopped: []string{
			`select d in src; do cat "$d/etc/hostname"; break; done <<< 9`, `while break; d=src; do :; done; cat "$d/etc/hostname"`, `until break; d=src; do :; done; cat "$d/etc/hostname"`,
			`while break || d=src; do :; done; cat "$d/etc/hostname"`, `for i in 1; do break; d=src; done; cat "$d/etc/hostname"`, `for i in 1 2; do continue; d=src; cat x; done; cat "$d/etc/hostname"`,
			`{ d=src; } < none; cat "$d/etc/hostname"`, `{ d=src; } <&9; cat "$d/etc/hostname"`, `{ d=src; } 2>&9; cat "$d/etc/hostname"`, `if d=src; then :; fi < none; cat "$d/etc/hostname"`,
			`while d=src; false; do :; done < none; cat "$d/etc/hostname"`, `time { d=src; } < none; cat "$d/etc/hostname"`, `export d=src < none; cat "$d/etc/hostname"`, `declare d=src < none; cat "$d/etc/hostname"`,
			`((d=1)) < none; cat "$d/etc/hostname"`, `{ { d=src; }; } < none; cat "$d/etc/hostname"`, `{ d=src; } < <(none) < none; cat "$d/etc/hostname"`,
			`local d=src; cat "$d/etc/hostname"`, `local d; d=src < none; local e=src; cat "$e/etc/hostname"`,
			`((0 && (d=1))); cat "$d/etc/hostname"`, `((0 ? d=1 : 0)); cat "$d/etc/hostname"`, `((0 && d++)); cat "$d/etc/hostname"`, `((1 || (d=1))); cat "$d/etc/hostname"`, `for ((;0;d++)); do :; done; cat "$d/etc/hostname"`,
			`[[ 0 -eq 1 && d=1 -eq 1 ]]; cat "$d/etc/hostname"`, "let '0 && (d=1)'; cat \"$d/etc/hostname\"",
			": $((1/0)); d=src\ncat \"$d/etc/hostname\"", "d=$((1/0))\ncat \"$d/etc/hostname\"", "((d=1/0))\ncat \"$d/etc/hostname\"", "readonly r=1; r=2; d=src\ncat \"$d/etc/hostname\"",
			"d=$((1%0))\ncat \"$d/etc/hostname\"", "z=0; ((d=1/z))\ncat \"$d/etc/hostname\"", "export r=1; readonly r; r=2; d=src\ncat \"$d/etc/hostname\"", "r=(1); declare -r r; r=2; d=src\ncat \"$d/etc/hostname\"", "UID=1; d=src\ncat \"$d/etc/hostname\"",
			": $((08)); d=src\ncat \"$d/etc/hostname\"", ": $((1+)); d=src\ncat \"$d/etc/hostname\"", "x[-1]=3; d=src\ncat \"$d/etc/hostname\"", ": $((2**-1)); d=src\ncat \"$d/etc/hostname\"", "echo ${x:0:-1}; d=src\ncat \"$d/etc/hostname\"",
		},
		free: []string{
			`d=src; cat "$d/x"`, `d=src < x; cat "$d/x"`, `{ d=src; cat "$d/x"; } < x`, `{ d=src; }; cat "$d/x"`, `if d=src; then cat "$d/x"; fi < x`, `export d=src; cat "$d/x"`, "d=src\ncat \"$d/x\"", "d=src && cat \"$d/x\"",
			`while read -r l; do d=src; cat "$d/x"; done < x`, `for i in 1 2; do d=src; cat "$d/$i"; done`, `for d in src lib; do cat "$d/x"; done`, `((d=1)); head -n $d x`, `for ((i=0;i<3;i++)); do head -n $i x; done`, "d=src\nfor f in a b; do\n  cat \"$d/$f\"\ndone",
			"n=3\ni=$((n+1))\nd=src\nhead -n $i \"$d/x\"", "n=$((2*3)); d=src; head -n $n $d/x", "{ d=src; cat $d/x; } 2>&1 | head", "{ d=src; cat $d/x; } 2>/dev/null", "d=src\necho $((10/2))\ncat $d/x", "d=src; for i in {1..3}; do echo $((i*2)); cat \"$d/$i\"; done", "d=src; echo ${d:0:2}\ncat $d/x", "d=src; [[ $# -gt 0 ]] && cat $d/x", "d=src; n=$(wc -l < x); ((n > 3)) && cat $d/x", "d=src; for i in $(seq 3); do ((t+=i)); done; cat $d/x", "d=src; for f in {a,b}; do cat $d/$f; done",
		},
	})
}

// Arithmetic gives negative numbers in other ways than by X=-1, and a builtin behind a
// variable gives anything.
func TestP16_NumbersMadeNegativeUnseen(t *testing.T) {
	readDenied(t).check(commands{
		stopped: []string{
			"X=1; ((X[0]=-1)); grep ${X}rh .", "X=1; ((X[0]--)); grep ${X}rh .", "X=1; let 'X=-1'; grep ${X}rh .", `X=1; (("X=-1")); grep ${X}rh .`, `X=1; [[ "X=-1" -eq 0 ]]; grep ${X}rh .`, "X=1; [[ X=-1 -eq 0 ]]; grep ${X}rh .",
			"Y='X=-1'; X=1; ((Y)); grep ${X}rh .", "Y='X=-1'; X=1; : $((Y)); grep ${X}rh .", "Y='X=-1'; X=1; : ${a[Y]}; grep ${X}rh .", "Y='X=-1'; X=1; [[ Y -eq 0 ]]; grep ${X}rh .", `Y='X=-1'; X=1; (($Y)); grep ${X}rh .`, "Y='X=-1'; X=1; let Y; grep ${X}rh .",
			"E=read; X=1; $E -r X <<< '1 secret/key'; head -n $X x", "X=1; \"$(echo read)\" -r X <<< '1 secret/key'; head -n $X x", "E=unset; X=1; $E X; head -n $X x",
			"X=1; a[\"X=-1,0\"]=2; grep ${X}rh .", "X=1; : ${x:X=-1}; grep ${X}rh .",
		},
		free: []string{"declare -A m; m[a]=1; X=1; head -n $X x", "X=1; ((X++)); head -n $X x", "X=3; ((X>2)) && head -n $X x", "X=1; [[ $X -gt 0 ]] && head -n $X x", "E=cat; X=1; head -n $X x", "for f in 1 2; do ((n++)); head -n $n x; done"},
	})
}
