package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
)

var commitTime = time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC)

// The release for this platform is whole: the programs say what they are and nothing about
// this machine, the sums fit, and the bill lists what is linked.
func TestRelease(t *testing.T) {
	host := runtime.GOOS + "/" + runtime.GOARCH
	targets, err := parseTargets(host)
	if err != nil {
		t.Skip(err)
	}
	r := newRelease(t, targets)
	if err := r.make(io.Discard); err != nil {
		t.Fatal(err)
	}
	name := r.name(targets[0])
	sums := checkSums(t, r.out)
	if want := []string{name + ".cdx.json", name + archiveSuffix(targets[0])}; !slices.Equal(sums, want) {
		t.Errorf("SHA256SUMS lists %v, want %v", sums, want)
	}
	files := unpack(t, filepath.Join(r.out, name+archiveSuffix(targets[0])))
	for _, want := range []string{"LICENSE", "README.md", "CHANGELOG.md", "THIRD_PARTY_LICENSES", "man/man1/assent.1", "completions/_assent"} {
		if len(files[name+"/"+want]) == 0 {
			t.Errorf("the archive has no %s", want)
		}
	}
	checkVersion(t, files[name+"/"+targets[0].program("assent")], host)
	checkHookVersion(t, files[name+"/"+targets[0].program("assent-hook")])
	readme := string(files[name+"/README.md"])
	if !strings.Contains(readme, "](https://github.com/assent-dev/assent/blob/0123456789abcdef/docs/start-ci.md)") || strings.Contains(readme, "](docs/") || !strings.Contains(readme, "](LICENSE)") {
		t.Error("the links of the README do not lead out of the archive, or that of the licence does")
	}
	checkout, err := filepath.Abs(r.source)
	if err != nil {
		t.Fatal(err)
	}
	for _, program := range programs {
		data := files[name+"/"+targets[0].program(program)]
		if len(data) == 0 || bytes.Contains(data, []byte(checkout)) {
			t.Errorf("%s has %d bytes, or knows where it was built", program, len(data))
		}
	}
	if host == "linux/amd64" { // which depaware.txt is about
		checkBill(t, filepath.Join(r.out, name+".cdx.json"))
	}
}

