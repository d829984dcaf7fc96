package shell_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/shell"
)

// Texts in which bash runs make although the parser sees no such command, or another one.
// Each was run in bash 5.2 with a stub for make.
var misread = []string{
	"echo hi # \\\nmake",
	"echo $(pwd # \\\nmake)",
	"(pwd # \\\nmake)",
	"echo \"$(cat <<'E'\nE)\"; make\nE\n)\"",
	"echo \"$(cat <<-'E'\n\tE)\"; make\nE\n)\"",
	"cat <(cat <<E\nE); make\nE\n)",
	"cat <<E\n${a:-\nE\nmake\n}\nE",
	"cat <<E\n$(echo '\nE\nmake\n')\nE",
	"cat <<E\n`echo '\nE\nmake\n'`\nE",
	"cat <<E\n$(cat <<'F'\nE\nmake\nF\n)\nE",
	"cat <<E\nE\\\n\nmake\nE",
	"cat <<E\\\n\nE\nmake\nE",
	"echo `cat <<'E'`\nmake\nE",
	"echo \"`echo 'a`\"; make #'`\"",
	"a=`'` make\n'`",
	"cat <<'E'#;make\nE",
	"cat <<\"E\"#&& make\nE",
	"( echo a\"\"#; make\n)",
	"( echo $x#; make\n)",
	"a=(''#$(make)\n)",
	"echo `echo ''#;make\n`",
	"echo ${ #}& make\n}",
	"let make=1|make",
	"<&-make",
	"2>&-make",
	"0<& -make",
	"coproc make >f",
	"time -- ! make",
	"$(time [[ a || make ]])",
	"[[ a =~ (>(make)) ]]", "[[ a =~ x(>(make)) ]]", "[[ a =~ ^(a|>(make))$ ]]", "[[ a == @(>(make)) ]]", "[[ a == !(<(make)) ]]", "[[ a == x@(@(>(make)))y ]]",
	"echo \"$(a=(\\(\nmake ))\"", "echo $(a=(\\;); : 'x\nmake\n')", "cat <(declare -a a=(x\\&y)\ncat <<E\nmake\nE\n)", "echo $(f() { a=(a\\|b); cat <<E\nmake\nE\n})",
	"set -k; git diff GIT_EXTERNAL_DIFF=make", "set -o keyword; git diff GIT_EXTERNAL_DIFF=make", "shopt -so keyword; git diff GIT_EXTERNAL_DIFF=make", "bash -ck 'git diff GIT_EXTERNAL_DIFF=make'",
	"trap make\"``\"${a- EXIT }", "trap $x",
	"ma>()ke",
	"m<()ake x",
	"echo a >&'$(make)'",
	"builtin let 'a[$(make)]'",
	"\\let 'a[$(make)]'",
	"x= let 'a[$(make)]'",
	"printf 'x%n' PATH; make",
	"echo $[1]; make",
}

func TestWhatIsReadInTwoWaysIsNeverAllowed(t *testing.T) {
	for _, src := range misread {
		s := shell.Parse(src)
		if s.Problem != nil {
			continue
		}
		if !runsUnknown(s) {
			t.Errorf("%q is understood as %q", src, texts(s))
		}
	}
}

// runsUnknown reports whether something in the script may run anything.
func runsUnknown(s *shell.Script) bool {
	for i := range s.Commands {
		if s.Commands[i].Opaque == shell.OpaqueShell {
			return true
		}
	}
	return false
}

