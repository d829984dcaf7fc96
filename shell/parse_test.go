package shell_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/shell"
)

// visible shows marks as a reader of a table can type them.
var visible = strings.NewReplacer("\xff", "?", "\xfe", "*")

func found(src string, keep func(*shell.Command) bool) []string {
	s := shell.Parse(src)
	var out []string
	for i := range s.Commands {
		if c := &s.Commands[i]; len(c.Words) > 0 && keep(c) {
			out = append(out, visible.Replace(c.Text()))
		}
	}
	return out
}

func certain(c *shell.Command) bool { return c.Link != shell.Guess }

func TestParseFindsEveryCommand(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"a; b & c\nd", []string{"a", "b", "c", "d"}},
		{"a | b |& c && d || e", []string{"a", "b", "c", "d", "e"}},
		{"(a); { b; }; ! c", []string{"a", "b", "c"}},
		{"if a; then b; elif c; then d; else e; fi", []string{"a", "b", "c", "d", "e"}},
		{"while a; do b; done; until c; do d; done", []string{"a", "b", "c", "d"}},
		{"for i in 1; do a; done; case x in y) b;; esac", []string{"a", "b"}},
		{"f() { a; }", []string{"a"}},
		{"a $(b) `c` \"$(d)\"", []string{"b", "c", "d", "a ? ? ?"}},
		{"a <(b) >(c)", []string{"b", "c", "a /dev/fd/63 /dev/fd/63"}},
		{"a ${x:-$(b)} ${y[$(c)]} ${z:$(d)}", []string{"b", "c", "?", "d", "?", "a ? ? ?"}},
		{"a $(( $(b) + 1 ))", []string{"b", "?", "a ?"}},
		{"x=$(a) y=(`b`)", []string{"a", "b"}},
		{"a > $(b)", []string{"b", "a"}},
		{"a <<E\n$(b)\nE", []string{"b", "a"}},
		{"a <<'E'\n$(b)\nE", []string{"a"}},
		{"a <<< \"$(b)\"", []string{"b", "a"}},
		{"timeout 5 a b", []string{"timeout 5 a b", "a b"}},
		{"sudo -u x a", []string{"sudo -u x a", "a"}},
		{"env -i A=1 a", []string{"env -i A=1 a", "a"}},
		{"bash -c 'a; b'", []string{"bash -c a; b", "a", "b"}},
		{"eval a 'b; c'", []string{"eval a b; c", "a b", "c"}},
		{"find . -exec a {} \\; -exec b {} +", []string{"find . -exec a {} ; -exec b {} +", "a ?", "b ?"}},
		{"xargs a b", []string{"xargs a b", "a b ?"}},
		{"coproc a", []string{"a"}},
		{"time a", []string{"a"}},
		{"trap a EXIT", []string{"trap a EXIT", "a"}},
		{"sh <<< 'a; b'", []string{"sh", "a", "b"}},
		{"git bisect run a b", []string{"git bisect run a b", "a b"}},
		{"env env env a", []string{"env env env a", "env env a", "env a", "a"}},
		{"busybox a b", []string{"busybox a b", "a b"}},
		{"command -v a", []string{"command -v a"}},
		{"# a", nil},
		{"a # b", []string{"a"}},
	} {
		if got := found(c.src, certain); !slices.Equal(got, c.want) {
			t.Errorf("%s\n got %q\nwant %q", c.src, got, c.want)
		}
	}
}

func TestWordsAfterQuoteRemoval(t *testing.T) {
	for src, want := range map[string]string{
		`r''m -r"f"`:             "rm -rf",
		`\rm 'a b'`:              "rm a b",
		`$'\x72\155\u0020x'`:     "rm x",
		"r\\\nm x":               "rm x",
		`"-de\` + "\n" + `lete"`: "-delete",
		`{rm,-rf,x{1..3}}`:       "rm -rf x1 x2 x3",
		`a{b,c}d`:                "abd acd",
		`a {1..3..2} {c..a}`:     "a 1 3 c b a",
		`a $X "$Y"z`:             "a ? ?z",
		`a *.go [ab]c x?y`:       "a *.go *c x*y",
		`a '*.go' \*`:            "a *.go *",
		`a ~ ~/x ~root`:          "a ~ ~/x ~root",
		`[ a ]`:                  "[ a ]",
		`a "x\"y\\z\$w"`:         `a x"y\z$w`,
		`a $'\xff'`:              "a ?",
		`a ""`:                   "a ",
		`{,} a {,}`:              "a",
		`a é`:                    "a é",
	} {
		if got := found(src, certain); len(got) == 0 || got[0] != want {
			t.Errorf("%s: got %q, want %q", src, got, want)
		}
	}
}

