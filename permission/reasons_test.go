package permission_test

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
)

// A rule that denies one file does not make constants, and loops over constants, unknown.
func TestP16_ValuesOfTheScriptBesideADeny(t *testing.T) {
	newWorld(t, lists{Deny: []string{"Read(./.env)", "Read(/secret/**)"}}).check(commands{
		stopped: []string{
			"F=.env; cat $F", `F=.env; cat "$F"`, "for f in x .env; do cat $f; done", `for f in .*; do cat "$f"; done`, `cat "$F"`, `F=$(cat list); cat "$F"`, `for f in "$@"; do cat "$f"; done`, `for d in src secret; do cat "$d/key"; done`, `for d in *; do cat "$d/key"; done`,
			`D=secret; cat "$D/key"`, `D=secret; cat "$D"/*`, `F=src/../.env; cat "$F"`, "F='x .env'; cat $F", "for f in *.go; do cat $f; done", `false && F=x; cat "$F"`, `F=x; F=$1; cat "$F"`, `{ F=src; } < none; cat "$F/.env"`, `cd "$X"; F=x; cat "$F"`, `F=x; cat < "$F$Y"`, `F=.env; cat < "$F"`,
			`F=.env; grep x "$F"`, `D=.; grep -r x "$D"`, `F=*; cat $F`, `F='.*'; cat $F`, `x=.e; y=nv; cat "$x$y"`, `for f in a b; do F=$f; done; cat "$F"`, `select f in x; do cat "$f"; done`, `F=x; unset F; cat "$F.env"`,
		},
		free: []string{
			`F=src/main.go; wc -l "$F"`, "F=src/main.go; wc -l $F", `for f in x main.go; do cat "$f"; done`, `for f in *.go; do wc -l "$f"; done`, `for f in src/*.js; do head -3 "$f"; done`, "for i in 1 2; do cat src/$i; done", `for f in a.go b/c.go; do grep x "$f"; done`,
			`D=src; cat "$D/x"`, `D=src; ls "$D"`, `F=x; cat < "$F"`, `D=src; F=$D/a.go; cat "$F"`, `for i in 1 2 3; do cat "log.$i"; done`, "cat log-$(date +%F)",
		},
	})
}

// The starting point of find may be an action; one that the script gives is none.
func TestP16_StartingPointsOfTheScript(t *testing.T) {
	newWorld(t, lists{}).check(commands{
		stopped: []string{`find "$D" -name x`, `D=-delete; find "$D"`, `D=$(date +-delete); find "$D"`, `for d in src -delete; do find "$d"; done`, `for d in *; do find "$d"; done`, `D=..; find "$D"`, `D=src; find "$D" -delete`, `D='src -delete'; find $D`, `D=src; find "$D" "$E"`, `false && D=src; find "$D" -name x`, `D=src; D=$X; find "$D"`, `D=src; find "$D" -exec rm {} +`},
		free:    []string{`D=src; find "$D" -name "*.go"`, "D=src; find $D -name '*.go'"},
	})
}

// A person sees what is not known, and what helps.
func TestP16_ReasonsThatHelp(t *testing.T) {
	const may = "the file is only known when it runs"
	const option = "an argument that is only known when it runs may be an option (put -- before it)"
	const pattern = "a name that a pattern finds may be an option (write ./* for *, or put -- before it)"
	numbers := func(name string) string {
		return "the value of " + name + " is not known, and arithmetic runs a command that stands in it, as in a[$(cmd)] (give " + name + " a number in the same call, or compare with [ ])"
	}
	unknown := newWorld(t, lists{})
	denied := newWorld(t, lists{Deny: []string{"Read(./.env)"}})
	allowed := newWorld(t, lists{Allow: []string{"Bash"}, Deny: []string{"Read(./.env)"}})
	for _, test := range []struct {
		w             *world
		command, want string
	}{
		{unknown, `find "$D" -name '*.go'`, "find: a word that is only known when it runs may be an action such as -exec or -delete"},
		{unknown, "xargs -0 ls < list", "what it reads is only known when it runs, and may lie outside the working directories"},
		{unknown, `grep -rn "${X:-foo}" src`, `"${X:-foo}" is only known when it runs: it may be an option or several words, and name files (put it behind -e or --)`},
		{denied, "find . -name '*.go' | xargs wc -l", may},
		{denied, `for f in $(git ls-files '*.go'); do grep -L Copyright "$f"; done`, may},
		{denied, "grep -rn x .", "it reads what lies below the directory"},
		{allowed, "find . -name '*.go' -exec grep -l TODO {} +", may},
		{unknown, `git diff --name-only main | grep '\.go$' | xargs gofmt -l`, "gofmt: a name that is only known when it runs may be an option, and -w writes files"},
		{unknown, "cd src; ls; cd ..", "it reads outside the working directories if a cd before it fails (join them with &&)"},
		{unknown, "cd src; ls; cd ../..", "it reads outside the working directories"},
		{unknown, "n=$(grep -c foo file); ((n>3)) && echo many", numbers("n")},
		{unknown, `sed -n "$((LINE-5)),$((LINE+5))p" f`, numbers("LINE")},
		{unknown, "sed -n '/func/p' *.go", "sed: " + pattern},
		{unknown, "sort *.go", "sort: " + pattern},
		{unknown, `for x in *.go; do sed -n 1p "$x"; done`, "sed: " + option},
		{unknown, `for x in *.go; do sort "$x"; done`, "sort: " + option},
		{unknown, "for x in *.txt; do awk 1 $x; done", `awk: a name that is only known when it runs may be a network connection of gawk (write "./$x" for $x)`},
		{unknown, "sed -n 1e f", "sed: the command e of the script runs a program"},
		{unknown, `awk '{system("ls")}' f`, "awk: system() runs a program"},
		{unknown, "perl -ne 1 *.go", "what it runs cannot be known before it runs"},
		{unknown, "echo $((x+1))", numbers("x")},
		{unknown, "echo $(($x+1))", numbers("x")},
		{unknown, "echo $(( $(cat x) + 1 ))", "what a command prints is not known, and arithmetic runs a command that stands in it, as in a[$(cmd)]"},
	} {
		d := test.w.bash(test.command)
		detail := d.Reason.Detail
		if at := strings.Index(detail, "only read ("); at >= 0 {
			detail = strings.TrimSuffix(detail[at+len("only read ("):], ")")
		}
		if d.Behavior == permission.Allow || detail != test.want {
			t.Errorf("%s: %v %q, want %q", test.command, d.Behavior, detail, test.want)
		}
	}
	if message := unknown.bash("echo $((x+1))").Message(); strings.Contains(message, "`") {
		t.Errorf("%s", message)
	}
	unknown.check(commands{
		stopped: []string{"RANDOM=$X; echo $((RANDOM))", "while :; do echo $((RANDOM)); RANDOM=$X; done", "read SECONDS < x; echo $((SECONDS))", "echo $(( $(cat x) ))", "f() { unset RANDOM; RANDOM=$X; }; f; echo $((RANDOM))", "echo $((REPLY))"},
		free:    []string{"sed -n 1p ./*.go", "sed -n 1p -- *.go", `for x in *.go; do sed -n 1p -- "$x"; done`, `for x in *.go; do sed -n 1p "./$x"; done`, `for x in *.go; do awk 1 "./$x"; done`, `for x in *.go; do sort -- "$x"; done`, "n=3; echo $((n-1))", "echo $((RANDOM%5))", "echo $((SECONDS))", "echo $(( $(date +%s) - 5 ))", "echo $(( $(wc -l < x) + 1 ))"},
	})
}
