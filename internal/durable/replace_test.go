package durable

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestReplace(t *testing.T) {
	for _, c := range []struct {
		name     string
		existing fs.FileMode // zero: there is none
		perm     fs.FileMode
		want     fs.FileMode
	}{
		{"a new file", 0, 0o600, 0o600},
		{"an existing file keeps its permissions", 0o640, 0o600, 0o640},
		{"also stricter ones", 0o400, 0o644, 0o400},
	} {
		for _, apart := range []bool{true, false} {
			dir := t.TempDir()
			path, tmp := filepath.Join(dir, "file"), ""
			want := []string{"file"}
			if apart {
				tmp, want = filepath.Join(dir, "new", "tmp"), []string{"file", "new"}
			}
			if c.existing != 0 {
				if err := os.WriteFile(path, []byte("old and longer"), c.existing); err != nil {
					t.Fatal(err)
				}
			}
			if err := Replace(path, []byte("new"), c.perm, tmp); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			data, err := os.ReadFile(path)
			if err != nil || string(data) != "new" {
				t.Errorf("%s: %q, %v", c.name, data, err)
			}
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != c.want {
				t.Errorf("%s: mode %v, %v", c.name, info.Mode(), err)
			}
			if got := names(t, dir); !slices.Equal(got, want) {
				t.Errorf("%s: left %q", c.name, got)
			}
			if apart && len(names(t, tmp)) > 0 {
				t.Errorf("%s: left %q", c.name, names(t, tmp))
			}
		}
	}
}

// A failure changes nothing and leaves nothing.
func TestReplaceFails(t *testing.T) {
	dir, tmp := t.TempDir(), t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "taken", "below"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(dir, "taken"), filepath.Join(dir, "missing", "file")} {
		if err := Replace(path, []byte("new"), 0o600, tmp); err == nil {
			t.Errorf("%s was replaced", path)
		}
	}
	if left := append(names(t, tmp), names(t, dir)...); !slices.Equal(left, []string{"taken"}) {
		t.Errorf("left %q", left)
	}
}

func TestMakeDir(t *testing.T) {
	dir := t.TempDir()
	deep := filepath.Join(dir, "a", "b", "c")
	for range 2 {
		if err := MakeDir(deep, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, made := range []string{deep, filepath.Dir(deep)} {
		if info, err := os.Stat(made); err != nil || !info.IsDir() || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", made, info, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := MakeDir(filepath.Join(dir, "file", "below"), 0o700); err == nil {
		t.Error("a directory below a file was made")
	}
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}
