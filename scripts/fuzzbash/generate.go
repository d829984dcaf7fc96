//go:build linux

package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode/utf8"
)

// generator writes random scripts.
type generator struct {
	rng   *rand.Rand
	depth int
}

// A sample is a script and where it comes from.
type sample struct {
	script string
	source string
}

// deepest is how far rules of the grammar lead into each other.
const deepest = 7

// next writes a script: from a rule of the grammar, of loose tokens, or by changing others.
func (g *generator) next() sample {
	if g.rng.IntN(500) == 0 {
		return g.deep()
	}
	source := starts[g.rng.IntN(len(starts))]
	made := sample{g.expand(source), source}
	switch n := g.rng.IntN(20); {
	case n < 3:
		made = sample{g.soup(), "soup"}
	case n < 13:
		made.script = g.mutate(made.script)
		made.source += ", changed"
	}
	if g.rng.IntN(12) == 0 {
		made = sample{g.pick("sh", "bash", "sh") + " -c " + quote(made.script), "sh -c: " + made.source}
	}
	return made
}

func (g *generator) pick(options ...string) string { return options[g.rng.IntN(len(options))] }

// expand writes a text for a name of the grammar.
func (g *generator) expand(name string) string {
	options := grammar[name]
	if len(options) == 0 {
		panic("the grammar has no rule for " + name)
	}
	chosen := options[0] // which leads no deeper
	if g.depth < deepest {
		chosen = options[g.rng.IntN(len(options))]
	}
	g.depth++
	defer func() { g.depth-- }()
	return g.fill(chosen)
}

// fill replaces the names in a text. A digit behind a name makes it the same text everywhere:
// «word1» … «word1».
func (g *generator) fill(text string) string {
	var b strings.Builder
	var same map[string]string
	for {
		before, rest, found := strings.Cut(text, "«")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		name, after, _ := strings.Cut(rest, "»")
		text = after
		bare := strings.TrimRight(name, "0123456789")
		if bare == name {
			b.WriteString(g.expand(name))
			continue
		}
		if _, known := same[name]; !known {
			if same == nil {
				same = map[string]string{}
			}
			same[name] = g.expand(bare)
		}
		b.WriteString(same[name])
	}
}

// soup is a row of tokens without any order.
func (g *generator) soup() string {
	var b strings.Builder
	for range 2 + g.rng.IntN(12) {
		b.WriteString(g.token())
	}
	return b.String()
}

// deep is a script inside of itself many times, or the same thing many times.
func (g *generator) deep() sample {
	n := 1 << (3 + g.rng.IntN(11))
	around := wrappings[g.rng.IntN(len(wrappings))]
	if g.rng.IntN(2) == 0 {
		around = [2]string{g.token(), ""}
	}
	inner := g.expand("any")
	return sample{
		strings.Repeat(around[0], n) + inner + strings.Repeat(around[1], n),
		fmt.Sprintf("%d times %q and %q around %q", n, around[0], around[1], inner),
	}
}

func (g *generator) token() string {
	if g.rng.IntN(3) == 0 {
		return g.expand("word")
	}
	return g.fill(tokens[g.rng.IntN(len(tokens))])
}

// mutate changes a script in one to three places.
func (g *generator) mutate(script string) string {
	for range 1 + g.rng.IntN(3) {
		at := g.place(script)
		end := min(len(script), at+1+g.rng.IntN(6))
		for end < len(script) && !utf8.RuneStart(script[end]) {
			end++
		}
		switch g.rng.IntN(9) {
		case 0, 1, 2: // put in a token
			script = script[:at] + g.token() + script[at:]
		case 3: // take away
			script = script[:at] + script[end:]
		case 4: // twice
			script = script[:end] + script[at:]
		case 5: // a piece of another script
			other := g.expand(starts[g.rng.IntN(len(starts))])
			script = script[:at] + other[g.place(other):] + script[at:]
		case 6: // around a part
			to := max(at, g.place(script))
			around := wrappings[g.rng.IntN(len(wrappings))]
			script = script[:at] + around[0] + script[at:to] + around[1] + script[to:]
		case 7: // a line goes on
			script = script[:at] + "\\\n" + script[at:]
		case 8: // something else for a token
			script = script[:at] + g.token() + script[end:]
		}
	}
	if g.rng.IntN(40) == 0 {
		script = strings.ReplaceAll(script, "\n", "\r\n")
	}
	return script
}

// place is a place in a text, mostly where a token ends.
func (g *generator) place(text string) int {
	at := g.rng.IntN(len(text) + 1)
	if i := strings.IndexAny(text[at:], " ;|&<>()\n'\"`$#\\={}"); i >= 0 && g.rng.IntN(3) > 0 {
		return at + i
	}
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	return at
}

// wrappings stand around a part of a script.
var wrappings = [][2]string{
	{"$(", ")"},
	{"`", "`"},
	{"(", ")"},
	{"{ ", ";}"},
	{"\"", "\""},
	{"'", "'"},
	{"$'", "'"},
	{"$\"", "\""},
	{"<(", ")"},
	{">(", ")"},
	{"${a:-", "}"},
	{"$((", "))"},
	{"((", "))"},
	{"[[ ", " ]]"},
	{"\"$(", ")\""},
	{"\"`", "`\""},
	{"eval '", "'"},
	{"sh -c '", "'"},
	{"a=(", ")"},
	{"a[", "]=1"},
	{"${", "}"},
	{"${ ", "; }"},
	{"if ", ";then :;fi"},
	{"case ", " in x) ;; esac"},
	{"cat <<E\n", "\nE\n"},
	{"$[", "]"},
	{"{", ",}"},
	{"@(", ")"},
	{"f() { ", "; }; f"},
	{"while ", "; do break; done"},
	{"for i in ", "; do $i; done"},
}
