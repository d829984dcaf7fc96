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
	codeBlock  = regexp.MustCompile("(?s)```.*?```")
	linkTarget = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	linkInText = regexp.MustCompile(`\[([^\]]*)\]\([^)\s]+\)`)
	heading    = regexp.MustCompile(`(?m)^#+ (.+)$`)
	noAnchor   = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
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
		for _, link := range sections(string(text)) {
			file, section, _ := strings.Cut(link, "#")
			other := text
			if file != "" {
				other, _ = os.ReadFile(filepath.Join(filepath.Dir(page), filepath.FromSlash(file))) // that it is there is looked at above
			}
			if !slices.Contains(anchors(string(other)), section) {
				t.Errorf("%s links to %s: there is no such section", page, link)
			}
		}
	}
}

// sections are the links of a page that name a section, of this page or another one.
func sections(page string) []string {
	var links []string
	for _, link := range linkTarget.FindAllStringSubmatch(codeInText.ReplaceAllString(page, "code"), -1) {
		file, section, found := strings.Cut(link[1], "#")
		if found && section != "" && !strings.Contains(file, "://") && (file == "" || strings.HasSuffix(file, ".md")) {
			links = append(links, link[1])
		}
	}
	return links
}

// anchors are the names by which links find the headings of a page, as GitHub makes them.
func anchors(page string) []string {
	var names []string
	for _, h := range heading.FindAllStringSubmatch(codeBlock.ReplaceAllString(page, ""), -1) {
		text := noAnchor.ReplaceAllString(strings.ToLower(linkInText.ReplaceAllString(h[1], "$1")), "")
		names = append(names, strings.ReplaceAll(text, " ", "-"))
	}
	return names
}

func TestAnchors(t *testing.T) {
	const page = "# `assent` check: it's here\n```sh\n# none\n```\n### S27\n## 1. A [link](a.md), two_words\n"
	if got, want := anchors(page), []string{"assent-check-its-here", "s27", "1-a-link-two_words"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	const links = "[a](a.md) [b](b.md#part), [here](#s27) [code](../c.go#L7) [away](https://example.com/x.md#y) `[d](d.md#e)`\n"
	if got, want := sections(links), []string{"b.md#part", "#s27"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
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
