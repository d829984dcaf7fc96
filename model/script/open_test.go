package script_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/model/script"
)

const small = "turns:\n  - say: hi\n"

func TestOpenReadsPlainFilesOnly(t *testing.T) {
	dir := t.TempDir()
	file, link, large := filepath.Join(dir, "a.yaml"), filepath.Join(dir, "b.yaml"), filepath.Join(dir, "c.yaml")
	if err := os.WriteFile(file, []byte(small), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(large, []byte(small+"#"+strings.Repeat("x", 16<<20)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, link} {
		if _, err := script.Open(path); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	for path, want := range map[string]string{
		dir:                          "is not a regular file",
		os.DevNull:                   "is not a regular file",
		large:                        "more than the limit of",
		filepath.Join(dir, "d.yaml"): "cannot be read",
	} {
		if _, err := script.Open(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
