package shell

import (
	"bufio"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// checkPlain compares the tree of a plain command with that of the parser.
func checkPlain(t *testing.T, src string) bool {
	t.Helper()
	got := plainCommand(src)
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
		if plainCommand(src) != nil {
			t.Errorf("%q is taken for a plain command", src)
		}
	}
}

func TestPlainCommandsOfTheCorpus(t *testing.T) {
	plain := 0
	files, err := filepath.Glob("../testdata/*/*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		for lines := bufio.NewScanner(file); lines.Scan(); {
			var row struct{ Command string }
			if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
				t.Fatal(err)
			}
			if checkPlain(t, row.Command) {
				plain++
			}
		}
	}
	if plain < 500 {
		t.Errorf("only %d commands are plain", plain)
	}
}
