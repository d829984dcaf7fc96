package shell

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"github.com/assent-dev/assent/internal/testlimit"
)

// checkPlain compares the tree of a plain command with that of the parser.
func checkPlain(t *testing.T, src string) bool {
	t.Helper()
	got := plainCommand(src, new(plainRoom))
	if got == nil {
		return false
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(src), "")
	if err != nil {
		t.Errorf("%q: %v", src, err)
		return true
	}
	if reflect.DeepEqual(got, file.Stmts) {
		return true
	}
	// They may differ in what is nobody's business, and differ for people only where their prints do.
	var a, b strings.Builder
	if err := syntax.DebugPrint(&a, &syntax.File{Stmts: got}); err != nil {
		t.Fatal(err)
	}
	if err := syntax.DebugPrint(&b, &syntax.File{Stmts: file.Stmts}); err != nil {
		t.Fatal(err)
	}
	if a.String() != b.String() {
		t.Errorf("%q: %s, want %s", src, a.String(), b.String())
	}
	return true
}

// A plain command is what the parser would make of it, wherever its words stand.
func TestPlainCommandsAreWhatTheParserReads(t *testing.T) {
	words := strings.Fields("if then elif else fi for while until do done case esac in select function time coproc declare local export readonly typeset nameref let " +
		"eval exec test alias unset read trap source . : true command builtin set shift return break continue git rm -rf --x=y a=b A=1 2 10 -- - % %1 @ , = _ a.b /x ./x a:b x@y " +
		"[ ] { } ! [[ ]] (( )) ~ # * ? $x 'a' \"b\" \\a > < | & ; && || a+=b +x ^ `x` {a,b} \t \n é")
	random := rand.New(rand.NewPCG(1, 2))
	plain := 0
	for range 50_000 {
		var src strings.Builder
		src.WriteString(strings.Repeat(" ", random.IntN(2)))
		for range 1 + random.IntN(5) {
			src.WriteString(words[random.IntN(len(words))] + strings.Repeat(" ", 1+random.IntN(2)))
		}
		if checkPlain(t, strings.TrimSuffix(src.String(), " ")) {
			plain++
		}
	}
	if plain < 5000 {
		t.Errorf("only %d of the texts are plain", plain)
	}
	for _, word := range words {
		checkPlain(t, word)
		checkPlain(t, word+" x")
		checkPlain(t, "x "+word)
	}
	for _, src := range []string{"", " ", "a=b", "a\nb", "a\tb", "x" + strings.Repeat(" y", mostPlain)} {
		if plainCommand(src, new(plainRoom)) != nil {
			t.Errorf("%q is taken for a plain command", src)
		}
	}
}

