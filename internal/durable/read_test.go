package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.WriteFile(file, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	if data, err := Read(file, 5); string(data) != "12345" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := Read(filepath.Join(dir, "none"), 5); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := Read(link, 5); !errors.Is(err, ErrLink) {
		t.Errorf("a link: %v", err)
	}
	for path, want := range map[string]string{file: "it is larger than 4 bytes", dir: "it is not a regular file"} {
		if _, err := Read(path, 4); err == nil || err.Error() != want {
			t.Errorf("%s: %v", path, err)
		}
	}
}
