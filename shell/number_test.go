package shell_test

import (
	"testing"

	"github.com/assent-dev/assent/shell"
)

// TestNumbersAndKeys: arithmetic evaluates the value of a variable, and an index that of
// a name. That is harmless only where the script makes sure of the value.
func TestNumbersAndKeys(t *testing.T) {
	harmless := []string{
		"for i in $(seq 1 3); do echo $((i*2)); done",
		"for i in $(seq -w 10 -2 0); do echo $((i)); done",
		"n=3; [[ $n -gt 2 ]]",
		"n=$(ls | wc -l); [[ $n -gt 2 ]]",
		`n="$(wc -l < f)"; echo $((n+1))`,
		`declare -A m; m[a]=1; echo "${m[a]}"`,
		"declare -A m=([x]=1); echo ${m[x]}",
		"IFS=$'\\n'; for f in $(ls); do echo \"$f\"; done",
	}
	doubtful := []string{
		"for i in $(seq 1 $n); do echo $((i)); done",
		"for i in $(seq -f 'a[$(x)]' 3); do echo $((i)); done",
		"for i in $(seq 3; cat f); do echo $((i)); done",
		"for i in $(seq 3) $x; do echo $((i)); done",
		"seq(){ cat f; }; for i in $(seq 3); do echo $((i)); done",
		"f(){ for i in $(seq 3); do echo $((i)); done; }; seq(){ cat f; }; f",
		"i=0; while true; do echo $((i)); i='a[$(x)]'; done",
		"n=$(cat f); [[ $n -gt 2 ]]",
		"n=$(wc -l f); (( n ))",
		"[[ $n -gt 3 ]] && echo big",
		"m[a]=1", "(declare -A m); m[a]=1", "false && declare -A m; m[a]=1", "declare -A m; unset m; m[a]=1",
		"declare -A m; for x in 1 2; do m[a]=1; unset m; done",
		"a='x[$(y)]'; declare -A m; m[a]=1", "declare -A m; echo ${m[$k]}", "declare -A m; (( m[a] ))",
		"IFS=$X; ls", "IFS=a; ls", "IFS=1; ls $#", "IFS=(a b); ls", "read IFS; ls", "for IFS in , b; do ls; done",
	}
	for _, command := range harmless {
		if doubt := shell.Parse(command).ReadOnly(); doubt.Text != "" {
			t.Errorf("%q: %s", command, doubt.Text)
		}
	}
	for _, command := range doubtful {
		if doubt := shell.Parse(command).ReadOnly(); doubt.Text == "" {
			t.Errorf("%q passes for read-only", command)
		}
	}
}
