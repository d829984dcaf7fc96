package permission_test

import (
	"testing"

	"github.com/assent-dev/assent/permission"
)

// What is assigned to a variable with the integer attribute is evaluated, and an index in
// it runs commands. Nobody is asked about numbers.
func TestP16_ValuesOfIntegerVariablesAreEvaluated(t *testing.T) {
	newWorld(t, lists{}).check(commands{
		stopped: []string{
			`RANDOM='a[$(touch x)]'`, `OPTIND='a[$(touch x)]'`, `SRANDOM='a[$(touch x)]'`, `HISTCMD='a[$(touch x)]'`, `SECONDS='a[$(touch x)]'`, `BASHPID+='a[$(touch x)]'`,
			`y='a[$(touch x)]'; RANDOM=y`, `y='a[$(touch x)]'; RANDOM=$y`, `RANDOM=y`, `RANDOM=$y`, `RANDOM=$(cat x)`, `RANDOM+='a[$(touch x)]'`, `RANDOM[0]='a[$(touch x)]'`, `RANDOM=(1 'a[$(touch x)]')`,
			`export RANDOM='a[$(touch x)]'`, `declare RANDOM='a[$(touch x)]'`, `declare 'RANDOM=a[$(touch x)]'`, `command export 'RANDOM=a[$(touch x)]'`, `command export OPTIND=y`, `builtin read RANDOM < x`, `command mapfile RANDOM < x`, `command getopts a OPTIND -a`, `readonly RANDOM=$y`, `f() { typeset OPTIND=$1; }; f 1`,
			`read RANDOM <<< 'a[$(touch x)]'`, `read RANDOM < x`, `read -a RANDOM < x`, `mapfile RANDOM < x`, `readarray -t OPTIND < x`, `printf -v RANDOM %s 'a[$(touch x)]'`, `getopts a OPTIND -a`,
			`for RANDOM in 'a[$(touch x)]'; do :; done`, `for OPTIND; do :; done`, `for OPTIND in $y; do :; done`, `select OPTIND in y; do break; done`, `: ${SRANDOM[5]:='a[$(touch x)]'}`, `: ${OPTIND:=$y}`,
			`set -o posix; RANDOM='a[$(touch x)]' :`, `declare -n r=RANDOM; r=$y`, `RANDOM='` + "a[`touch x`]" + `'`, `RANDOM='1)); touch x; ((1'`,
		},
		free: []string{
			"RANDOM=42", "OPTIND=1", "SECONDS=0", "SECONDS=", "RANDOM=-5", "RANDOM=$$", `RANDOM="$$"`, "RANDOM=$((3+4))", "RANDOM=$(date +%s)", "n=3; RANDOM=$n", "RANDOM=3+4", "OPTIND=$#", "n=1; OPTIND=n+1",
			`while getopts "ab:" opt; do echo $opt; done`, `f() { local OPTIND opt; while getopts "ab:" opt; do echo $opt; done; }`, "unset OPTIND", "OPTIND=1; shift $((OPTIND-1))", "for SECONDS in 1 2; do :; done", "read SECONDS <<< 5", "echo $RANDOM", "x=$RANDOM", "wait -n; echo $((SECONDS/60))",
			"LINES=$(cat x)", "COLUMNS=$(cat x)",
		},
	})
}

