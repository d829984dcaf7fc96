package chain

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
)

// faulty is a disk that fails at a certain record.
type faulty struct {
	Disk
	failAt    int // counts writes, from 1
	short     int // so many bytes of it are written first
	writeErr  error
	syncErr   error
	truncated bool
	writes    int
}

func (f *faulty) Write(data []byte) (int, error) {
	if f.writes++; f.writes != f.failAt || f.syncErr != nil {
		return f.Disk.Write(data)
	}
	n, err := f.Disk.Write(data[:f.short])
	return n, errors.Join(err, f.writeErr)
}

func (f *faulty) Sync() error {
	if f.writes == f.failAt && f.syncErr != nil {
		return f.syncErr
	}
	return f.Disk.Sync()
}

func (f *faulty) Truncate(size int64) error {
	if !f.truncated {
		return errors.New("no")
	}
	return f.Disk.Truncate(size)
}

// A disk that fails ends the log: nothing follows a record of which nobody knows
// whether it is there. What was acknowledged before is.
func TestAFailedWriteEndsTheLog(t *testing.T) {
	for name, f := range map[string]*faulty{
		"a full disk":                     {short: 0, writeErr: syscall.ENOSPC},
		"a disk that gets full":           {short: 50, writeErr: syscall.ENOSPC},
		"the same, cleaned up":            {short: 50, writeErr: syscall.ENOSPC, truncated: true},
		"a write that says nothing":       {short: 50},
		"a disk that does not flush":      {syncErr: syscall.EIO},
		"one that does not, cleaned up":   {syncErr: syscall.EIO, truncated: true},
		"all but the line feed was there": {short: len(`{"n":3,"sha256":"","record":"third"}`) + 64, writeErr: syscall.ENOSPC},
	} {
		path := filepath.Join(t.TempDir(), "chain.jsonl")
		d, err := Open(path, os.O_CREATE)
		if err != nil {
			t.Fatal(err)
		}
		f.Disk, f.failAt = d, 3
		l := NewLog(f, Position{})
		for _, r := range []string{`"first"`, `"second"`} {
			if _, err := l.Append([]byte(r)); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		before := l.At()
		_, first := l.Append([]byte(`"third"`))
		if first == nil || errors.Is(first, ErrBroken) {
			t.Fatalf("%s: %v", name, first)
		}
		_, second := l.Append([]byte(`"fourth"`))
		if !errors.Is(second, ErrBroken) || l.At() != before {
			t.Errorf("%s: then %v, at %v", name, second, l.At())
		}
		if f.writeErr != nil && !errors.Is(second, f.writeErr) {
			t.Errorf("%s: the cause is gone: %v", name, second)
		}
		_ = l.Close()
		_, got := openLog(t, path)
		if len(got) < 2 || len(got) > 3 || got[1] != `"second"` || len(got) == 3 && (got[2] != `"third"` || f.truncated) {
			t.Errorf("%s: there are %q", name, got)
		}
	}
}

func TestAppendAfterClose(t *testing.T) {
	l, _ := openLog(t, filepath.Join(t.TempDir(), "chain.jsonl"))
	_ = l.Close()
	if _, err := l.Append([]byte("1")); !errors.Is(err, ErrBroken) {
		t.Errorf("%v", err)
	}
}

func TestAppendSideBySide(t *testing.T) {
	path := filepath.Join(t.TempDir(), "chain.jsonl")
	l, _ := openLog(t, path)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 10 {
				if _, err := l.Append([]byte("1"), []byte("2")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	_, got := openLog(t, path)
	for i, r := range got {
		if want := string(rune('1' + i%2)); r != want {
			t.Fatalf("record %d is %s: those of one call were separated", i+1, r)
		}
	}
	if len(got) != 160 {
		t.Errorf("%d records", len(got))
	}
}

// Who keeps watch over a file ends the log, and nothing of the file is touched.
func TestWatch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	disk, err := Open(path, os.O_CREATE)
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	size := func() int64 {
		info, err := disk.Stat()
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	l := NewLog(disk, Position{})
	mark := errors.New("it is another file")
	var seen []int64
	l.Watch(func(at Position) error {
		if seen = append(seen, at.Offset); len(seen) > 1 {
			return mark
		}
		return nil
	})
	end, err := l.Append([]byte("1"))
	if err != nil {
		t.Fatal(err)
	}
	// A log that truncated here would take away what somebody else has written.
	if _, err := disk.Write([]byte("foreign")); err != nil {
		t.Fatal(err)
	}
	before := size()
	if _, err := l.Append([]byte("2")); !errors.Is(err, mark) || l.At() != end {
		t.Errorf("%v", err)
	}
	if _, err := l.Append([]byte("3")); !errors.Is(err, ErrBroken) || !errors.Is(err, mark) {
		t.Errorf("then %v", err)
	}
	if size() != before || len(seen) != 2 || seen[1] != end.Offset {
		t.Errorf("%d bytes, asked at %d", size(), seen)
	}
}
