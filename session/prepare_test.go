package session

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// What a session cannot be without is there before anybody can see the session, and
// while nobody else can have it.
func TestWhatComesBeforeTheTranscript(t *testing.T) {
	s := newStore(t)
	mark := errors.New("no room")
	s.Prepare = func(dir string) error {
		if _, err := os.Lstat(filepath.Join(dir, transcriptName)); err == nil {
			t.Error("the transcript is there already")
		}
		if _, err := lock(one, dir); err == nil {
			t.Error("the session is not locked")
		}
		return mark
	}
	if _, err := s.Create(one, begin); !errors.Is(err, mark) {
		t.Errorf("%v", err)
	}
	if _, err := s.Resume(one); !errors.Is(err, ErrUnknown) {
		t.Errorf("%v", err)
	}
	if left, err := os.ReadDir(s.dir); err != nil || len(left) > 0 {
		t.Errorf("it leaves %v, %v", left, err)
	}
	s.Prepare = nil
	tr := create(t, s, one) // the failure holds nothing
	s.Prepare = func(string) error { t.Error("a session that exists was prepared"); return nil }
	if _, err := s.Create(one, begin); err == nil {
		t.Error("it was made twice")
	}
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Create(one, begin); !errors.Is(err, ErrExists) {
		t.Errorf("%v", err)
	}
}
