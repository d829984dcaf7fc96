package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

var programs = []string{"assent", "assent-hook"}

type release struct {
	source, out, share string
	version, commit    string
	time               time.Time
	targets            []target
	level              int // of compression; tests have no time for any
}

// name of everything that belongs to one platform.
func (r release) name(t target) string {
	return strings.Join([]string{"assent", r.version, t.os, t.arch}, "_")
}

// make writes the release and says what it wrote.
func (r release) make(log io.Writer) error {
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	var written []string
	for _, t := range r.targets {
		files, err := r.pack(t)
		if err != nil {
			return fmt.Errorf("%s/%s: %w", t.os, t.arch, err)
		}
		for _, file := range files {
			fmt.Fprintln(log, filepath.Join(r.out, file))
		}
		written = append(written, files...)
	}
	fmt.Fprintln(log, filepath.Join(r.out, "SHA256SUMS"))
	return r.sum(written)
}

// pack makes the archive for one platform and its bill of materials.
func (r release) pack(t target) ([]string, error) {
	dir, err := os.MkdirTemp("", "assent-dist-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := r.compile(t, dir); err != nil {
		return nil, err
	}
	licenses, err := r.licenses(t)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "THIRD_PARTY_LICENSES"), licenses, 0o644); err != nil {
		return nil, err
	}
	if err := r.copyTexts(dir); err != nil {
		return nil, err
	}
	contents, err := r.contents(t, dir)
	if err != nil {
		return nil, err
	}
	archive := r.name(t) + archiveSuffix(t)
	if err := r.writeArchive(filepath.Join(r.out, archive), r.name(t), contents); err != nil {
		return nil, err
	}
	bill := r.name(t) + ".cdx.json"
	text, err := r.bill(t, dir)
	if err != nil {
		return nil, err
	}
	return []string{archive, bill}, os.WriteFile(filepath.Join(r.out, bill), text, 0o644)
}

// compile builds the programs. Nothing of this machine goes into them: neither its paths,
// nor the state of its checkout, nor its flags.
func (r release) compile(t target, dir string) error {
	stamp := fmt.Sprintf(`-s -w -X "main.version=%s" -X main.commit=%s -X main.date=%s`, r.version, r.commit, r.time.Format(time.RFC3339))
	args := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags", stamp, "-o", dir + string(filepath.Separator)}
	for _, name := range programs {
		args = append(args, "./cmd/"+name)
	}
	_, err := r.goCommand(t, args...)
	return err
}

func (r release) goCommand(t target, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = r.source
	cmd.Env = append(os.Environ(), append(t.env(), "GOFLAGS="+cacheFlags(os.Getenv("GOFLAGS")))...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, stderr.String())
	}
	return out, nil
}

// cacheFlags keeps the flags that say where modules come from; the others could change
// what is built.
func cacheFlags(flags string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(flags), func(flag string) bool {
		return !strings.HasPrefix(flag, "-mod")
	}), " ")
}

// sum writes SHA256SUMS, for `sha256sum -c`.
func (r release) sum(files []string) error {
	slices.Sort(files)
	var sums strings.Builder
	for _, name := range files {
		data, err := os.ReadFile(filepath.Join(r.out, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), name)
	}
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(sums.String()), 0o644)
}
