package shell_test

import (
	"slices"
	"testing"

	"github.com/assent-dev/assent/shell"
)

// parts are the texts of all commands that a script may run.
func parts(s *shell.Script) []string {
	var out []string
	for i := range s.Commands {
		out = append(out, s.Commands[i].Text())
	}
	return out
}

// TestRunsByOption: what an option, a setting or an escape names is listed.
func TestRunsByOption(t *testing.T) {
	for _, command := range []string{
		`git config --global alias.p '!npm publish'`,
		`git config core.pager 'npm publish'`,
		`P='!npm publish' git --config-env=alias.p=P p`,
		`git clone -c core.sshCommand='npm publish' x`,
		`git clone 'ext::npm publish' x`,
		`git rebase -ix 'npm publish' main`,
		`export GIT_PAGER='npm publish'`,
		`sudo PAGER='npm publish' git log`,
		`crontab <<< '@daily npm publish'`,
		`rg --pre 'npm publish' x`,
		`fzf --bind 'enter:execute(npm publish)'`,
		`tar cf x y --checkpoint-action exec='npm publish'`,
		`tar cf x y --use-comp='npm publish'`,
		`rsync -ae 'npm publish' a h:b`,
		`scp -S 'npm publish' a h:`,
		`sqlite3 x '.shell npm publish'`,
		`psql -c "COPY x FROM PROGRAM 'npm publish'"`,
		`emacs --batch --eval '(shell-command "npm publish")'`,
		`ed x <<< '!npm publish'`,
		`docker run -v "$PWD":/w -w /w node npm publish`,
		`docker run --rm --entrypoint npm node publish`,
		`gh alias set p '!npm publish'`,
		`git remote-ext x 'npm publish'`,
		`git clone x::ext::'npm publish'`,
		`git -c url.'ext::npm publish'.insteadOf=x fetch x`,
		`git config url.'ext::npm publish'.insteadOf x`,
		`helmfile -b 'npm publish' apply`,
		`latexmk -pdflatex='npm publish' x`,
		`kubectl debug node -- npm publish`,
		`mix cmd npm publish`,
		`brew sh -c 'npm publish'`,
		`ssh host <<< 'npm publish'`,
		`ssh -p 22 user@host <<E
npm publish
E`,
		`echo npm publish | sudo -s`,
		`script -q log <<< 'npm publish'`,
		`nsenter -t 1 -m <<< 'npm publish'`,
	} {
		if !slices.Contains(parts(shell.Parse(command)), "npm publish") {
			t.Errorf("%q: npm publish is not among %q", command, parts(shell.Parse(command)))
		}
	}
}

// TestValuesAreNoCommands: words that only look like a subcommand, and the values of
// options that are understood, are not tried as commands.
func TestValuesAreNoCommands(t *testing.T) {
	for _, command := range []string{
		`gh pr create --title x --body "$(cat body.md)"`,
		`docker run --rm -v "$PWD":/w -w /w node:20 npm test`,
	} {
		s := shell.Parse(command)
		for i := range s.Commands {
			if !s.Commands[i].Words[0].Known() {
				t.Errorf("%q: %q is taken for a command", command, s.Commands[i].Text())
			}
		}
	}
}

// TestAliasIsTried: an alias stands for its body, and a cd in it may have happened.
func TestAliasIsTried(t *testing.T) {
	if got := parts(shell.Parse("alias n='npm '; n publish --tag x")); !slices.Contains(got, "npm publish --tag x") {
		t.Errorf("the body is not tried: %q", got)
	}
	s := shell.Parse("alias g='cd .git'; g; touch x")
	last := s.Commands[len(s.Commands)-1]
	if !slices.Contains(last.Dirs, ".git") || !slices.Contains(last.Dirs, "") {
		t.Errorf("touch may run in %q", last.Dirs)
	}
	if got := parts(shell.Parse("alias ls='ls -l'; ls")); !slices.Contains(got, "ls -l") {
		t.Errorf("an alias for itself: %q", got)
	}
}

// TestRunsWhatItWrites: a file with constant text is read as code where it is run.
func TestRunsWhatItWrites(t *testing.T) {
	for _, command := range []string{
		"echo 'npm publish' > x.sh && ./x.sh",
		"cat > x.sh <<'EOF'\nnpm publish\nEOF\nbash x.sh",
		"echo 'npm publish' | tee x.sh; . ./x.sh",
		"echo 'npm publish' > a; mv a b; sh b",
		"echo 'npm publish' > a; sh < a",
		"echo 'npm publish' > a; cat a | sh",
		"echo 'os.system(\"npm publish\")' > a.py; python3 a.py",
		"echo 'x: ; npm publish' > Makefile; make x",
	} {
		if got := parts(shell.Parse(command)); !slices.Contains(got, "npm publish") {
			t.Errorf("%q: npm publish is not among %q", command, got)
		}
	}
	for _, command := range []string{"echo 'npm publish' > x.txt; cat x.txt", "sh x.sh; echo 'npm publish' > x.sh"} {
		if got := parts(shell.Parse(command)); slices.Contains(got, "npm publish") {
			t.Errorf("%q does not run the file: %q", command, got)
		}
	}
}

// TestHiddenInExpansions: what bash expands where the grammar sees text is listed, and
// the script still counts as not understood.
func TestHiddenInExpansions(t *testing.T) {
	for _, command := range []string{
		"echo ${x:-<(npm publish)}", `echo "${x:-'$(npm publish)'}"`, "echo `echo \\`echo \\\\\\`npm publish\\\\\\`\\``",
	} {
		s := shell.Parse(command)
		if s.Problem == nil || !slices.Contains(parts(s), "npm publish") {
			t.Errorf("%q: problem %v, parts %q", command, s.Problem, parts(s))
		}
	}
}

// TestLiterals: the constants of an inline program, and of nothing else.
func TestLiterals(t *testing.T) {
	for command, want := range map[string][]string{
		`python3 -c "print(open('.env').read())"`:   {".env"},
		`node -e "f('a', 'b')"`:                     {"a", "b"},
		"python3 - <<'EOF'\nopen('.env')\nEOF":      {".env"},
		`grep '".env"' x`:                           nil,
		`python3 x.py "'.env'"`:                     nil,
		`emacs --batch --eval '(find-file ".env")'`: {".env"},
	} {
		if got := shell.Parse(command).Literals(0); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", command, got, want)
		}
	}
}
