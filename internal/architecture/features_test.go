package architecture

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// features are the ids that docs/features.md has a row for: P1 to P21, and so on.
var features = []struct {
	letter string
	count  int
}{{"P", 21}, {"H", 18}, {"D", 9}, {"W", 6}, {"K", 5}, {"A", 5}, {"T", 4}}

var (
	featureRow  = regexp.MustCompile(`^\| ([A-Z][0-9]+) \| (.+) \| (.*) \|$`)
	featureLink = regexp.MustCompile(`\[([^\]]+)\]\(([^)]+)\)`)
	testName    = regexp.MustCompile(`^(Test|Fuzz|Example)[A-Za-z0-9_]*$`)
)

// Every feature has a row, and every row the tests that prove it.
func TestFeaturesAreProved(t *testing.T) {
	docs := filepath.Join("..", "..", "docs")
	page, err := os.ReadFile(filepath.Join(docs, "features.md"))
	if err != nil {
		t.Fatal(err)
	}
	read := func(path string) string {
		text, err := os.ReadFile(filepath.Join(docs, filepath.FromSlash(path)))
		if err != nil {
			return ""
		}
		return string(text)
	}
	for _, complaint := range checkFeatures(string(page), read) {
		t.Error(complaint)
	}
}

// checkFeatures says what is wrong with the page. read returns the text of a file by its
// path from there, or nothing.
func checkFeatures(page string, read func(path string) string) []string {
	var wrong, ids []string
	for line := range strings.Lines(page) {
		row := featureRow.FindStringSubmatch(strings.TrimSpace(line))
		if row == nil {
			continue
		}
		id, text, proof := row[1], row[2], row[3]
		ids = append(ids, id)
		links := featureLink.FindAllStringSubmatch(proof, -1)
		if len(links) == 0 && !strings.Contains(text, "not yet") {
			wrong = append(wrong, id+` has no test and does not say "not yet"`)
		}
		for _, link := range links {
			if !declares(read(link[2]), link[1]) {
				wrong = append(wrong, fmt.Sprintf("%s: %s does not declare %s", id, link[2], link[1]))
			}
		}
	}
	var want []string
	for _, f := range features {
		for i := range f.count {
			want = append(want, fmt.Sprintf("%s%d", f.letter, i+1))
		}
	}
	if !slices.Equal(ids, want) {
		wrong = append(wrong, fmt.Sprintf("the rows are\n%v, want\n%v", ids, want))
	}
	return wrong
}

func declares(file, test string) bool {
	return testName.MatchString(test) && strings.Contains("\n"+file, "\nfunc "+test+"(")
}

// What would make the page useless is noticed.
func TestCheckFeatures(t *testing.T) {
	var page strings.Builder
	for _, f := range features {
		for i := range f.count {
			fmt.Fprintf(&page, "| %s%d | something | [TestIt](it_test.go) |\n", f.letter, i+1)
		}
	}
	read := func(path string) string {
		return map[string]string{"it_test.go": "package it\n\nfunc TestIt(t *testing.T) {}\n"}[path]
	}
	const row = "| P4 | something | [TestIt](it_test.go) |\n"
	for _, c := range []struct{ name, instead, wants string }{
		{"as it is", row, ""},
		{"not built", "| P4 | something: not yet |  |\n", ""},
		{"no test", "| P4 | something |  |\n", `P4 has no test and does not say "not yet"`},
		{"another test", "| P4 | something | [TestI](it_test.go) |\n", "P4: it_test.go does not declare TestI"},
		{"another file", "| P4 | something | [TestIt](is_test.go) |\n", "P4: is_test.go does not declare TestIt"},
		{"no name of a test", "| P4 | something | [proof](it_test.go) |\n", "P4: it_test.go does not declare proof"},
		{"no row", "", "the rows are"},
		{"two rows", row + row, "the rows are"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := strings.Join(checkFeatures(strings.Replace(page.String(), row, c.instead, 1), read), "\n")
			if (c.wants == "") != (got == "") || !strings.Contains(got, c.wants) {
				t.Errorf("got %q, want %q", got, c.wants)
			}
		})
	}
}
