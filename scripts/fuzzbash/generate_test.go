//go:build linux

package main

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// Every name that a text of the grammar mentions has a rule, each rule is used, and its first text
// leads no deeper than a few steps.
func TestGrammarIsComplete(t *testing.T) {
	used := map[string]bool{}
	for _, name := range starts {
		used[name] = true
	}
	names := func(text string) (found []string) {
		for {
			_, rest, ok := strings.Cut(text, "«")
			if !ok {
				return found
			}
			name, after, closed := strings.Cut(rest, "»")
			if !closed {
				t.Fatalf("%q: a name is not closed", text)
			}
			found = append(found, strings.TrimRight(name, "0123456789"))
			text = after
		}
	}
	check := func(where, text string) {
		for _, name := range names(text) {
			used[name] = true
			if len(grammar[name]) == 0 {
				t.Errorf("%s: there is no rule for %s", where, name)
			}
		}
	}
	for name, options := range grammar {
		for _, text := range options {
			check(name, text)
		}
	}
	for _, text := range tokens {
		check("tokens", text)
	}
	for name := range grammar {
		if !used[name] && name != "word" { // which soup uses
			t.Errorf("nothing uses the rule %s", name)
		}
	}
	for name := range grammar {
		if deep(name, names, 0) > 4 {
			t.Errorf("the first text of %s leads too deep", name)
		}
	}
}

func deep(name string, names func(string) []string, at int) int {
	if at > 5 {
		return at
	}
	most := at
	for _, next := range names(grammar[name][0]) {
		most = max(most, deep(next, names, at+1))
	}
	return most
}

// The same seed writes the same scripts, which are texts that an agent can send.
func TestGeneratorRepeatsItself(t *testing.T) {
	one := generator{rng: rand.New(rand.NewPCG(1, 2))}
	two := generator{rng: rand.New(rand.NewPCG(1, 2))}
	kinds := map[string]bool{}
	for range 5000 {
		a, b := one.next(), two.next()
		if a != b {
			t.Fatalf("%q and %q come from the same seed", a.script, b.script)
		}
		if !utf8.ValidString(a.script) {
			t.Fatalf("%q is not UTF-8", a.script)
		}
		kinds[a.source] = true
	}
	for _, source := range append([]string{"soup"}, starts...) {
		if !kinds[source] {
			t.Errorf("%s wrote nothing", source)
		}
	}
}

func BenchmarkJudge(b *testing.B) {
	j, err := newJudge()
	if err != nil {
		b.Fatal(err)
	}
	g := generator{rng: rand.New(rand.NewPCG(1, 2))}
	allowed := 0
	for b.Loop() {
		v, err := j.script(g.next().script, &shells[0])
		if err != nil {
			b.Fatal(err)
		}
		if v.allowed() {
			allowed++
		}
	}
	b.ReportMetric(float64(allowed)/float64(b.N), "allowed/op")
}
