package architecture

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "correct the links of docs/features.md and docs/decisions.md to tests that were moved")

// features are the ids that docs/features.md has a row for: P1 to P21, and so on.
var features = []struct {
	letter string
	count  int
}{{"P", 21}, {"H", 18}, {"D", 9}, {"W", 6}, {"K", 5}, {"A", 5}, {"T", 6}, {"G", 5}, {"C", 4}, {"X", 2}}

var (
	tableRow  = regexp.MustCompile(`^\| ([A-Z]+[0-9]+) \| (.+) \| (.*) \| (.*) \|$`)
	pageLink  = regexp.MustCompile(`^\[([a-z-]+\.md)\]\(([a-z-]+\.md)\)$`)
	testLink  = regexp.MustCompile(`\[((?:Test|Fuzz|Example)\w*)\]\(([^)]+)\)`)
	separator = "\n## Threats to an approval\n"
)

// entry is one line of a table of docs/features.md.
type entry struct{ id, what, page, tests string }

func rowsOf(text string) []entry {
	var all []entry
	for line := range strings.Lines(text) {
		if r := tableRow.FindStringSubmatch(strings.TrimSpace(line)); r != nil {
			all = append(all, entry{r[1], r[2], r[3], r[4]})
		}
	}
	return all
}

// TestFeaturesAreProved checks that every feature and every threat has a row with a page and with
// tests that exist.
func TestFeaturesAreProved(t *testing.T) {
	tests := testsOf(t)
	for _, name := range []string{"features.md", "decisions.md"} {
		page := readPage(t, name)
		if *update {
			page = corrected(page, tests)
			if err := os.WriteFile(filepath.Join(docs, name), []byte(page), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for _, complaint := range checkLinks(page, tests) {
			t.Errorf("docs/%s: %s", name, complaint)
		}
	}
	for _, complaint := range checkFeatures(readPage(t, "features.md")) {
		t.Errorf("docs/features.md: %s", complaint)
	}
}

// checkLinks returns the links to tests that lead elsewhere.
func checkLinks(page string, tests map[string][]string) []string {
	var wrong []string
	for _, link := range testLink.FindAllStringSubmatch(page, -1) {
		if !slices.Contains(tests[link[1]], link[2]) {
			wrong = append(wrong, fmt.Sprintf("%s is not in %s but in %q (go test ./internal/architecture -run TestFeatures -update)", link[1], link[2], tests[link[1]]))
		}
	}
	return wrong
}

// corrected returns the page with links to where the tests are now.
func corrected(page string, tests map[string][]string) string {
	return testLink.ReplaceAllStringFunc(page, func(text string) string {
		link := testLink.FindStringSubmatch(text)
		if files := tests[link[1]]; len(files) == 1 {
			return fmt.Sprintf("[%s](%s)", link[1], files[0])
		}
		return text
	})
}

// checkFeatures returns what is missing in the tables.
func checkFeatures(page string) []string {
	var wrong, ids []string
	built, threats, found := strings.Cut(page, separator)
	if !found {
		wrong = append(wrong, "there are no threats")
	}
	for _, r := range rowsOf(built) {
		ids = append(ids, r.id)
	}
	for _, r := range rowsOf(built + threats) {
		if testLink.FindString(r.tests) == "" && !strings.Contains(r.what, "not yet") {
			wrong = append(wrong, r.id+` has no test and does not say "not yet"`)
		}
		if link := pageLink.FindStringSubmatch(r.page); link == nil && (r.page != "" || r.tests != "") || link != nil && link[1] != link[2] {
			wrong = append(wrong, fmt.Sprintf("%s: %q is no link to a page", r.id, r.page))
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

// TestCheckFeatures checks that mistakes which would make the page useless are noticed.
func TestCheckFeatures(t *testing.T) {
	const line = "| %s%d | something | [a.md](a.md) | [TestIt](../it_test.go) |\n"
	var page strings.Builder
	for _, f := range features {
		for i := range f.count {
			fmt.Fprintf(&page, line, f.letter, i+1)
		}
	}
	page.WriteString(separator)
	fmt.Fprintf(&page, line, "T", 19)
	good := fmt.Sprintf(line, "P", 4)
	tests := map[string][]string{"TestIt": {"../it_test.go"}}
	for _, c := range []struct{ name, instead, wants string }{
		{"as it is", good, ""},
		{"not built", "| P4 | something: not yet |  |  |\n", ""},
		{"no test", "| P4 | something | [a.md](a.md) |  |\n", `P4 has no test and does not say "not yet"`},
		{"no page", "| P4 | something |  | [TestIt](../it_test.go) |\n", `P4: "" is no link to a page`},
		{"another page", "| P4 | something | [a.md](b.md) | [TestIt](../it_test.go) |\n", "is no link to a page"},
		{"another test", "| P4 | something | [a.md](a.md) | [TestI](../it_test.go) |\n", "TestI is not in ../it_test.go"},
		{"another file", "| P4 | something | [a.md](a.md) | [TestIt](../is_test.go) |\n", "TestIt is not in ../is_test.go"},
		{"no name of a test", "| P4 | something | [a.md](a.md) | [proof](../it_test.go) |\n", "P4 has no test"},
		{"no row", "", "the rows are"},
		{"two rows", good + good, "the rows are"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(page.String(), good, c.instead, 1)
			got := strings.Join(append(checkFeatures(text), checkLinks(text, tests)...), "\n")
			if (c.wants == "") != (got == "") || !strings.Contains(got, c.wants) {
				t.Errorf("got %q, want %q", got, c.wants)
			}
		})
	}
	moved := strings.ReplaceAll(page.String(), "it_test.go", "old_test.go")
	if got := corrected(moved, tests); got != page.String() {
		t.Errorf("corrected: %q", got)
	}
}