// Where Bash is allowed, a rule that denies a command finds it in what is evaluated, and
// what nobody knows is asked about.
func TestP16_ProgramsInEvaluatedValuesAreDenied(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"Bash"}, Deny: []string{"Bash(touch:*)"}})
	for _, command := range []string{
		`RANDOM='a[$(touch x)]'`, `SECONDS='a[$(touch x)]'`, `printf -v RANDOM %s 'a[$(touch x)]'`, `read RANDOM <<< 'a[$(touch x)]'`, `for OPTIND in 1 'a[$(touch x)]'; do :; done`, `declare 'OPTIND=a["$(touch x)"]'`,
		`declare -i z='a[$(touch x)]'`, `declare -i z; z='a[$(touch x)]'`, `typeset -i z='a[$(touch x)]'`, `f() { local -i z='a[$(touch x)]'; }; f`, `declare -ai z=(1 'a[$(touch x)]')`, `declare -a -i z=('a[$(touch x)]')`, `declare -Ai z=([k]='a[$(touch x)]')`,
		`declare -i z; z=('a[$(touch x)]')`, `declare -i z; z[1]='a[$(touch x)]'`, `declare -i z; z+='a[$(touch x)]'`, `declare -xi z='a[$(touch x)]'`, `declare -i z; f() { z='a[$(touch x)]'; }; f`, `declare -i z; (z='a[$(touch x)]')`, `declare -i z; export z='a[$(touch x)]'`,
		`declare -i z; read z <<< 'a[$(touch x)]'`, `declare -i z; printf -v z %s 'a[$(touch x)]'`, `declare -i z; for z in 'a[$(touch x)]'; do :; done`, `declare -i z; : ${z:='a[$(touch x)]'}`, `builtin declare -i 'z=a[$(touch x)]'`, `declare -i "z=a[\$(touch x)]"`,
		`y='a[$(touch x)]'; declare -i z=y`, `y='a[$(touch x)]'; declare -i z=$y`, `y='a[$(touch x)]'; declare -i z; z=y`, `y='a[$(touch x)]'; declare -i z; z+=y`, `y='a[$(touch x)]'; declare -ai z=(y)`, `y='a[$(touch x)]'; ((y))`, `y='a[$(touch x)]'; RANDOM=y`,
		`z='a[$(touch x)]'; declare -i z; z+=1`, `f() { z='a[$(touch x)]'; }; declare -i z; f`, `declare -i z; z=1+'a[$(touch x)]'"$y"`,
		`test -v 'a[$(touch x)]'`, `[[ -v 'a[$(touch x)]' ]]`, `printf -v 'a[$(touch x)]' y`, `read 'a[$(touch x)]' <<< y`, `unset 'a[$(touch x)]'`,
	} {
		if d := w.bash(command); d.Behavior != permission.Deny {
			t.Errorf("%s: %v (%s)", command, d.Behavior, d.Message())
		}
	}
	w.check(commands{
		stopped: []string{
			`declare -i z=$y`, `declare -i z=y`, `declare -i z; read z < x`, `declare -i z; z=$(cat x)`, `declare -i z; mapfile z < x`, `declare -i z; getopts a z -a`, `declare -i OPTARG; getopts a: q -a "$1"`, `declare -i REPLY; read < x`, `declare -ai MAPFILE; mapfile < x`,
			`f() { z=$1; }; declare -i z; f "$1"`, `while read -r l; do z+=1; z=$l; declare -i z; done`, `env x='a[$(cat x)]' bash -c 'declare -i x; x=x+1'`, `declare -n r=z; declare -i r; z=$y`, `command declare -n r=RANDOM; r=$y`, `builtin typeset -n r=RANDOM; r=$y`, `read RANDOM < x`, `RANDOM=$y`, `OPTIND=y`, `for RANDOM; do :; done`,
		},
		free: []string{
			"declare -i count=5", "f() { local -i n=0; n+=1; echo $n; }", "declare -i x; x=x+1", "declare -i x=0; x+=1; x=x*2+1", "declare -i x=0; for i in 1 2 3; do x+=i; done", "typeset -i a=1 b=2; a=a+b", "declare -i n=$(wc -l < x)", "declare -i n=1; n=$((n+1))", "declare -ai z=(1 2 3)",
			"f() { local -i n=$#; }", "f() { local i; i=0; }; g() { local -i i=0; }", "RANDOM=42; OPTIND=1; SECONDS=0", "declare -i n=; n=7", "declare -i s=SECONDS",
		},
	})
}

