package shell

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// startWords are some words that may begin a command, also with others behind them or in front.
type startWords map[string]bool

func (s startWords) Starts(word string) bool {
	first, _, _ := strings.Cut(word, " ")
	return s[first] || strings.IndexByte(first, Unknown) >= 0 || strings.IndexByte(first, Glob) >= 0
}

func (s startWords) Letters() *Letters {
	all := new(Letters)
	for word := range s {
		all[word[0]/64] |= 1 << (word[0] % 64)
	}
	all[Unknown/64] |= 1<<(Unknown%64) | 1<<(Glob%64)
	return all
}

// The quick answer to what a program may run is never another one than the long answer.
func TestQuickPossible(t *testing.T) {
	t.Parallel()
	starts := startWords{}
	for word := range strings.FieldsSeq("rm git push npm curl make sh bash python3 /usr/bin/rm a:b a@b a=b a%b a$b -x x ./x publish kubectl docker") {
		starts[word] = true
	}
	seen := 0
	check := func(src string) {
		script := Parse(src)
		for i := range script.Commands {
			c, work := &script.Commands[i], 0
			p := possible{beginnings: beginnings{starts, starts.Letters()}, work: &work}
			quick := p.anyStarts(c)
			p.letters = &Letters{math.MaxUint64, math.MaxUint64, math.MaxUint64, math.MaxUint64}
			if found := p.search(c); len(found) > 0 && c.mayRun() {
				if seen++; !quick {
					t.Errorf("%q, %q may run %q, and the quick answer is that it runs nothing", src, c.Text(), found[0].Text)
				}
			}
		}
	}
	for command := range commandsOfCorpus(t) {
		check(command)
	}
	programs := strings.Fields("mytool git npm find tar make ssh env awk python3 docker zip vim tmux foo")
	pieces := []string{"rm", "a:b", "a@b", "a=b", "a%b", "a$b", "npm publish", "x", "-x", "./x", "--cmd", "--exec", "-c", "-m", "--", "exec", "run", "system(", "`", "|", "!", ";", ",", "'", "\\\"", "(", ")", "%", "$", "=", ":", "@", "#", "<", ">", "&", " ", "\n", "/usr/bin/rm", "-T", "k="}
	for range 20_000 {
		src := programs[rand.IntN(len(programs))]
		for range 1 + rand.IntN(3) {
			word := ""
			for range 1 + rand.IntN(4) {
				word += pieces[rand.IntN(len(pieces))]
			}
			src += " \"" + strings.ReplaceAll(strings.ReplaceAll(word, "`", "\\`"), "$", "\\$") + "\""
		}
		check(src)
	}
	if seen < 2000 {
		t.Errorf("only %d commands may run something", seen)
	}
}
