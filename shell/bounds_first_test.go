package shell

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// said is what a reading says about the files of a script.
func said(scripts []*Script) []string {
	var all []string
	for _, s := range scripts {
		for _, a := range s.SureAccesses() {
			text := fmt.Sprintf("%v %v %q reach %v follows %v splits %v", a.Span, a.Mode, s.Paths(a), a.Reach, a.Follows, a.Splits)
			switch {
			case a.Loose:
				text += " anything"
			case a.Listed > 0:
				text += fmt.Sprintf(" below %q", s.Listing(a.Listed))
			}
			all = append(all, text)
		}
	}
	return all
}

// checkFirst compares the first reading of a command with a second one, where the first
// says that it needs none.
func checkFirst(t *testing.T, command string) (settled bool) {
	t.Helper()
	s := Parse(command)
	if !s.settled {
		return false
	}
	first, second := said(s.Bounded()), said((&Script{Source: command, Commands: s.Commands, patterns: s.patterns}).Bounded())
	if !slices.Equal(first, second) && strings.IndexByte(command, '{') < 0 { // braces are read once
		t.Errorf("%s:\nfirst  %q\nsecond %q", command, first, second)
	}
	return true
}

// What the first reading settles is what a second one would have found out.
func TestFirstReadingSaysWhatASecondWould(t *testing.T) {
	settled := 0
	for command := range commandsOfCorpus(t) {
		if checkFirst(t, command) {
			settled++
		}
	}
	if settled < 1000 {
		t.Errorf("only %d commands are settled by the first reading", settled)
	}
}

// The same for commands put together from pieces about which the two could differ.
func TestFirstReadingOfRandomCommands(t *testing.T) {
	lister := []string{
		"find .", "find src -type f", "ls", "ls -l", "ls ..", "git ls-files", "git diff --name-only", "git log", "rg -l x src", "grep -rl x .", "grep -l x -", "fd -e go", "seq 3", "pwd", "pwd | grep x",
		"wc -l < f", "cat list", "echo a b", "find $D", "find \"$(pwd)\"", "command find .", "timeout 5 find .", "timeout 5 echo a", `\find .`, "'find' .", "find . 2>/dev/null", "find . 2>&1",
		"find . >&2", "find '~'", "find ~", "find .*", "date +%s", "find /etc", "! find .", "date +%F", "date '+%Y %m'", "date -d x +%D", "grep -c x f", "grep -c x f g", "rg --sort -l x", "grep --exclude -l x f", "find . -newer <(ls)", "find . 2>$(ls)", "find . -printf x",
	}
	filter := []string{"sort", "sort -u", "head -3", "grep -v x", "grep x f", "sed s/a/b/", "tee out", "wc -l", `sort "-u"`, "grep '-x'", `grep "a b"`, "grep -c x", "xargs cat"}
	sink := []string{
		"xargs cat", "xargs -0 cat", "xargs -I% cat %", "xargs -I% cat src/%", "xargs -I% cat %/../x", "xargs -d '\\n' cat", "xargs sh -c 'cat $0'", "xargs -a list cat", "xargs -ra list cat", "xargs --ar=list cat", "xargs -rdz cat", "while read -r f; do cat \"$f\"; done",
		"xargs cat >&2", "xargs cat < list", "wc --files0-from=-", "sh", "xargs cat '~'", "xargs -I% cat '~'/%", "xargs timeout 3 cat", "xargs env cat", "cat",
	}
	word := []string{
		"$F", `"$F"`, "src/$F", "$(LIST)", `"$(LIST)"`, "src/$(LIST)", "x$(LIST)", "$(LIST)$(LIST)", "$(LIST)/x", "~/$(LIST)", "'~'/$(LIST)", "$PWD/x", "$((1+2))", "f$RANDOM", "$HOME/x", "\"$HOME/$F\"", "a.go",
		"*.go", "`LIST`", "<(LIST)", "$1", "$@", "x$HOME", "'~'", "~", "../x", "$!", "$IFS", "$(LIST | sort)", "${F%.go}", "-n$(LIST)", "${HOME%%*}-x", "${HOME:-x}", "$((1-2))x",
	}
	program := []string{"cat", "head -3", "wc -l", "grep x", "ls", "git diff", "test -f", "sort", "find", "cd", "cat <", "md5sum -c", "sort --files0-from", "env cat", "timeout 5 cat", "nice cat", "echo", "git -C"}
	before := []string{
		"", "", "", "", "cd in && ", "cd */ && ", "cd - && ", "cd in && cd - && ", "cd $D && ", "pushd in; ", "X=a; ", "F=a; ", "set -e; ", "wc() { true; }; ", "alias find='echo /etc'; ", "time ", "! ", "[[ -f $F ]] && ",
		"cd '~' && ", "env -C i* ", "echo x > y.sh; sh y.sh; ", "cat <<< $F; ", "case $F in a) ls;; esac; ", "exec 3< f; ", "true | ", "(ls) && ", "read F < l; ",
	}
	random := rand.New(rand.NewPCG(3, 4))
	pick := func(list []string) string { return list[random.IntN(len(list))] }
	settled, listed, commands := 0, 0, 6_000
	if os.Getenv("ASSENT_SOAK") != "" {
		commands = 20_000
	}
	for range commands {
		command := pick(before)
		if random.IntN(2) == 0 {
			command += pick(lister)
			for range random.IntN(3) {
				command += " | " + pick(filter)
			}
			command += " | " + pick(sink)
		} else {
			command += pick(program) + " " + pick(word)
			if random.IntN(3) == 0 {
				command += " " + pick(word)
			}
		}
		for strings.Contains(command, "LIST") {
			command = strings.Replace(command, "LIST", pick(lister), 1)
		}
		if checkFirst(t, command) {
			settled++
			if slices.ContainsFunc(said(Parse(command).Bounded()), func(text string) bool { return strings.Contains(text, " below ") }) {
				listed++
			}
		}
	}
	if settled < commands/4 || listed < commands/40 {
		t.Errorf("only %d are settled, %d of them by a listing", settled, listed)
	}
}
