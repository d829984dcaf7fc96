package shell_test

import (
	"testing"

	"github.com/assent-dev/assent/shell"
)

// Texts that zsh takes apart in another way than bash: each was run in zsh 5.9.
func TestForZshBothShellsHaveToAgree(t *testing.T) {
	for _, src := range []string{
		"{make}", "{make}>x", "$= make", "make$=", "make$~", "echo $+", "ls f(e:make:)", "for i (a) make", "if [[ a ]] { make }", "() { make }",
		"hash ls=/x/make; ls", "read -t 'a[$(make)]' x", "x=.ENV; cat $x:l", "setopt globdots; cat *", "set -4; cat *", "source =make", "alias -g X='; make'",
		"echo ${(e)a}", "repeat 1; do make; done", "{ :; } always { make }",
		"echo make | sh <<< ls", "cat < a < b", "cat .[/e]nv", "cat .[]/e]nv", "cat .['/'e]nv",
	} {
		if s := shell.ParseFor(shell.Zsh, src); s.Problem == nil {
			t.Errorf("%q is understood as %q", src, texts(s))
		}
	}
	for _, src := range []string{
		"path=x; ls", "functions[ls]=make; ls", "aliases[ls]=make\nls", "commands[ls]=./x; ls", "for path in a b; do ls; done", "read path; ls", "echo ${a-=(make)}", "cat ${b:+=(make)} x", "echo ${a/b/=(make)}",
		"ls >&2-", "nocorrect exit 'a[$(make)]=1'", "noglob return 'a[$(make)]'", "exec shift 'a[$(make)]'", "- exit 'a[$(make)]'",
	} {
		if doubt := shell.ParseFor(shell.Zsh, src).ReadOnly(); doubt.Text == "" {
			t.Errorf("%q is read-only", src)
		}
	}
	if doubt := shell.Parse("for path in a b; do ls; done").ReadOnly(); doubt.Text != "" {
		t.Errorf("path is an ordinary variable of bash: %s", doubt.Text)
	}
}

// zsh evaluates what its special parameters are assigned that hold numbers, and the number of a
// file descriptor in a test.
func TestZshEvaluatesItsIntegers(t *testing.T) {
	for _, src := range []string{
		`COLUMNS='path[$(make)]'`,
		`LINES=$x`,
		`HISTSIZE='path[$(make)]' ls`,
		`export SHLVL='path[$(make)]'`,
		`for COLUMNS in 'path[$(make)]'; do :; done`,
		`read COLUMNS < f`,
		`UID='path[$(make)]'`,
		`TMOUT=$(cat f)`,
		`[[ -t 'path[$(make)]' ]]`,
		`[[ -t $x ]]`,
	} {
		if doubt := shell.ParseFor(shell.Zsh, src).ReadOnly(); doubt.Text == "" {
			t.Errorf("%q is read-only", src)
		}
	}
	for _, src := range []string{
		`COLUMNS=200 ps aux`,
		`LINES=20`,
		`[[ -t 1 ]] && echo x`,
		`COLUMNS=$((80+1))`,
		`FOO=a ls`,
	} {
		if doubt := shell.ParseFor(shell.Zsh, src).ReadOnly(); doubt.Text != "" {
			t.Errorf("%q: %s", src, doubt.Text)
		}
	}
}

// What runs inside of a shell is read as that shell reads it, whatever reads the whole script.
func TestCodeIsReadByItsOwnShell(t *testing.T) {
	for _, src := range []string{"zsh -c 'ls >&2-'", "zsh -c 'path=x; ls'", "bash -c \"zsh -c 'path=x; ls'\""} {
		if doubt := shell.Parse(src).ReadOnly(); doubt.Text == "" {
			t.Errorf("%q is read-only", src)
		}
	}
	// path is an ordinary variable of bash, also where zsh reads the script.
	for program, tainted := range map[string]bool{"zsh": true, "bash": false} {
		s := shell.ParseFor(shell.Zsh, program+" -c 'path=x; ls'")
		if ls := &s.Commands[len(s.Commands)-1]; ls.Text() != "ls" || ls.Taint != "" != tainted {
			t.Errorf("%s: %q is tainted by %q", program, ls.Text(), ls.Taint)
		}
	}
}

func TestLanguageOfAShell(t *testing.T) {
	for program, want := range map[string]shell.Language{"": shell.Bash, "/bin/bash": shell.Bash, "/usr/bin/zsh": shell.Zsh, "zsh": shell.Zsh, "/bin/fish": shell.Bash} {
		if got := shell.LanguageOf(program); got != want {
			t.Errorf("%q: %v", program, got)
		}
	}
}
