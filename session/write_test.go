package session

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/assent-dev/assent/internal/chain"
)

// counted is a file that counts how often it is brought to the disk.
type counted struct {
	sick
	syncs int
}

func (f *counted) Sync() error { f.syncs++; return f.sick.Sync() }

// A record that was only written is in the file at once, and on the disk with the next one,
// or when the session is given back.
func TestD1_ARecordThatIsOnlyWritten(t *testing.T) {
	s := newStore(t)
	f := &counted{}
	s.through = func(file chain.File) chain.File { f.File = file; return f }
	tr := create(t, s, one)
	put(t, tr, Noted, "kept")
	before := f.syncs
	write := func() {
		t.Helper()
		if err := tr.Write(Resumed, Start{Session: one}); err != nil {
			t.Fatal(err)
		}
	}
	write()
	if text, err := os.ReadFile(tr.Path()); f.syncs != before || err != nil || !strings.Contains(string(text), `"resume"`) {
		t.Errorf("%d syncs, %v, %s", f.syncs-before, err, text)
	}
	put(t, tr, Noted, "together")
	if f.syncs != before+1 {
		t.Errorf("%d syncs for both", f.syncs-before)
	}
	write()
	head := tr.Head()
	if err := tr.Close(); err != nil || f.syncs != before+2 {
		t.Errorf("%v, %d syncs", err, f.syncs-before)
	}
	known, err := readHead(s.path(one))
	if err != nil || known.String() != head {
		t.Errorf("the head is %v, want %s: %v", known, head, err)
	}
	if again := resume(t, s, one); again.Head() != head || len(lines(t, again)) != 5 {
		t.Errorf("%q", lines(t, again))
	}
}

// The machine fails before the disk has a record that was only written: what is left is a
// whole session, and nobody takes it for one that was cut.
func TestD1_ARecordThatIsLostWithTheMachine(t *testing.T) {
	s := newStore(t)
	tr := create(t, s, one)
	put(t, tr, Noted, "kept")
	info, err := os.Stat(tr.Path())
	if err != nil {
		t.Fatal(err)
	}
	head := tr.Head()
	if err := tr.Write(Resumed, Start{Session: one}); err != nil {
		t.Fatal(err)
	}
	for _, lost := range []int64{0, 10} { // all of it, and all but its beginning
		left := newStore(t)
		if err := os.MkdirAll(left.dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(left.path(one), os.DirFS(s.path(one))); err != nil {
			t.Fatal(err)
		}
		for _, err := range []error{os.Chmod(left.path(one), 0o700), os.Truncate(left.path(one)+"/"+transcriptName, info.Size()+lost)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if again := resume(t, left, one); again.Head() != head || len(lines(t, again)) != 2 {
			t.Errorf("%d bytes left: %q", lost, lines(t, again))
		}
	}
}

// It fails as an append does: nobody goes on unrecorded.
func TestD1_ARecordThatCannotBeWritten(t *testing.T) {
	s := newStore(t)
	f := &sick{}
	s.through = func(file chain.File) chain.File { f.File = file; return f }
	tr := create(t, s, one)
	f.writing = syscall.ENOSPC
	if err := tr.Write(Noted, "lost"); err == nil || !strings.Contains(err.Error(), "cannot be recorded any more") {
		t.Error(err)
	}
	f.writing = nil
	if err := tr.Append(Noted, "too late"); err == nil {
		t.Error("it goes on")
	}

	tr = create(t, s, two)
	if err := tr.Write(Noted, "written"); err != nil {
		t.Fatal(err)
	}
	f.syncing = syscall.EIO
	if err := tr.Close(); err == nil {
		t.Error("nobody says that it may be lost")
	}
	f.syncing = nil
}