func TestProblems(t *testing.T) {
	for src, want := range map[string]shell.ProblemKind{
		"":                            shell.Empty,
		" \n\t":                       shell.Empty,
		"a\x00b":                      shell.BadText,
		"a\rb":                        shell.BadText,
		"a\x1b[0m":                    shell.BadText,
		"a\u0085b":                    shell.BadText,
		"a\xffb":                      shell.BadText,
		"a &&":                        shell.Unparseable,
		"a; )":                        shell.Unparseable,
		"echo hi\nif then":            shell.Unparseable,
		"echo @(a|b)":                 shell.Unparseable,
		strings.Repeat("a", 64<<10+1): shell.TooLarge,
		strings.Repeat("( ", 17) + "a" + strings.Repeat(" )", 17):      shell.TooDeep,
		strings.Repeat("( ", 20000) + "a" + strings.Repeat(" )", 9000): shell.TooDeep,
		strings.Repeat("$(", 500) + "a" + strings.Repeat(")", 500):     shell.TooDeep,
		strings.Repeat("env ", 40) + "a":                               shell.TooDeep,
	} {
		s := shell.Parse(src)
		if s.Problem == nil || s.Problem.Kind != want {
			t.Errorf("%.40q: %+v, want kind %d", src, s.Problem, want)
		}
	}
	if s := shell.Parse("npm publish\nif then"); len(s.Commands) == 0 || s.Commands[0].Text() != "npm publish" {
		t.Errorf("the line before a syntax error is lost: %+v", s.Commands)
	}
	if s := shell.Parse(strings.Repeat("a\n", 30000)); s.Problem != nil || len(s.Commands) != 30000 {
		t.Errorf("many commands: %+v, %d", s.Problem, len(s.Commands))
	}
}

func TestTaint(t *testing.T) {
	for src, tainted := range map[string]bool{
		"PATH=. a": true, "LD_PRELOAD=x a": true, "GIT_PAGER=x git log": true, "NODE_OPTIONS=x a": true, "X_OPTIONS=1 a": true,
		"export PATH=.; a": true, "declare -x PAGER=x; a": true, "read PATH <<< x; a": true, "printf -v PATH x; a": true, "typeset -x LD_X=1; a": true,
		"for PATH in x; do a; done": true, ": ${PATH:=x}; a": true, "a() { b; }; a": true, "alias a=b; a": true, "hash -p ./b a; a": true, "enable -f ./x.so a; a": true,
		"readonly BASH_ENV=x; a": true, "PS4='$(b)'; set -x; a": true, "PROMPT_COMMAND=b; a": true, "mapfile PATH < x; a": true, "export \"$X\"; a": true,
		"FOO=1 a": false, "while IFS= read -r l; do a; done": false, "IFS=: a": true, "NODE_ENV=test a": false, "CI=1 LANG=C a": false, "x=1; a": false, "read x; a": false, "export FOO=1; a": false, "b() { c; }; a": false,
	} {
		s := shell.Parse(src)
		got := false
		for i := range s.Commands {
			if c := &s.Commands[i]; strings.HasPrefix(c.Text(), "a") || strings.HasPrefix(c.Text(), "git") {
				got = c.Taint != ""
			}
		}
		if got != tainted {
			t.Errorf("%s: tainted %v, want %v", src, got, tainted)
		}
	}
}

func TestOpaque(t *testing.T) {
	for src, want := range map[string]shell.Opacity{
		"eval \"$X\"": shell.OpaqueShell, "a | sh": shell.OpaqueShell, "sh": shell.OpaqueShell, "$X y": shell.OpaqueShell, "bash -c \"$X\"": shell.OpaqueShell,
		"source <(a)": shell.OpaqueShell, "bash <(a)": shell.OpaqueShell, "bash -s < x": shell.OpaqueShell, "${x@P}": shell.OpaqueShell, "echo ${x@P}": shell.OpaqueShell,
		"test -v 'a[$(x)]'": shell.OpaqueShell, "[[ -v 'a[$(x)]' ]]": shell.OpaqueShell, "[[ $x -eq 1 ]]": shell.OpaqueShell, "let 'a[$(x)]=1'": shell.OpaqueShell,
		"echo $((x))": shell.OpaqueShell, "read 'a[$(x)]'": shell.OpaqueShell, "printf -v 'a[$(x)]' y": shell.OpaqueShell, "declare 'a[$(x)]=1'": shell.OpaqueShell,
		"unset 'a[$(x)]'": shell.OpaqueShell, "echo ${!x}": shell.OpaqueShell, "declare -n r=x": shell.OpaqueShell, "/???/rm x": shell.OpaqueShell, "at now <<< a": shell.OpaqueShell,
		"python3 -c 'x'": shell.OpaqueCode, "node -e x": shell.OpaqueCode, "perl -ne x": shell.OpaqueCode, "python3 - < x": shell.OpaqueCode, "awk 'BEGIN{system(\"a\")}'": shell.OpaqueCode,
		"bash -c 'a'": shell.Clear, "bash x.sh": shell.Clear, "bash --version": shell.Clear, "sh -n x": shell.Clear, "echo $((1+2))": shell.Clear, "i=0; echo $((i+1))": shell.Clear,
		"[[ -v x ]]": shell.Clear, "[[ a == $x ]]": shell.Clear, "[[ $# -gt 1 ]]": shell.Clear, "for ((i=0; i<3; i++)); do a; done": shell.Clear, "awk '{print $1}' f": shell.Clear,
		"python3 x.py": shell.Clear, "python3 -m pytest": shell.Clear, "echo ${a[0]} ${a[@]} ${#a[@]}": shell.Clear, "test -v x": shell.Clear,
	} {
		var got shell.Opacity
		for _, c := range shell.Parse(src).Commands {
			if c.Link != shell.Guess {
				got = max(got, c.Opaque)
			}
		}
		if got != want {
			t.Errorf("%s: opacity %d, want %d", src, got, want)
		}
	}
}

