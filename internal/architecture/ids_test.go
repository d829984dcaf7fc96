package architecture

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	docs = filepath.Join("..", "..", "docs")

	testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Example|Benchmark)\w*)\(`)
	testIDs  = regexp.MustCompile(`^(?:Test|Fuzz|Example|Benchmark)((?:[A-Z]{1,3}[0-9]{1,3}_)+)`)
	decision = regexp.MustCompile(`(?m)^### (S[0-9]+)\n`)
)

// noTest begins the reason of a decision that no test is named after.
const noTest = "No test carries this id: "

func readPage(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(docs, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// testsOf returns the files in which each test of the module is declared, as the pages in docs link
// to them.
func testsOf(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	err := filepath.WalkDir(filepath.Dir(docs), func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && d.Name() != ".."):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		link, err := filepath.Rel(docs, path)
		for _, name := range testFunc.FindAllStringSubmatch(string(text), -1) {
			found[name[1]] = append(found[name[1]], filepath.ToSlash(link))
		}
		return err
	})
	if err != nil || len(found) < 1000 {
		t.Fatalf("%d tests, %v", len(found), err)
	}
	return found
}

// idsOf returns the ids at the beginning of a test's name.
func idsOf(test string) []string {
	ids := testIDs.FindStringSubmatch(test)
	if ids == nil {
		return nil
	}
	return strings.Split(strings.TrimSuffix(ids[1], "_"), "_")
}

// TestIDsAreExplained checks that a reader can look up what the id in a test's name means, and that
// nothing is listed that no test is about.
func TestIDsAreExplained(t *testing.T) {
	var tests []string
	for name := range testsOf(t) {
		tests = append(tests, name)
	}
	for _, complaint := range checkIDs(readPage(t, "features.md"), readPage(t, "decisions.md"), tests) {
		t.Error(complaint)
	}
}

// checkIDs returns the ids of tests that no page explains, and the entries that no test is named
// after. Rows of features link to their tests instead.
func checkIDs(features, decisions string, tests []string) []string {
	used := map[string]string{}
	for _, name := range tests {
		for _, id := range idsOf(name) {
			used[id] = name
		}
	}
	var wrong []string
	explained := map[string]bool{}
	for _, r := range rowsOf(features) {
		explained[r.id] = true
	}
	_, threats, _ := strings.Cut(features, separator)
	for _, r := range rowsOf(threats) {
		if used[r.id] == "" {
			wrong = append(wrong, fmt.Sprintf("docs/features.md: no test carries %s", r.id))
		}
	}
	last := 0
	for id, text := range decisionsOf(decisions) {
		last++
		explained[id] = true
		if strings.Contains(text, noTest) == (used[id] != "") {
			wrong = append(wrong, fmt.Sprintf("docs/decisions.md: %s: say %q and why exactly if no test carries the id", id, noTest))
		}
		for _, part := range []string{"**", "?**", "Why:", "Otherwise"} {
			if !strings.Contains(text, part) {
				wrong = append(wrong, fmt.Sprintf("docs/decisions.md: %s has no %q", id, part))
			}
		}
	}
	for n := range last {
		if id := fmt.Sprintf("S%d", n+1); !explained[id] {
			wrong = append(wrong, fmt.Sprintf("docs/decisions.md: there is no %s", id))
		}
	}
	for id, name := range used {
		if !explained[id] {
			wrong = append(wrong, fmt.Sprintf("%s: neither docs/features.md nor docs/decisions.md explains %s", name, id))
		}
	}
	slices.Sort(wrong)
	return wrong
}

// decisionsOf returns the texts of docs/decisions.md by id.
func decisionsOf(page string) map[string]string {
	found := map[string]string{}
	for _, at := range decision.FindAllStringSubmatchIndex(page, -1) {
		text, _, _ := strings.Cut(page[at[1]:], "\n#")
		found[page[at[2]:at[3]]] = text
	}
	return found
}

// TestCheckIDs checks that a missing explanation is noticed, and one that is not needed any more.
func TestCheckIDs(t *testing.T) {
	const features = "| P1 | a | [a.md](a.md) | [TestP1_A](../a_test.go) |\n" + "\n## Threats to an approval\n" + "| T1 | b | [a.md](a.md) | [TestT1_B](../a_test.go) |\n"
	const text = "**What?** This. Why: that. Otherwise: nothing.\n"
	for _, c := range []struct {
		name, decisions string
		tests           []string
		wants           string
	}{
		{"all", "### S1\n" + text, []string{"TestP1_A", "TestT1_S1_B", "TestC", "FuzzS1_D"}, ""},
		{"an id that nobody explains", "### S1\n" + text, []string{"TestT1_A", "TestS1_B", "ExampleM7_C"}, "ExampleM7_C: neither"},
		{"the second id", "### S1\n" + text, []string{"TestT1_S1_M8_A"}, "explains M8"},
		{"a threat without a test", "### S1\n" + text, []string{"TestS1_A"}, "no test carries T1"},
		{"a decision without a test", "### S1\n" + text, []string{"TestT1_A"}, "S1: say"},
		{"one that says why", "### S1\n" + text + "\n" + noTest + "it is not built.\n", []string{"TestT1_A"}, ""},
		{"one that says so in vain", "### S1\n" + text + "\n" + noTest + "it is not built.\n", []string{"TestT1_A", "TestS1_B"}, "S1: say"},
		{"no reason", "### S1\n**What?** This.\n", []string{"TestT1_A", "TestS1_B"}, `S1 has no "Why:"`},
		{"a gap", "### S2\n" + text, []string{"TestT1_A", "TestS2_B"}, "there is no S1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := strings.Join(checkIDs(features, c.decisions, c.tests), "\n")
			if (c.wants == "") != (got == "") || !strings.Contains(got, c.wants) {
				t.Errorf("got %q, want %q", got, c.wants)
			}
		})
	}
}

// TestTheMapHasEveryPage checks that docs/README.md leads to each page of docs, and once.
func TestTheMapHasEveryPage(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(docs, "*.md"))
	if err != nil || len(pages) < 30 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	named := map[string]int{}
	for _, target := range targets(readPage(t, "README.md")) {
		named[target]++
	}
	for _, page := range pages {
		if name := filepath.Base(page); name != "README.md" && named[name] != 1 {
			t.Errorf("docs/README.md links to %s %d times, want once", name, named[name])
		}
	}
}
