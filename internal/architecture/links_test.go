package architecture

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	codeInText = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
	linkTarget = regexp.MustCompile(`\]\(([^)\s]+)\)`)
)

// Links between the pages and into the sources lead somewhere.
func TestLinksOfThePages(t *testing.T) {
	top := filepath.Join("..", "..")
	var pages []string
	for _, pattern := range []string{"*.md", "docs/*.md", "examples/*.md", "examples/*/*.md", "conformance/*.md", "testdata/corpus/*.md"} {
		found, err := filepath.Glob(filepath.Join(top, filepath.FromSlash(pattern)))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %d pages, %v", pattern, len(found), err)
		}
		pages = append(pages, found...)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, target := range targets(string(text)) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), filepath.FromSlash(target))); err != nil {
				t.Errorf("%s links to %s: %v", page, target, err)
			}
		}
	}
}

// targets are the files that a page links to.
func targets(page string) []string {
	var files []string
	for _, link := range linkTarget.FindAllStringSubmatch(codeInText.ReplaceAllString(page, "code"), -1) {
		file, _, _ := strings.Cut(link[1], "#")
		if file != "" && !strings.Contains(file, "://") {
			files = append(files, file)
		}
	}
	return files
}

func TestTargets(t *testing.T) {
	const page = "[a](a.md) [b](b.md#part), [`c`](../c.go) [here](#part) [away](https://example.com/x.md) `[d](d.md)`\n```go\nf[e](e)\n```\n"
	if got, want := targets(page), []string{"a.md", "b.md", "../c.go"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
