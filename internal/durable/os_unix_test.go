//go:build !windows

package durable

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/google/renameio/v2"
)

// A pipe that nobody writes into is refused, not waited for.
func TestPipesAreRefused(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(pipe, 1); err == nil {
		t.Error("it was read")
	}
	if _, err := Lock(pipe, "it", time.Minute); err == nil {
		t.Error("it was locked")
	}
}

// What a killed process has left goes with the next change. Files that only look
// like it stay, and so do those that somebody may be writing.
func TestReplaceRemovesLeftovers(t *testing.T) {
	for _, apart := range []bool{true, false} {
		dir := t.TempDir()
		path, tmp := filepath.Join(dir, "state.json"), dir
		given := ""
		if apart {
			tmp = t.TempDir()
			given = tmp
		}
		// A process that dies here does not get to its end.
		leave := func(age time.Duration) string {
			for {
				pending, err := renameio.NewPendingFile(path, renameio.WithTempDir(tmp))
				if err != nil {
					t.Fatal(err)
				}
				name := filepath.Base(pending.Name())
				if len(name) < len(".state.json")+16 { // one in ten thousand
					_ = pending.Cleanup()
					continue
				}
				t.Cleanup(func() { _ = pending.Cleanup() })
				setAge(t, pending.Name(), age)
				return name
			}
		}
		leave(2 * abandoned)
		want := []string{leave(abandoned / 2)}
		for _, name := range []string{
			".state.json", ".state.json20261115", ".state.json.1234567890123456789", ".state.json123456789012345678x",
			"state.json1234567890123456789", ".other.json1234567890123456789",
		} {
			file := filepath.Join(tmp, name)
			if err := os.WriteFile(file, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			setAge(t, file, 2*abandoned)
			want = append(want, name)
		}
		if err := os.Mkdir(filepath.Join(tmp, ".state.json9999999999999999999"), 0o700); err != nil {
			t.Fatal(err)
		}
		setAge(t, filepath.Join(tmp, ".state.json9999999999999999999"), 2*abandoned)
		want = append(want, ".state.json9999999999999999999")
		if err := Replace(path, []byte("new"), 0o600, given); err != nil {
			t.Fatal(err)
		}
		if !apart {
			want = append(want, "state.json")
		}
		slices.Sort(want)
		if got := names(t, tmp); !slices.Equal(got, want) {
			t.Errorf("apart %v: %q, want %q", apart, got, want)
		}
	}
}

func setAge(t *testing.T, path string, age time.Duration) {
	t.Helper()
	when := time.Now().Add(-age)
	if err := os.Chtimes(path, when, when); err != nil {
		t.Fatal(err)
	}
}