// Commands that are joined, and words in quotes, are what the parser would make of them too,
// however close they stand.
func TestPlainListsAreWhatTheParserReads(t *testing.T) {
	pieces := []string{
		"git", "rm", "-rf", "a=b", "--x=y", "if", "time", "do", "in", "export", "2", "10", "%1", "/x", "-", "_",
		"&&", "||", "|", "&", "|&", "&&&", "|||", ";", ">", "2>&1", "&>", ">|", "<", "(", ")", "!", "{", "}", "#", "\n", "\t", "\\",
		"'a b'", "'*.go'", `"a b"`, `"it's"`, `'say "x"'`, `'$x'`, `"$x"`, "'`x`'", "\"`x`\"", `'a\b'`, `"a\b"`, `"a\"b"`, `""`, "''", "'", `"`, `"#!~{}[]*?()<>;&|"`,
		`'#!~{}[]*?()<>;&|'`, `"a!b"`, "'é'", "\"é\"", "'a\nb'", "\"a\nb\"", `$'a'`, `$"a"`, `"a = b"`, "'a\tb'", "'\x7f'",
	}
	loops := []string{
		"for x in a; do ", `for x in a "$b" *.c 'd e';do `, "for  x in  a b ;  do ", "for x in a; do; ", "for x; do ", "for 1x in a; do ", "for x in a >b; do ", "for x in a | b; do ", "for x in; do ",
		"for x in a;do", "for in in in; do ", "for x in do; do ", "for x in a; do for y in b; do ", "for $x in a; do ", "for x in a=b; do ", "for x on a; do ", "for x in a; b; do ", "for x in a;\ndo ",
	}
	random := rand.New(rand.NewPCG(3, 4))
	joined, quoted := 0, 0
	for range 500_000 {
		var src strings.Builder
		for range 1 + random.IntN(9) {
			piece := pieces[random.IntN(len(pieces))]
			if random.IntN(3) > 0 { // one of those that are plain
				piece = [...]string{"git", "x", "a.b", "&&", "||", "|", "&&", "||", "|", "'a b'", `"a b"`, ";", "2>&1", ">/dev/null", "2> x", ">>x", "< x", "$x", `"$a_1"`, "*.go", "~/x"}[random.IntN(21)]
			}
			src.WriteString(piece + strings.Repeat(" ", random.IntN(3)))
		}
		text := src.String()
		if random.IntN(4) == 0 {
			text = loops[random.IntN(len(loops))] + text + [...]string{"; done", ";done", "done", "; done ", "; done | x", ";  done", "; don"}[random.IntN(7)]
		}
		if checkPlain(t, text) {
			if strings.ContainsAny(text, "&|") {
				joined++
			}
			if strings.ContainsAny(text, `'"`) {
				quoted++
			}
		}
	}
	if joined < 2000 || quoted < 2000 {
		t.Errorf("only %d of the texts are plain with several commands, %d with quotes", joined, quoted)
	}
	for _, src := range []string{
		"a|b", "a && b || c", "a | b && c | d || e", "a 'b c' | d \"e f\"", `git commit -m "it's (not) 1 > 2; #3"`,
		`a "$b"`, "a $b_1", "a && b > c", "a 2>&1 | b", "a >b 2>> c <d", "a > 'b c' d", "a *.go ~/x b+c ?", "a && b;", "a; b | c;d", "a ; b ;", "for x in a; do b; done", `for x in a "$b" *.c ;do c "$x" && d; e; done`, "x" + strings.Repeat("|x", mostJoined-1),
	} {
		if !checkPlain(t, src) {
			t.Errorf("%q is not taken for a plain command", src)
		}
	}
	for _, src := range []string{
		"a &", "a & b", "a |& b", "a &&& b", "a |", "a &&", "| a", "&& a", "a | | b", "a || || b", "a && b=c", "a && if", "a | time b", "a && 'b'", "'a' b", `"a" b`,
		"a'b'", "a 'b'c", `a 'b'"c"`, "a ''", `a ""`, "a \"`b`\"", `a "\b"`, "a 'b", `a "b`, "a 'é'", "a 'b\nc'", ";", "; a", "a ;; b", "a;; b", "a; ;", "a;b&", "a | ; b", ">x a", "a >", "a > ", "a > & b", "a 2>&x", "a >&$x", "a > $x",
		"a>b", "a b>c", `a "$b"c`, `a "$b""c"`, `"$a" b`, "$a b", "a $", "a ${b}", `a "$b c"`, `a "$"`, "a $1", "a $(b)", "a <(b)", "a >(b)", "a >| b", "a <> b", "a << b", "a <<< b", "a 22> b", "a >&-", "a &> b",
		"a {b", "x" + strings.Repeat("|x", mostJoined),
	} {
		if plainCommand(src, new(plainRoom)) != nil {
			t.Errorf("%q is taken for a plain command", src)
		}
	}
}

func FuzzPlainCommand(f *testing.F) {
	for _, src := range []string{"git status", "a && b || c | d", `a 'b c' | d "e f"`, "a=b c", "a &", "a 'b'c", `a "$b"`, "if x", "a | time b", "a |& b"} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		defer testlimit.Watch(t)()
		if refuse(src) == nil { // others are not read
			checkPlain(t, src)
		}
	})
}

func TestPlainCommandsOfTheCorpus(t *testing.T) {
	plain := 0
	for command := range commandsOfCorpus(t) {
		if checkPlain(t, command) {
			plain++
		}
	}
	if plain < 500 {
		t.Errorf("only %d commands are plain", plain)
	}
}
