package main

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// texts go into every archive.
var texts = []string{"LICENSE", "README.md", "CHANGELOG.md"}

const home = "https://github.com/assent-dev/assent"

var link = regexp.MustCompile(`\]\(([^)\s#:]+)(#[^)\s]*)?\)`)

// copyTexts copies them. The pages and sources that they link to are not in the archive, so
// the links lead to where they are.
func (r release) copyTexts(dir string) error {
	for _, name := range texts {
		text, err := os.ReadFile(filepath.Join(r.source, name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(r.outward(string(text))), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func (r release) outward(text string) string {
	return link.ReplaceAllStringFunc(text, func(found string) string {
		parts := link.FindStringSubmatch(found)
		if slices.Contains(texts, parts[1]) {
			return found
		}
		return "](" + strings.Join([]string{home, "blob", cmp.Or(r.commit, r.version), parts[1]}, "/") + parts[2] + ")"
	})
}