func TestDirs(t *testing.T) {
	for src, want := range map[string][]string{
		"a": nil, "cd x && a": {"x"}, "cd x; a": {"x", ""}, "cd x && cd y && a": {"x/y"}, "cd /x && a": {"/x"}, "cd && a": {"~"}, "cd ~/x && a": {"~/x"},
		"cd $HOME/x && a": {"~/x"}, "cd \"$X\" && a": {"?"}, "cd - && a": {"?"}, "(cd x); a": nil, "cd x | a": nil, "cd x || a": {""}, "pushd x && a": {"x"}, "popd && a": {"?"},
		"if b; then cd x; fi; a": {"x", ""}, "cd -P x && a": {"x"}, "cd -- x && a": {"x"}, "command cd x && a": {"x"}, "cd '~' && a": {"./~"}, "env -C /x a": {"/x"}, "D=x; cd $D && a": {"?"},
	} {
		s := shell.Parse(src)
		for _, c := range s.Commands {
			if c.Text() != "a" || c.Link == shell.Guess {
				continue
			}
			var got []string
			for _, dir := range c.Dirs {
				got = append(got, visible.Replace(dir))
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", src, got, want)
			}
		}
	}
}

func TestGuessesOnlyAdd(t *testing.T) {
	guess := func(c *shell.Command) bool { return c.Link == shell.Guess }
	for src, want := range map[string]string{
		"X=rm; $X -rf /":                              "rm -rf /",
		"a=r; b=m; $a$b x":                            "rm x",
		"X='rm -rf /'; $X":                            "rm -rf /",
		"arr=(rm x); \"${arr[@]}\"":                   "rm x",
		"for d in / /home; do rm \"$d\"; done":        "rm /home",
		"$(echo rm) x":                                "rm x",
		"$(printf 'rm %s' x)":                         "rm x",
		"set -- rm x; \"$@\"":                         "rm x",
		"echo 'rm x' | sh":                            "rm x",
		"echo / | xargs rm":                           "rm /",
		"git -C d push":                               "git push",
		"git -c alias.x=push x o":                     "git push o",
		"git -c alias.x='!rm y' x":                    "rm y",
		"kubectl -n prod delete pod":                  "kubectl delete pod",
		"strace -f rm x":                              "rm x",
		"rm -rf \"$PWD\"":                             "rm -rf .",
		"for d in *; do rm \"$d\"; done":              "rm *",
		"$SUDO rm x":                                  "rm x",
		"sh -c \"rm $X\"":                             "rm x",
		"awk 'BEGIN{system(\"rm x\")}'":               "rm x",
		"python3 -c \"import os; os.system('rm x')\"": "rm x",
		"node -e \"require('child_process').execSync('rm x')\"": "rm x",
		"vim -c ':!rm x'": "rm x",
		"tar cf x . --checkpoint-action=exec='rm x'": "rm x",
		"ssh -o ProxyCommand='rm x' h":               "rm x",
		"docker exec c rm x":                         "rm x",
	} {
		if got := found(src, guess); !slices.Contains(got, want) {
			t.Errorf("%s: guesses %q, want %q among them", src, got, want)
		}
		if got := found(src, certain); slices.Contains(got, want) {
			t.Errorf("%s: %q is no mere guess", src, want)
		}
	}
}

func TestDirsAreBounded(t *testing.T) {
	s := shell.Parse(strings.Repeat("cd x; rm y; ", 2000))
	for i := range s.Commands {
		if n := len(s.Commands[i].Dirs); n > 16 {
			t.Fatalf("command %d may run in %d directories", i, n)
		}
	}
}
