package oslinks_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/assent-dev/assent/settings/oslinks"
)

func TestList(t *testing.T) {
	dir := t.TempDir()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Mkdir(filepath.Join(dir, "sub"), 0o700))
	must(os.Symlink("sub", filepath.Join(dir, "link")))
	must(os.Symlink("nothing", filepath.Join(dir, ".broken")))
	file := filepath.Join(dir, "file")
	must(os.WriteFile(file, nil, 0o600))
	var links oslinks.Links
	got, err := links.List(dir, 100)
	slices.Sort(got.Links)
	if err != nil || got.Partial || got.Read != 4 || !slices.Equal(got.Links, []string{".broken", "link"}) || !slices.Equal(got.Dirs, []string{"sub"}) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, path := range []string{filepath.Join(dir, "nothing"), file, filepath.Join(file, "below")} {
		if got, err := links.List(path, 100); err != nil || got.Partial || got.Read != 0 {
			t.Errorf("%s: %+v, %v", path, got, err)
		}
	}
	if _, err := links.List(filepath.Join(dir, strings.Repeat("x", 5000)), 100); err == nil {
		t.Error("a directory that cannot be looked at has no error")
	}
}

// What is not read to its end is not known.
func TestListStops(t *testing.T) {
	dir := t.TempDir()
	for i := range 600 {
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var links oslinks.Links
	if got, err := links.List(dir, 300); err != nil || !got.Partial || got.Read >= 600 {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := links.List(dir, 1000); err != nil || got.Partial || got.Read != 600 {
		t.Errorf("%+v, %v", got, err)
	}
}

// The programs are built for other systems than this one, where each function of the
// system that they use must exist.
func TestProgramsBuildElsewhere(t *testing.T) {
	for _, system := range []string{"windows", "darwin"} {
		build := exec.Command("go", "build", "-ldflags=-s -w", "../../cmd/...")
		build.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", system, err, out)
		}
	}
}

// What is no link has no target, on every system.
func TestReadlinkOfOtherFiles(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var links oslinks.Links
	for _, path := range []string{dir, file, filepath.Join(dir, "nothing")} {
		if target, err := links.Readlink(path); target != "" || err != nil {
			t.Errorf("%s: %q, %v", path, target, err)
		}
	}
}
