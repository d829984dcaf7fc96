package database

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Whoever follows asks the database when somebody writes, for a moment after that, and now
// and then in any case. As long as nobody writes a look at the file is enough.
func TestA3_WhenToLook(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	now := time.Now().Truncate(time.Second)
	write := func(text string, at time.Time) {
		t.Helper()
		must(t, os.WriteFile(path, []byte(text), 0o600))
		must(t, os.Chtimes(path, at, at))
	}
	log := surface{path: path}
	for _, step := range []struct {
		what  string
		after time.Duration
		write string
		at    time.Duration // when that was written, before now
		want  bool
	}{
		{"there is no file", 0, "", 0, true},
		{"it was written", 0, "a", 0, true},
		{"a moment ago", 100 * time.Millisecond, "", 0, true},
		{"it is not long enough ago", 800 * time.Millisecond, "", 0, true},
		{"nobody writes", 200 * time.Millisecond, "", 0, false},
		{"still nobody", 2 * time.Second, "", 0, false},
		{"now and then", 3 * time.Second, "", 0, true},
		{"nobody writes again", time.Second, "", 0, false},
		{"as many bytes at another time", 100 * time.Millisecond, "b", 2 * time.Second, true},
		{"nobody writes after that", 100 * time.Millisecond, "", 0, false},
		{"more bytes at the same time", 0, "bc", 2100 * time.Millisecond, true},
	} {
		now = now.Add(step.after)
		if step.write != "" {
			write(step.write, now.Add(-step.at))
		}
		if got := log.moved(now); got != step.want {
			t.Errorf("%s: %v", step.what, got)
		}
	}
}
