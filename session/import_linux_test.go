package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Whatever room a disk has left, a session is imported as a whole or not at all.
func TestD8_AnImportOnAFullDisk(t *testing.T) {
	dir, ok := ownDisk(t)
	if !ok {
		return
	}
	const most = 12 // pages; more than the session needs
	s := NewStore(filepath.Join(dir, "sessions"))
	if err := os.Mkdir(s.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	failed, ok := 0, false
	for room := range most {
		free := filepath.Join(dir, "free")
		fill(t, free, room)
		fill(t, filepath.Join(dir, "ballast"), 1000)
		if err := os.Remove(free); err != nil {
			t.Fatal(err)
		}
		for _, cwd := range []string{"", "/srv/app"} {
			x := read(t, exported(t, newStore(t)))
			switch err := s.Import(x, cwd, "bob", nil); {
			case err == nil:
				tr := resume(t, s, one)
				if head := strings.TrimSpace(content(t, s, one, headName)); head != tr.Head() || content(t, s, one, stateName) != `{"tenure":"vip"}` {
					t.Errorf("%d pages: the head is %q", room, head)
				}
				_ = tr.Close()
				if _, err := s.Remove(one, nil); err != nil {
					t.Fatal(err)
				}
				ok = true
			case !errors.Is(err, syscall.ENOSPC):
				t.Errorf("%d pages: %v", room, err)
			default:
				failed++
				if left := names(t, s.dir); len(left) != 0 {
					t.Errorf("%d pages: left over: %q, %q", room, left, names(t, filepath.Join(s.dir, left[0])))
				}
			}
			if err := s.Discard(one); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Remove(filepath.Join(dir, "ballast")); err != nil {
			t.Fatal(err)
		}
	}
	if !ok || failed < 4 {
		t.Errorf("the test proves nothing: %d failed, %v", failed, ok)
	}
}

// A session is exported from a disk that cannot be written, also one whose last line a
// process that died has not ended.
func TestD8_AnExportFromAReadOnlyDisk(t *testing.T) {
	dir, ok := ownDisk(t)
	if !ok {
		return
	}
	s := NewStore(filepath.Join(dir, "sessions"))
	exported(t, s)
	tr := create(t, s, two)
	put(t, tr, Noted, "a note")
	_ = tr.Close()
	text := slurp(t, tr.Path())
	if err := os.WriteFile(tr.Path(), text[:len(text)-1], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("assent", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{one, two} {
		var file strings.Builder
		if _, err := s.Export(id, &file, "ann", "v"); err != nil {
			t.Errorf("%s: %v", id, err)
			continue
		}
		other := newStore(t)
		if err := other.Import(read(t, []byte(file.String())), "", "bob", nil); err != nil {
			t.Errorf("%s: %v", id, err)
			continue
		}
		got := lines(t, resume(t, other, id))
		if want := fmt.Sprint(records(t, s, id)); fmt.Sprint(got[:len(got)-1]) != want || !strings.Contains(got[len(got)-1], `"requester":"bob"`) {
			t.Errorf("%s: got %s, want %s and who brought it", id, got, want)
		}
	}
}

// records are those of a session that is only looked at, in short.
func records(t *testing.T, s *Store, id string) []string {
	t.Helper()
	var all []string
	for r, err := range s.Records(id) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprintf("%s %s", r.Kind, r.Body))
	}
	return all
}
