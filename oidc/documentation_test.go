package oidc

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// What the page shows is what is read, and it names every key.
func TestDocumentation(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("paths of secrets begin with a drive there")
	}
	page, err := os.ReadFile(filepath.Join("..", "docs", "oidc.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "\n```json oidc.json\n")
	text, _, ended := strings.Cut(rest, "\n```")
	if !found || !ended {
		t.Fatal("the page shows no settings")
	}
	if _, err := Parse([]byte(text)); err != nil {
		t.Error(err)
	}
	for _, key := range []string{"issuer", "clientId", "secret", "name", "scopes", "nameClaim", "groupsClaim", "roles", "default", "arrival"} {
		if !strings.Contains(string(page), "\n| `"+key+"` | ") {
			t.Errorf("the page does not explain %s", key)
		}
	}
}