// Texts as people and agents write them: both readers understand them.
const everyday = `
git commit -m "$(cat <<'EOF'
Fix the thing

It's (really) fixed; ` + "`code`" + ` here $x
EOF
)"
@@
for f in *.go; do echo "$f"; done
@@
if [ -f x ]; then cat x; elif [[ -d y && $z == *.go ]]; then ls; else pwd; fi
@@
while read -r l; do echo "${l%%:*}"; done < <(grep -n foo f)
@@
case "$1" in a|b) echo 1;; (c) echo 2;; *) echo 3; esac
@@
f() { local x=1; echo "$x"; }; f
@@
function g { echo hi; }
@@
x=$((1 + (2*3))); ((x++)); echo $(( $(wc -l < f) + 1 ))
@@
[[ $a =~ ^([0-9]+)\.(a|b)$ ]] && echo y
@@
echo ` + "`ls` \"`pwd`\"" + `
@@
a[1]=2; b+=3 cmd >out 2>&1 <in | tee -a x &
@@
time -p ls; ! grep x y
@@
{ echo a; echo b; } > f 2>&1
@@
(cd a && ls) || exit 1
@@
echo ${a:-"b c"} "${a:-"b c"}" ${x//a/b} ${#x} ${!x} "${arr[@]}"
@@
cat > f <<EOF && echo done
a $x ${y} $(date)
EOF
@@
for ((i=0;i<3;i++)); do echo $i; done
@@
select x in a b; do break; done
@@
export A=1 B=2; declare -A m=([a]=1 ["b c"]=2)
@@
exec {fd}>f 3<&0 4>&-
@@
awk '{print $1}' f | sort -u | head -n 5 # the "first" five; it's enough
@@
find . -name '*.go' -not -path "./vendor/*" \
  -exec grep -l foo {} \;
@@
docker run\
  -p 80:80 img
@@
let x=1+2 y=3
@@
cat <<< "$x"
@@
echo $'a\'b'
@@
diff <(sort a) <(sort b)
@@
cat <<-EOF
	indented
	EOF
@@
cat <<E1 <<'E2'
a
E1
b
E2
@@
test -n "$x" && { echo y; } || { echo n; }
@@
if ! command -v foo &>/dev/null; then echo missing; fi
@@
until curl -s x; do sleep 1; done
@@
python3 - <<'PY'
import os
print("x)", '` + "`" + `', "$(")
PY
@@
X=$(cat <<EOF
foo
EOF
) cmd
@@
ls -la | while IFS= read -r line; do printf '%s\n' "$line"; done
@@
echo "a \" b \$ \` + "`" + ` c"
@@
cd src && (npm test; echo $?) 2>&1 | tail -20
@@
arr=()
for i in 1 2 3
do
  arr+=("$i") # one more
done
@@
echo {1..3} a{b,c}d
@@
cat f |
  grep x |
  wc -l
@@
a && b ||
c
@@
if true
then
  echo a   # why
  # a line of its own
fi
@@
echo "$(echo "$(echo "nested")")"
@@
printf '%s\n' "100%" '%n'
`

func TestEverydayTextsAreUnderstood(t *testing.T) {
	for src := range strings.SplitSeq(everyday, "@@\n") {
		if problem := shell.Parse(src).Problem; problem != nil {
			t.Errorf("%q: %s", src, problem.Text)
		}
	}
}

// What sh runs is read as dash reads it, too.
func TestCodeForShIsReadAsDashReadsIt(t *testing.T) {
	for src, want := range map[string]string{
		"sh -c 'echo a &>f make'":             "make",
		"sh -c '[[\nmake ]]'":                 "make ]]",
		"sh -c '[[ a =~|make ]]'":             "make ]]",
		"sh -c '((X=1&make))'":                "make",
		"watch 'echo a &>f make'":             "make",
		"sh <<'E'\necho a &>f make\nE":        "make",
		"sh -sc ls <<< 'make all'":            "make all",
		"bash -c - 'make all'":                "make all",
		"bash -c + 'make all'":                "make all",
		"bash +c 'make all'":                  "make all",
		"bash +ec 'make all'":                 "make all",
		"sh -c - 'make all'":                  "make all",
		"bash --norc -c - 'make all' x":       "make all",
		"noglob make all":                     "make all",
		"nocorrect make all":                  "make all",
		"repeat 1 make all":                   "make all",
		"- make all":                          "make all",
		"=make all":                           "make all",
		"n$'\\x{70}'m x || bash -c 'make -k'": "make -k",
	} {
		s := shell.Parse(src)
		if found := texts(s); s.Problem == nil && !slices.Contains(found, want) {
			t.Errorf("%q: %q is not among %q", src, want, found)
		}
	}
	if found := texts(shell.Parse("bash -c 'echo a &>f make'")); slices.Contains(found, "make") {
		t.Errorf("bash reads &> as one operator: %q", found)
	}
}