func newRelease(t *testing.T, targets []target) release {
	share := t.TempDir()
	for _, name := range []string{"man/man1/assent.1", "completions/_assent"} {
		file := filepath.Join(share, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(name), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return release{
		source: filepath.Join("..", ".."), out: t.TempDir(), share: share,
		version: "v1.2.3", commit: "0123456789abcdef", time: commitTime, targets: targets,
	}
}

func read(t *testing.T, dir, name string) string {
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// checkSums returns the names in SHA256SUMS.
func checkSums(t *testing.T, dir string) []string {
	var names []string
	for line := range strings.Lines(read(t, dir, "SHA256SUMS")) {
		sum, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if got := fmt.Sprintf("%x", sha256.Sum256([]byte(read(t, dir, name)))); got != sum {
			t.Errorf("%s has the sum %s, SHA256SUMS says %s", name, got, sum)
		}
		names = append(names, name)
	}
	return names
}

func checkVersion(t *testing.T, program []byte, platform string) {
	file := filepath.Join(t.TempDir(), "assent.exe")
	if err := os.WriteFile(file, program, 0o755); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(file, "version", "--json").Output()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	if err := strictjson.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"version": "v1.2.3", "commit": "0123456789abcdef", "date": "2026-01-02T03:04:06Z", "platform": platform} {
		if got[key] != want {
			t.Errorf("assent version: %s is %q, want %q", key, got[key], want)
		}
	}
}

func checkHookVersion(t *testing.T, program []byte) {
	file := filepath.Join(t.TempDir(), "assent-hook.exe")
	if err := os.WriteFile(file, program, 0o755); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(file, "--version").CombinedOutput()
	if want := "assent-hook v1.2.3\ncommit    0123456789abcdef\ndate      2026-01-02T03:04:06Z\n"; err != nil || string(out) != want {
		t.Errorf("%v: %q, want %q", err, out, want)
	}
}

func checkBill(t *testing.T, file string) {
	var bill billOfMaterials
	if err := strictjson.UnmarshalKnown([]byte(read(t, filepath.Dir(file), filepath.Base(file))), &bill); err != nil {
		t.Fatal(err)
	}
	if bill.Format != "CycloneDX" || bill.Spec != "1.6" || bill.Metadata.Timestamp != "2026-01-02T03:04:06Z" || len(bill.Metadata.Component.Parts) != 2 {
		t.Errorf("the head of the bill: %+v", bill)
	}
	var listed []string
	for _, c := range bill.Components {
		if c.Name != "std" {
			listed = append(listed, c.Name+" "+c.Version)
		}
		if c.URL != packageURL(c.Name, c.Version) || c.Type != "library" {
			t.Errorf("an odd component: %+v", c)
		}
	}
	slices.Sort(listed)
	linked := strings.Split(strings.TrimSpace(read(t, filepath.Join("..", ".."), "depaware.txt")), "\n")
	if !slices.Equal(listed, linked) {
		t.Errorf("the bill lists\n%s\ndepaware.txt\n%s", strings.Join(listed, "\n"), strings.Join(linked, "\n"))
	}
}

// unpack returns the files of an archive. It checks their times.
func unpack(t *testing.T, file string) map[string][]byte {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	add := func(name string, when time.Time, r io.Reader) {
		if !when.Equal(commitTime) {
			t.Errorf("%s is of %s, want the time of the commit", name, when)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = text
	}
	if strings.HasSuffix(file, ".zip") {
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			add(f.Name, f.Modified, r)
		}
		return files
	}
	plain, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for archive := tar.NewReader(plain); ; {
		header, err := archive.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		add(header.Name, header.ModTime, archive)
	}
}

// Both kinds of archives hold the same, and are the same each time.
func TestArchives(t *testing.T) {
	r, dir := release{time: commitTime, level: flate.BestCompression}, t.TempDir()
	file := filepath.Join(dir, "text")
	if err := os.WriteFile(file, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.zip", "a.tar.gz"} {
		write := func(into string) string {
			if err := r.writeArchive(filepath.Join(dir, into), "top", []entry{{"in/text", file, 0o755}}); err != nil {
				t.Fatal(err)
			}
			return read(t, dir, into)
		}
		first := write(name)
		if err := errors.Join(os.Chtimes(file, commitTime, commitTime), os.Chmod(file, 0o640)); err != nil {
			t.Fatal(err)
		}
		if second := write("again-" + name); second != first {
			t.Errorf("%s: two runs differ", name)
		}
		if got := unpack(t, filepath.Join(dir, name)); len(got) != 1 || string(got["top/in/text"]) != "text" {
			t.Errorf("%s holds %v", name, got)
		}
	}
}

func TestReleaseRefuses(t *testing.T) {
	if _, err := parseTargets("linux/amd64,plan9/386"); err == nil || !strings.Contains(err.Error(), "plan9/386") {
		t.Errorf("an unknown platform: %v", err)
	}
	r := release{source: ".", share: t.TempDir()}
	if _, err := r.contents(target{"linux", "amd64"}, t.TempDir()); err == nil || !strings.Contains(err.Error(), "run make man first") {
		t.Errorf("no man pages: %v", err)
	}
	if err := appendLicenses(new(bytes.Buffer), "example.com/m v1", t.TempDir()); err == nil || !strings.Contains(err.Error(), "example.com/m v1 has no file with a licence") {
		t.Errorf("a module without a licence: %v", err)
	}
}

// Flags of this machine must not change what is built.
func TestCacheFlags(t *testing.T) {
	if got := cacheFlags("-race -mod=mod -tags=x -modcacherw"); got != "-mod=mod -modcacherw" {
		t.Errorf("kept %q", got)
	}
}
