package session

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/model"
)

var errKept = errors.New("it may not")

// What is asked before an import is asked while nobody else can make the session, and never
// about one that is there.
func TestD8_AnImportAsksWhileItHoldsTheSession(t *testing.T) {
	s, other := newStore(t), newStore(t)
	x := read(t, exported(t, s))
	asked := 0
	may := func() error {
		asked++
		if !other.Held(one) {
			t.Error("nobody holds the session")
		}
		if _, err := other.Create(one, begin); err == nil {
			t.Error("somebody has made it meanwhile")
		}
		return errKept
	}
	if err := other.Import(x, "", "bob", may); !errors.Is(err, errKept) || asked != 1 {
		t.Fatalf("%v, asked %d times", err, asked)
	}
	if left, err := os.ReadDir(other.dir); err != nil || len(left) != 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
	if err := other.Import(x, "", "bob", nil); err != nil {
		t.Fatal(err)
	}
	if err := other.Import(x, "", "bob", may); !errors.Is(err, ErrExists) || asked != 1 {
		t.Errorf("%v, asked %d times", err, asked)
	}
	open := resume(t, other, one)
	if err := os.Remove(open.Path()); err != nil { // what a process has open is never free
		t.Fatal(err)
	}
	var inUse *InUse
	if err := other.Import(x, "", "bob", may); !errors.As(err, &inUse) || asked != 1 {
		t.Errorf("%v, asked %d times", err, asked)
	}
}

// While something is done about a session that is gone nobody can make it, and nothing is
// left of that.
func TestD7_WhileASessionIsGone(t *testing.T) {
	s := newStore(t)
	done := 0
	do := func() error {
		done++
		if _, err := s.Create(one, begin); err == nil {
			t.Error("somebody has made it meanwhile")
		}
		return errKept
	}
	if err := s.WhileGone(one, do); !errors.Is(err, errKept) || !s.Gone(one) {
		t.Error(err)
	}
	if left, err := os.ReadDir(s.dir); err != nil || len(left) != 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
	if err := os.MkdirAll(filepath.Join(s.dir, one), 0o700); err != nil { // of one that never began
		t.Fatal(err)
	}
	if err := s.WhileGone(one, do); !errors.Is(err, errKept) || done != 2 {
		t.Error(err)
	}
	create(t, s, one).Close()
	if err := s.WhileGone(one, do); !errors.Is(err, ErrExists) || done != 2 || s.Gone(one) {
		t.Errorf("%v, done %d times", err, done)
	}
	if err := s.WhileGone("../x", do); !errors.Is(err, ErrBadID) || done != 2 {
		t.Errorf("%v, done %d times", err, done)
	}
}

// No call was parked at or before the moment from which clocks count: a file that says so
// was made to look like another call each time.
func TestS27_AMomentThatIsNoneIsRefused(t *testing.T) {
	for since, refused := range map[time.Time]bool{
		time.Unix(0, 0): true, time.Unix(0, 999): true, time.Unix(-1, 0): true, time.Date(1, 1, 1, 0, 0, 1, 0, time.UTC): true,
		time.Unix(1, 0): false, time.Now(): false,
	} {
		s := newStore(t)
		tr := create(t, s, one)
		p := waitingHere("a")
		p.Calls[0].Since = since.UTC()
		put(t, tr, Said, said(model.User, "deploy it"))
		put(t, tr, Said, made(p))
		put(t, tr, Parked, p)
		c, err := tr.Conversation()
		if err != nil {
			t.Fatal(err)
		}
		_ = tr.Close()
		if err := c.Check(begin.Cwd); (err != nil) != refused || refused && !strings.Contains(err.Error(), "at a moment that is none") {
			t.Errorf("%v: %v", since, err)
		}
		var file bytes.Buffer
		if _, err := s.Export(one, &file, "ann", "v"); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadExport(bytes.NewReader(file.Bytes()), int64(file.Len())); (err != nil) != refused {
			t.Errorf("imported, %v: %v", since, err)
		}
	}
}

// A fork knows all the sessions that it comes from, also those whose own forks are gone.
func TestS34_AForkKnowsWhereItComesFrom(t *testing.T) {
	s := newStore(t)
	create(t, s, one).Close()
	want := []string(nil)
	for from, to := one, two; ; from, to = to, three {
		child, err := s.Fork(from, to, begin)
		if err != nil {
			t.Fatal(err)
		}
		want = append([]string{from}, want...)
		c, err := child.Conversation()
		_ = child.Close()
		if err != nil || !reflect.DeepEqual(c.Start.Forks(), want) || c.Start.Parent != from {
			t.Errorf("%+v, %v", c.Start, err)
		}
		if to == three {
			break
		}
	}
}

// Whether the result of a call is that of a run is known from the records before it.
func TestS27_WhetherASettledCallRan(t *testing.T) {
	for name, ran := range map[string]bool{"begun": true, "refused": false} {
		s := newStore(t)
		tr := create(t, s, one)
		put(t, tr, Parked, waiting("a", "b"))
		if ran {
			put(t, tr, Began, Beginning{ToolUseID: "a"})
		}
		put(t, tr, Settled, settled("a"))
		_ = tr.Close()
		c, err := resume(t, s, one).Conversation()
		if err != nil || len(c.Pending.Settled) != 1 || c.Pending.Settled[0].Ran != ran {
			t.Errorf("%s: %+v, %v", name, c.Pending, err)
		}
	}
}
