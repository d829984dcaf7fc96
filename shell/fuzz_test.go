package shell_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/assent-dev/assent/internal/testlimit"
	"github.com/assent-dev/assent/shell"
)

// FuzzParse: no text makes the analysis panic or contradict itself, and what must
// never be allowed always has a problem.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"rules.jsonl", "readonly.jsonl", "danger.jsonl"} {
		for _, r := range corpus(f, name) {
			f.Add(r.Command)
		}
	}
	for _, src := range []string{
		"ls -m -rfgrep .git | r", // on the floor, so it must be dangerous
		// empty choices, which have no place of their own
		`for f in {,x}; do cat "$f"; done`, `for f in {,.}*; do cat "$f"; done`, `a=({,x}); cat ${a[0]}`, `a=b; {,}`,
		`a=({,x} {,}); for i in "${a[@]}" {,}; do cat $i; done`, `x=1; {,cat} $x`, `x=a; {,{,y}} $x`, `for i in {,{,b}}c; do {,} $i; done`,
	} {
		f.Add(src)
	}
	for _, src := range hostileSeeds {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		defer testlimit.Watch(t)()
		s := shell.Parse(src)
		if s.Problem == nil && (!utf8.ValidString(src) || len(src) > shell.MaxSize || strings.ContainsAny(src, "\x00\r\x1b\x7f") || strings.Trim(src, " \t\n") == "") {
			t.Fatalf("%q has no problem", src)
		}
		if s.Problem != nil && s.ReadOnly().Text == "" {
			t.Fatalf("%q has a problem (%s) but is read-only", src, s.Problem.Text)
		}
		for i := range s.Commands {
			c := &s.Commands[i]
			if c.Parent >= i || c.Span.Start < 0 || int(c.Span.End) > len(src) || c.Span.Start > c.Span.End {
				t.Fatalf("%q: command %d has parent %d and span %v", src, i, c.Parent, c.Span)
			}
			if c.Stdin.Kind == shell.StdinPipe && (c.Stdin.From > c.Stdin.To || c.Stdin.To > len(s.Commands)) {
				t.Fatalf("%q: command %d reads from %d to %d", src, i, c.Stdin.From, c.Stdin.To)
			}
			if text := strings.Map(unmark, c.Text()); !utf8.ValidString(text) {
				t.Fatalf("%q: command %d is %q", src, i, text)
			}
		}
		for _, access := range s.Accesses() {
			if len(s.Paths(access)) == 0 || access.Command >= len(s.Commands) {
				t.Fatalf("%q: access %+v leads nowhere", src, access)
			}
		}
		for range s.Bounded() {
		}
		dangers := s.Danger()
		if floor := s.Floor(); floor != nil && len(dangers) == 0 {
			t.Fatalf("%q is on the danger floor (%s) but not dangerous", src, floor.Text)
		}
		for _, d := range dangers {
			if d.Text == "" || d.Command >= len(s.Commands) {
				t.Fatalf("%q: finding %+v", src, d)
			}
		}
	})
}

// hostileSeeds are texts in which one thing leads to another.
var hostileSeeds = []string{
	"ls ~root/*", "cat ~root/*", "ls ~+/*", "ls ~nobody/[a-z]*", "cd ~root/*; cat *", "x=~root/*; cat $x", "ln -s ~root a; cat a/*",
	"a='eval $a'; eval $a", "a=$a$a; rm $a", "f() { f; }; f", "alias a='a a'\na", "echo {a,{b,{c,d}}}", "echo $((a[a[a[1]]]))", "[[ -v 'a[a[1]]' ]]",
	"sudo sudo sudo ls", "sh -c 'sh -c \"sh -c ls\"'", "ln -s a b; ln -s b a; cat a", "awk '{((((1))))}'", "sed '{{{p}}}'", "jq '((((1))))'",
}

// unmark replaces the marks, which are no UTF-8 by design.
func unmark(r rune) rune {
	if r == utf8.RuneError {
		return '?'
	}
	return r
}
