package shell_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/shell"
)

// readings is what the readings of a command say about its last file.
func readings(command string) []string {
	var all []string
	for _, s := range shell.Parse(command).Bounded() {
		accesses := s.SureAccesses()
		if len(accesses) == 0 {
			continue
		}
		a := accesses[len(accesses)-1]
		text := strings.NewReplacer("\xff", "?", "\xfe", "*").Replace(strings.Join(s.Paths(a), " "))
		switch {
		case a.Loose:
			text = "anything"
		case a.Listed > 0:
			text = "below " + strings.Join(s.Listing(a.Listed), " ")
		}
		all = append(all, text)
	}
	return all
}

// A second reading is exact: it says what a word can be, or that it can be anything.
func TestBounded(t *testing.T) {
	for command, want := range map[string]string{
		"cat a":                                        "a",
		`cat "$F"`:                                     "anything",
		"X=a; cat $X":                                  "a",
		"X=a; X=b/c; cat $X":                           "a|b/c",
		"X=a; X=b; cat x$X":                            "x*",
		"X=/x; Y=$X/y; cat $Y/z":                       "/x/y/z",
		"X='a b'; cat $X":                              "b",
		`X='a b'; cat "$X"`:                            "a b",
		"for f in a b/c; do cat $f; done":              "a|b/c",
		"for f in *.go; do cat $f; done":               "*.go",
		"for d in a b; do cd $d; cat x; done":          "*/x */*/x ?/x x",
		"cat $(find e1 e2 -type f)":                    "below e1 e2",
		"cat $(ls sub)":                                "below .",
		"git ls-files | sort -u | xargs cat":           "below .",
		"find {a,b} | xargs cat":                       "below a b",
		"X=a; find {a,b} | xargs cat":                  "anything",
		"cat $(find {a,b})":                            "below a b",
		"find e1 | while read f; do cat $f; done":      "below e1",
		"cat $((1+2)).txt":                             "*.txt",
		"cat $(wc -l < a)":                             "*",
		"cat $PWD/x":                                   "./x",
		"cat $PWD-x":                                   "anything",
		"D=$PWD; cat $D/x":                             "./x",
		"D=$PWD; c\\d y; cat $D/x":                     "anything",
		"D=~+; cat $D/x":                               "./x",
		"D=~+; cd y; cat $D/x":                         "anything",
		"cat $(date +%F).log":                          "*.log",
		"D=$(date +%F); cat x$D":                       "x*",
		`cat "$(date +%D)"`:                            "anything",
		`cat "$(date +/etc)"`:                          "anything",
		"cat $(grep -c x f)":                           "*",
		"X=; cat $($X)":                                "anything",
		"grep --exclude -l . f | xargs cat":            "anything",
		"find . | grep '-f' | xargs cat":               "anything",
		"cat $X; X=a":                                  "anything",
		"true && X=a; cat $X":                          "anything",
		"X=$Y; cat $X":                                 "anything",
		"X=$X; cat $X":                                 "anything",
		"X=$Y; Y=$X; cat $X":                           "anything",
		"IFS=x; cat $(find .)":                         "",
		"X=a; unset X; cat $X":                         "anything",
		"sh -c 'X=a; cat $X'":                          "anything",
		"cat $(find $(pwd))":                           "anything",
		"for i in 1 2 3 4 5 6 7 8 /x; do cat $i; done": "anything",
	} {
		if got := strings.Join(readings(command), "|"); got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}

// The second reading takes no longer than the text is worth.
func TestBoundedOfHostileTexts(t *testing.T) {
	deep := "cat x"
	for range 40 {
		deep = "cat $(" + deep + ")"
	}
	chain := "X0=a; "
	for i := range 2000 {
		chain += "X" + strconv.Itoa(i+1) + "=$X" + strconv.Itoa(i) + "; "
	}
	for name, command := range map[string]string{
		"nested": deep, "a chain": chain + "cat $X2000", "many values": "for i in " + strings.Repeat("a/b ", 5000) + "; do cat $i; done",
		"many pipes": "find . " + strings.Repeat("| sort ", 2000) + "| xargs cat", "around": strings.Repeat("X=$Y$Y; Y=$X$X; ", 500) + "cat $X",
		"braces": "X=a; cat " + strings.Repeat("{$X,b}", 12),
	} {
		start := time.Now()
		shell.Parse(command).Bounded()
		if took := time.Since(start); took > 3*time.Second {
			t.Errorf("%s: %v", name, took)
		}
	}
}
