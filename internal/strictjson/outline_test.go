package strictjson

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/testlimit"
)

// What settings and events look like is taken apart without the codec.
func TestOutlineOfPlainKnowsTheCommon(t *testing.T) {
	for _, text := range []string{
		`{}`, `[]`, " \t\r\n[ ] ", `"a"`, `""`, `true`, `false`, `null`, `0`, `-0`, `12.50e+3`, `1E-7`, `{"a":{"a":[1,"x"]},"b":null}`,
		`["a \" b \\ \/ \b\f\n\r\t", "ä…𝄞"]`, "\"\x7f\"", `{"permissions": {"allow": ["Bash(npm test:*)", "Read(//srv/**)"]}}`,
		strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth), `[` + strings.Repeat(`"abcdefgh",`, 100) + `1]`, object(maxNames),
	} {
		o, ok := outlineOfPlain(text)
		if !ok {
			t.Errorf("%s is left to the codec", text)
			continue
		}
		if want := outlineOf(text); !slices.Equal(o.nested, want.nested) {
			t.Errorf("%s: %v, want %v", text, o.nested, want.nested)
		}
	}
}

// What is wrong, and what only the codec can judge, is left to the codec.
func TestOutlineOfPlainKnowsItsLimits(t *testing.T) {
	for _, text := range []string{
		``, ` `, `{`, `[`, `"`, `"a`, `"\`, `"\"`, `"\x"`, `"\u0041"`, "\"\n\"", "\"\x00\"", "\"\xff\"", "\"\xed\xa0\x80\"", "\"abcdefg\x1f\"", "\ufeff{}", "\u00a0{}",
		`{"a"}`, `{"a":}`, `{"a":1,}`, `{,}`, `{"a":1 "b":2}`, `{a:1}`, `{'a':1}`, `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `{"\n":1}`, `{"a":{"b":1,"b":2}}`,
		`[,]`, `[1,]`, `[1 2]`, `[1`, `[1}`, `{"a":1]`, `{} {}`, `{}x`, `tru`, `truex`, `nul`, `True`, `01`, `-`, `-a`, `+1`, `.5`, `1.`, `1.e5`, `1e`, `1e+`, `0x1`, `NaN`, `1_000`,
		`// x`, `{}//`, `/* x */{}`, strings.Repeat("[", MaxDepth+1) + strings.Repeat("]", MaxDepth+1), object(maxNames + 1),
	} {
		if _, ok := outlineOfPlain(text); ok {
			t.Errorf("%q is accepted", text)
		}
	}
}

// object has n members.
func object(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"%d":0`, i)
	}
	return "{" + strings.TrimPrefix(b.String(), ",") + "}"
}

// Every character is seen for what it is at every place among any others.
func TestSkipOrdinary(t *testing.T) {
	special := func(c int) bool { return c < ' ' || c == '"' || c == '\\' || c >= 0x80 }
	for c := range 256 {
		for before := range 20 {
			for _, around := range []string{"a", "!", "#", "[", "]", "\x7f", " ", "!!]", "~ "} {
				text := []byte(strings.Repeat(around, 40))[:before+12]
				text[before] = byte(c)
				want := len(text)
				if special(c) {
					want = before
				}
				if got := skipOrdinary(string(text), 0); got != want {
					t.Fatalf("%q: %d, want %d", text, got, want)
				}
				for behind := before + 1; behind < len(text); behind++ { // the first of two is found
					if next := slices.Concat(text[:behind], []byte{'"'}, text[behind+1:]); special(c) && skipOrdinary(string(next), 0) != before {
						t.Fatalf("%q: %d, want %d", next, skipOrdinary(string(next), 0), before)
					}
				}
			}
		}
	}
}

// Whatever is taken apart without the codec is valid to the codec, and both ways of
// taking it apart agree.
func FuzzOutline(f *testing.F) {
	f.Add(`{"a":[1,"x\n",{"b":null}]}`)
	f.Add(`{"permissions":{"deny":["Read(./ä)"]}} `)
	f.Fuzz(func(t *testing.T, text string) {
		defer testlimit.Watch(t)()
		o, ok := outlineOfPlain(text)
		if !ok {
			return
		}
		if err := Valid([]byte(text)); err != nil {
			t.Fatalf("%q is accepted: %v", text, err)
		}
		if want := outlineOf(text); !slices.Equal(o.nested, want.nested) {
			t.Fatalf("%q: %v, want %v", text, o.nested, want.nested)
		}
	})
}
