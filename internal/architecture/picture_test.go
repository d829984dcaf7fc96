package architecture

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The house in docs/architecture.md is drawn as it stands in layers, row by row.
func TestThePictureIsThePlan(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	pictures := blocks(string(page))
	if len(pictures) < 2 {
		t.Fatalf("the page has %d pictures, want the house and its ground", len(pictures))
	}
	drawn := rows(pictures[0])
	slices.Reverse(drawn) // the plan begins with the lowest
	for i, want := range layers {
		if i >= len(drawn) || !sameNames(drawn[i], want) {
			t.Errorf("row %d from below is not %v in\n%v", i+1, want, drawn)
		}
	}
	if len(drawn) != len(layers) {
		t.Errorf("%d rows are drawn, %d planned", len(drawn), len(layers))
	}
	floor := append(rows(pictures[1])[0], "internal/architecture") // which is nothing but tests
	if !sameNames(floor, ground) {
		t.Errorf("the ground is drawn as %v, want %v", floor, ground)
	}
}

func sameNames(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// blocks are the texts between ```text and ```.
func blocks(page string) []string {
	var all []string
	for _, part := range strings.Split(page, "\n```text\n")[1:] {
		text, _, _ := strings.Cut(part, "\n```")
		all = append(all, text)
	}
	return all
}

// rows are the names of a picture: those before two blanks, rows apart by an empty line.
func rows(picture string) [][]string {
	var all [][]string
	for _, part := range strings.Split(picture, "\n\n") {
		var names []string
		for line := range strings.Lines(part) {
			left, _, _ := strings.Cut(line, "  ")
			left = strings.Replace(left, "assent (root)", ".", 1)
			names = append(names, strings.Fields(left)...)
		}
		all = append(all, names)
	}
	return all
}

func TestRows(t *testing.T) {
	got := rows("cmd            flags\nassent (root)  it\n\na b            this | that")
	if len(got) != 2 || !slices.Equal(got[0], []string{"cmd", "."}) || !slices.Equal(got[1], []string{"a", "b"}) {
		t.Errorf("%q", got)
	}
}
