package notify

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
)

// What the page shows is what is read, and what is sent.
func TestDocumentation(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("paths of secrets begin with a drive there")
	}
	page, err := os.ReadFile(filepath.Join("..", "docs", "notifications.md"))
	if err != nil {
		t.Fatal(err)
	}
	settings, types := 0, map[Type]bool{}
	for _, part := range strings.Split(string(page), "\n```json\n")[1:] {
		text, _, _ := strings.Cut(part, "\n```")
		tree, err := strictjson.Tree(text)
		if err != nil {
			t.Fatal(err)
		}
		list := tree.Member("assent")
		if list.Kind == 0 {
			sameBody(t, text)
			continue
		}
		settings++
		targets, problems := Parse([]byte(list.Member("notifications").Raw()))
		if len(problems) > 0 || len(targets) == 0 {
			t.Errorf("%v in %s", problems, text)
		}
		for _, target := range targets {
			types[target.Type] = true
		}
	}
	if settings < 3 || len(types) != len(Types) {
		t.Errorf("%d settings with %v", settings, types)
	}
	for _, kind := range Kinds {
		if !strings.Contains(string(page), "| `"+string(kind)+"` |") {
			t.Errorf("the page does not say what %s is", kind)
		}
	}
	for of, keys := range ownKeys {
		for _, key := range append(keys[:len(keys):len(keys)], commonKeys...) {
			if !strings.Contains(string(page), "`"+key+"`") {
				t.Errorf("the page does not say what %s of %s is", key, of)
			}
		}
	}
}

// sameBody: the page's body of a webhook is that of the message in the tests.
func sameBody(t *testing.T, text string) {
	t.Helper()
	m := message().without()
	letter, err := webhookTo(t, "https://hooks.example.com/", "").webhookLetter(m, []string{testSecret}, m.At)
	if err != nil {
		t.Fatal(err)
	}
	want, err := strictjson.Canonical(letter.body)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := strictjson.Canonical([]byte(text)); err != nil || got.String() != want.String() {
		t.Errorf("the page has %s, want %s (%v)", got, want, err)
	}
}