// An expression gives other variables values, wherever it is evaluated.
func TestP16_EvaluatedValuesAndNamesAssign(t *testing.T) {
	readDenied(t).check(commands{
		stopped: []string{
			"X=1; RANDOM=X=-1; grep ${X}rh .", "X=1; OPTIND=X=-1; grep ${X}rh .", "X=1; RANDOM+=X=-1; grep ${X}rh .", "X=1; RANDOM=(X=-1); grep ${X}rh .", "X=1; export SECONDS=X=-1; grep ${X}rh .", "X=1; declare 'RANDOM=X=-1'; grep ${X}rh .", "X=1; for RANDOM in X=-1; do :; done; grep ${X}rh .",
			"X=1; read RANDOM <<< X=-1; grep ${X}rh .", "X=1; printf -v RANDOM X=-1; grep ${X}rh .", "X=1; mapfile OPTIND <<< X=-1; grep ${X}rh .", "X=1; : ${SRANDOM[5]:=X=-1}; grep ${X}rh .", "Y='X=-1'; X=1; RANDOM=Y; grep ${X}rh .", "X=1; declare -i z=X=-1; grep ${X}rh .", "X=1; command let 'y=X=-1'; grep ${X}rh .",
			"X=1; [ -v 'a[X=-1]' ]; grep ${X}rh .", "X=1; [[ -v a[X=-1] ]]; grep ${X}rh .", "X=1; [[ 1 -eq 1 && -v 'a[X=-1]' ]]; grep ${X}rh .", "X=1; test -v 'a[X=-1]'; grep ${X}rh .", "X=1; test ! -v 'a[X=-1]'; grep ${X}rh .", "Y='a[X=-1]'; X=1; test -v \"$Y\"; grep ${X}rh .", "O=-v; X=1; test $O 'a[X=-1]'; grep ${X}rh .",
			"X=1; printf -v 'a[X=-1]' y; grep ${X}rh .", "X=1; printf -v'a[X=-1]' y; grep ${X}rh .", "X=1; read 'a[X=-1]' <<< y; grep ${X}rh .", "X=1; read -r b 'a[X=-1]' <<< y; grep ${X}rh .", "X=1; getopts a 'a[X=-1]' -a; grep ${X}rh .", "X=1; declare 'a[X=-1]=5'; grep ${X}rh .", "X=1; unset 'a[X=-1]'; grep ${X}rh .",
			"X=1; : {a[X=-1]}>&1; grep ${X}rh .", "X=1; exec {a[X=-1]}>&1; grep ${X}rh .", "X=1; { :; } {a[X=-1]}< x; grep ${X}rh .", "X=1; o='-v a[X=-1]'; [ $o ]; grep ${X}rh .",
		},
		free: []string{
			"RANDOM=42; X=1; head -n $X x", "f() { local OPTIND; OPTIND=1; }; X=1; head -n $X x", "X=1; [ -v Y ] && head -n $X x", "X=1; [[ -v Y ]] && head -n $X x", "X=1; [[ -v a[0] ]]; head -n $X x", "X=1; [ -n \"$Y\" ] && head -n $X x", "X=1; [ $X = 1 ] && head -n $X x", "X=1; printf 'a[b]'; head -n $X x", "SECONDS=0; X=1; head -n $X x",
			"declare -A m; unset 'm[key]'; X=1; head -n $X x", "X=1; unset OPTIND; head -n $X x",
		},
	})
}

