package inbox_test

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/assent-dev/assent/inbox"
)

func TestA1_PageIsServedWithItsTypes(t *testing.T) {
	for path, want := range map[string]string{
		"/":             "text/html; charset=utf-8",
		"/index.html":   "text/html; charset=utf-8",
		"/css/base.css": "text/css; charset=utf-8",
		"/js/main.js":   "text/javascript; charset=utf-8",
		"/icon.svg":     "image/svg+xml",
	} {
		got := page(t, "GET", path, "")
		if got.StatusCode != http.StatusOK || got.Header.Get("Content-Type") != want {
			t.Errorf("%s: %d %s", path, got.StatusCode, got.Header.Get("Content-Type"))
		}
		again := page(t, "GET", path, got.Header.Get("ETag"))
		if again.StatusCode != http.StatusNotModified {
			t.Errorf("%s is sent again although it has not changed: %d", path, again.StatusCode)
		}
	}
	for _, path := range []string{"/js", "/js/", "/css/..", "/../page.go", "/page.go", "/static/index.html", "/nothing.js", "/js/main.js/x"} {
		if got := page(t, "GET", path, ""); got.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", path, got.StatusCode)
		}
	}
}

// TestT8_PageMakesNoMarkup: the content policy forbids all of this, and so the page would be
// broken where it is done.
func TestT8_PageMakesNoMarkup(t *testing.T) {
	forbidden := []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "style=", "<style", "javascript:", "http://", "https://"}
	static := os.DirFS("static")
	seen := 0
	err := fs.WalkDir(static, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".svg") {
			return err
		}
		seen++
		text, err := fs.ReadFile(static, path)
		for _, word := range forbidden {
			if strings.Contains(string(text), word) {
				t.Errorf("%s holds %s", path, word)
			}
		}
		return err
	})
	if err != nil || seen < 10 {
		t.Fatalf("%d files were looked at: %v", seen, err)
	}
}

func page(t *testing.T, method, path, etag string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, "http://127.0.0.1/", nil)
	r.URL.Path = path
	if etag != "" {
		r.Header.Set("If-None-Match", etag)
	}
	w := httptest.NewRecorder()
	inbox.Page().ServeHTTP(w, r)
	return w.Result()
}
