package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// The targets of the Makefile work where a path and a version have blanks, and say to the
// program what it is. A go command that only writes down how it was called stands for the
// real one.
func TestMakefile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("make needs bash")
	}
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("there is no make")
	}
	dir := filepath.Join(t.TempDir(), "a place", "of mine")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	makefile := read(t, filepath.Join("..", ".."), "Makefile")
	const notes = `#!/bin/sh
{
  echo "CALL cgo=$CGO_ENABLED share=$ASSENT_SHARE version=$VERSION"
  for word in "$@"; do echo "$word"; done
} >> "$NOTES"
while [ $# -gt 0 ]; do
  if [ "$1" = -o ] && [ "$2" != . ]; then mkdir -p "$(dirname "$2")"; cp "$SHOW" "$2"; fi
  shift
done
`
	put := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		return file
	}
	put("Makefile", makefile)
	put("go", notes)
	show := put("show", "#!/bin/sh\necho \"shown with $*\"\n")
	noted := filepath.Join(t.TempDir(), "notes")
	run := func(args ...string) (calls []string, out string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "make", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+dir+string(filepath.ListSeparator)+os.Getenv("PATH"), "NOTES="+noted, "SHOW="+show, "SOURCE_DATE_EPOCH=1767323046", "MAKEFLAGS=", "CGO_ENABLED=", "ASSENT_SHARE=")
		said, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("make %q: %v\n%s", args, err, said)
		}
		text, err := os.ReadFile(noted)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(noted); err != nil {
			t.Fatal(err)
		}
		return strings.Split(string(text), "CALL ")[1:], string(said)
	}

	calls, _ := run("dist", "VERSION=v1 beta", "TARGETS=linux/amd64,linux/arm64")
	want := []string{
		"cgo= share=" + dir + "/dist/share version=v1 beta\ntest\n-count=1\n-run\n^TestManPagesAndCompletions$\n./cmd/assent\n",
		"cgo= share= version=v1 beta\nrun\n./scripts/dist\n-version\nv1 beta\n-targets\nlinux/amd64,linux/arm64\n",
	}
	if !slices.Equal(calls, want) {
		t.Errorf("make dist calls\n%q, want\n%q", calls, want)
	}

	// The demonstration shares what was compiled for the program: equal flags, equal results.
	calls, out := run("demo", "VERSION=v1 beta", "YES=1")
	if len(calls) != 2 {
		t.Fatalf("make demo calls %q", calls)
	}
	for _, call := range calls {
		if !strings.HasPrefix(call, "cgo=0 ") || !strings.Contains(call, "\nbuild\n-trimpath\n") {
			t.Errorf("make demo calls %q", call)
		}
	}
	if !strings.Contains(calls[0], "\n-s -w -X \"main.version=v1 beta\" -X main.commit=") || !strings.Contains(calls[0], " -X main.date=") {
		t.Errorf("the program is not told what it is: %q", calls[0])
	}
	warning, shown := strings.Index(out, "the first time this takes"), strings.Index(out, "shown with -assent ./assent -yes")
	if build := strings.Index(out, "go build"); warning < 0 || build < warning || shown < build {
		t.Errorf("make demo says\n%s", out)
	}
}
