package crew

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/assent-dev/assent/session"
)

// What a crew has begun is noted as long as it runs; another one that shares the notebook finds
// it in use, and takes nothing out of it that is not its own.
func TestA3_CrewsShareANotebook(t *testing.T) {
	n := &notebook{dir: filepath.Join(t.TempDir(), "going")}
	first, err := n.begin(id(1))
	if err != nil || !first.made {
		t.Fatal(first, err)
	}
	if _, err := n.begin(id(1)); !isInUse(err) {
		t.Errorf("both run it: %v", err)
	}
	first.keep() // it has failed, or died
	second, err := n.begin(id(1))
	if err != nil || second.made || !slices.Equal(n.all(), []string{id(1)}) {
		t.Fatal(second, err, n.all())
	}
	second.strike()
	second.keep()
	if all := n.all(); len(all) > 0 {
		t.Errorf("%v", all)
	}
	// One is struck while another is about to lock it.
	var all sync.WaitGroup
	var running sync.Mutex
	other := &notebook{dir: n.dir} // of another crew
	for i := range 4 {
		book := []*notebook{n, other}[i%2]
		all.Go(func() {
			for range 200 {
				begun, err := book.begin(id(1))
				if isInUse(err) {
					continue
				}
				if err != nil || !running.TryLock() {
					t.Errorf("two run it, or none can: %v", err)
					return
				}
				if len(n.all()) != 1 {
					t.Error("it runs, and is not noted")
				}
				running.Unlock()
				begun.strike()
				begun.keep()
			}
		})
	}
	all.Wait()
}

// The next note is made of the file of one that was struck, unless the session is noted already.
// What spares a crew has left is removed by the next one, and not those of one that is at work.
func TestA3_ANoteIsMadeOfASpareFile(t *testing.T) {
	n := &notebook{dir: t.TempDir()}
	begin := func(id string) *note {
		t.Helper()
		begun, err := n.begin(id)
		if err != nil {
			t.Fatal(err)
		}
		return begun
	}
	file := func(id string) os.FileInfo {
		t.Helper()
		info, err := os.Stat(filepath.Join(n.dir, id))
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	first := begin(id(1))
	was := file(id(1))
	first.strike()
	if again := begin(id(2)); runtime.GOOS != "windows" && !os.SameFile(was, file(id(2))) || !again.made {
		t.Errorf("another file, or not made: %+v", again)
	}
	if _, err := n.begin(id(2)); !isInUse(err) {
		t.Errorf("both run it: %v", err)
	}
	if left := n.entries(); !slices.Equal(left, []string{id(2)}) {
		t.Errorf("%v", left)
	}
	begin(id(1)).strike()
	kept := begin(id(3))
	begin(id(1)).strike() // a spare, while the third is noted
	kept.keep()
	if found := begin(id(3)); found.made {
		t.Error("it was noted before")
	}
	for i := range 20 { // as many as are noted already, which need no spare
		begin(id(10 + i)).keep()
	}
	for i := range 20 {
		begin(id(10 + i)).strike()
	}
	if most := 8; len(n.spares) > most || len(n.entries()) > 2+most {
		t.Errorf("%d spares are kept, and %d files", len(n.spares), len(n.entries()))
	}
	n.clear()
	begin(id(1)).strike()
	(&notebook{dir: n.dir}).clear()
	if spares := len(n.entries()) - len(n.all()); runtime.GOOS != "windows" && spares != 1 {
		t.Errorf("another crew has left %d spares of one that is at work", spares)
	}
	for _, s := range n.spares { // as if it was killed
		_ = s.lock.Close()
	}
	(&notebook{dir: n.dir}).clear()
	if left := n.entries(); !slices.Equal(left, []string{id(2), id(3)}) {
		t.Errorf("%v", left)
	}
}

// Where nothing can be noted, because the place is gone, that is an error: no other crew is waited
// for.
func TestA3_ANotebookWhosePlaceIsGone(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone")
	if err := os.Mkdir(gone, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(gone)
	if err := os.Remove(gone); err != nil {
		t.Skip("a directory in which somebody is cannot be removed here")
	}
	done := make(chan error, 1)
	go func() {
		_, err := (&notebook{dir: "going"}).begin(id(1))
		done <- err
	}()
	select {
	case err := <-done:
		if err == nil || isInUse(err) {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it goes on for ever")
	}
}

func isInUse(err error) bool {
	_, is := errors.AsType[*session.InUse](err)
	return is
}
