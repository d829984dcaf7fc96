package shell

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assent-dev/assent/internal/testlimit"
)

// FuzzDoubtWords: any words are judged without a panic, the word a doubt points
// at is there, and to know less about a word never makes a doubt go away.
func FuzzDoubtWords(f *testing.F) {
	for _, command := range []string{
		"sort -k 1 -o x", "git log --output=x -- y", "find . -name x -delete", "sed -ne s/a/b/w f", "awk -F : {print>$1}",
		"xargs -I {} cat {}", "tree -Lo 2", "xxd -c 8 f", "tar tvf x", "uniq -f 1 a b", "ip -br a show", "set -euo pipefail",
		"git config --get a.b", "date +%s", "[ -v a ]", "ss -tn state x", "head -\xff", "rg -e \xff", "ls \xfe.go",
	} {
		f.Add(command, uint8(2))
	}
	f.Fuzz(func(t *testing.T, command string, at uint8) {
		defer testlimit.Watch(t)()
		words := knownWords(strings.Split(command, " ")...) // some are empty
		doubt := doubtWords(words)
		if doubt.Word < 0 || doubt.Word >= max(len(words), 1) {
			t.Fatalf("%q: a doubt about word %d", command, doubt.Word)
		}
		if len(words) < 2 || doubt.Text == "" {
			return
		}
		words[1+int(at)%(len(words)-1)] = Word{Text: "\xff", Split: true}
		if less := doubtWords(words); less.Text == "" && !isForgiving(words) {
			t.Fatalf("%q: doubtful (%s), but not with an unknown word: %v", command, doubt.Text, words)
		}
	})
}

// isForgiving: programs that take any argument say no to options they do not
// know, and yes to words that are not known.
func isForgiving(words []Word) bool {
	name, _ := systemProgram(words[0].Text)
	spec := about(name).reader
	return spec != nil && spec.loose || name == "git" || name == "xargs" || name == "command" || name == "builtin" || name == "kill" || name == "ip"
}

// A sed script or an awk program that is understood does not hide what follows it.
func TestReadOnly_ScriptsEndWhereTheyEnd(t *testing.T) {
	for _, language := range []struct {
		name, harm string
		judge      func(string) string
		tokens     []string
	}{
		{"sed", "w out", sedScript, []string{
			"s", "/", "a", "b", "[", "]", "[^", "\\", "\n", ";", "{", "}", "1", "$", ",", "!", "i", "c", "r", "q",
			"p", "y", ":", "t", "#", " ", "g", "s/a/b/", "/a/", "|", "[[:alpha:]", "a\\\n",
		}},
		{"awk", "{ system(\"x\") }", awkProgram, []string{
			"{", "}", "(", ")", "print", " ", ";", "\n", ",", ">", "\"", "/", "a", "1", "$", "[", "]",
			"getline", "<", "#", "\\", "++", "if", "while", "=", "~", "length", "/a/", "NR", "[:a:]", "^", "0x", "e",
		}},
	} {
		rapid.Check(t, func(t *rapid.T) {
			script := strings.Join(rapid.SliceOfN(rapid.SampledFrom(language.tokens), 0, 12).Draw(t, "tokens"), "")
			if language.judge(script) != "" || strings.HasSuffix(script, "\\") {
				return
			}
			if language.judge(script+"\n"+language.harm) == "" {
				t.Fatalf("%s: %q hides what follows it", language.name, script)
			}
		})
	}
}

// A pattern that can expand to the text is found to, however it is cut.
func TestReadOnly_MayBecome(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SampledFrom(findActions[:]).Draw(t, "action")
		from := rapid.IntRange(0, len(want)).Draw(t, "from")
		to := rapid.IntRange(from, len(want)).Draw(t, "to")
		if text := want[:from] + "\xff" + want[to:]; !mayBecome(text, want) {
			t.Fatalf("%q can become %s", text, want)
		}
	})
	for text, want := range map[string]bool{
		"-delete": true, "\xff": true, "-\xfe\xff\xfee": true, "-delete\xff": true, "-delet": false,
		"\xfe.go": false, "x\xff": false, "": false,
	} {
		if got := mayBecome(text, "-delete"); got != want {
			t.Errorf("mayBecome(%q) = %v", text, got)
		}
	}
}

var benchmarkSink Doubt

func BenchmarkDoubt(b *testing.B) {
	for _, command := range []string{
		"ls -la src", "cat main.go", "grep -rn foo src", "rg -n --type go foo src", "find . -name *.go -type f", "sort -u -k2,2n f",
		"git status --short", "git log --oneline -10", "git diff --stat HEAD~1", "sed -n 1,5p f", "awk {print$1} f", "xargs wc -l", "rm -rf x",
	} {
		words := knownWords(strings.Fields(command)...)
		b.Run(strings.ReplaceAll(command, " ", "_"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				benchmarkSink = doubtWords(words)
			}
		})
	}
}