// What a declaration gives an array is a list that bash expands, wherever it came from.
func TestP16_ListsInDeclaredValuesAreExpanded(t *testing.T) {
	stopped := `x='($(touch x))'; declare -a y=$x
x='($(touch x))'; declare -a "y=$x"
x='($(touch x))'; declare -a y=${x:-1}
x='($(touch x))'; declare -a y+="$x"
x='($(touch x))'; declare -A y="$x"
x='($(touch x))'; declare -ga y="$x"
x='($(touch x))'; declare -ax y="$x"
x='($(touch x))'; readonly -a y="$x"
x='($(touch x))'; export -a y="$x"
x='($(touch x))'; builtin declare -a y="$x"
x='($(touch x))'; command declare -a y="$x"
x='($(touch x))'; y=(a); declare y="$x"
x='($(touch x))'; y[3]=1; declare y="$x"
x='($(touch x))'; typeset -A y; typeset y=$x
x='(1 $(touch x))'; typeset -a y; typeset y="$x"; echo
x='($(touch x))'; declare -A m; m=([a]=1); declare m="$x"
for v in '($(touch x))'; do declare -a y="$v"; done
declare -a y=$(cat f)
while read -r l; do declare -a y="$l"; done < q
x='$(touch x)'; declare -a y="($x)"
x='$(touch x)'; declare -a "y=(${x})"
declare -a 'y=($(touch x))'
declare -a y='($(touch x))'
y=(a); declare y='($(touch x))'
y=(a); declare 'y=($(touch x))'
declare DIRSTACK="$x"
declare PIPESTATUS="$x"
declare BASH_ARGV="$x"
declare GROUPS="$x"
declare BASH_REMATCH="$x"
declare MAPFILE="$x"
f() { local -a args="$1"; }; f '($(touch x))'
f() { local -a y="$1"; }; f
mapfile y < f; declare y="$x"
read -a y < f; declare y="$x"
x='($(touch x))'; declare -a $x
x='($(touch x))'; z='y'; declare -a $z=$x
x='($(touch x))'; declare -a; declare y[1]=$x
x='($(touch x))'; readonly y=$x; y=(a)
x='($(touch x))'; y=(a); readonly y=$x
x='($(touch x))'; y=(a); export y=$x
x='($(touch x))'; y=(a); declare -x y=$x
f() { declare y="$x"; y=(a); }; f; f
printf -v 'y[0]' a; declare y="$x"
wait -p 'y[0]'; declare y="$x"
read 'y[0]' < f; declare y="$x"
: ${y[0]:=a}; declare y="$x"
((y[0]=1)); declare y="$x"
let 'y[0]=1'; declare y="$x"`
	newWorld(t, lists{}).asked(stopped, `x='(a b)'; y=$x
x='(a b)'; export y=$x
declare y=$x
local y=$x
f() { local y="$1"; local z=$2; echo "$y"; }
f() { local -a y=("$@"); echo "${y[0]}"; }
declare -a y=(a b)
declare -A m=([a]=1 [b]=2)
declare -A m; m[a]=$x; echo "${m[a]}"
declare -a y; y+=("$x")
readonly y="$(cat f)"
export PATHX="$x"
y=(a); y="$x"
x=(a b); declare z="${x[0]}"
x='(a b)'; declare -a y="a$x"
declare -a y=$((1+2))
declare -a y=$#`)
	newWorld(t, lists{Allow: []string{"Bash(*)"}, Deny: []string{"Bash(touch:*)"}}).asked(stopped, `declare -a y=(a b)
f() { local y="$1"; local z=$2; echo "$y"; }
declare -a y='(a b)'`)
}

// What some programs print is a number, and so may be calculated with.
func TestP16_NumbersThatProgramsPrint(t *testing.T) {
	newWorld(t, lists{}).asked(`n=$(grep -c x f g); echo $((n * 2))
n=$(grep -rc x .); echo $((n * 2))
n=$(stat -c %n f); echo $((n))
n=$(stat -c %s "$f"); echo $((n))
n=$(stat -c %s f -c %n); echo $((n))
n=$(git rev-list --count --format=%s HEAD); echo $((n+1))
n=$(git log --count HEAD); echo $((n+1))
git() { cat f; }; n=$(git rev-list --count HEAD); echo $((n+1))
stat() { cat f; }; n=$(stat -c %s f); echo $((n+1))
grep() { cat f; }; n=$(grep -c x f); echo $((n+1))
declare -fx foo`, `x=$(stat -c %s f); echo $((x / 1024))
n=$(git rev-list --count HEAD); echo $((n+1))
n=$(git rev-list --count main..HEAD); (( n > 3 )) && echo y
declare -f foo
declare -F
typeset -f foo`)
}
