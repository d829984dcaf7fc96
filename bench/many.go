package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// manyFigures are what sessions in one process need, each of them in the middle of a
// prompt and waiting for an answer. The zero value means that nobody has measured it.
type manyFigures struct {
	sessions   int
	first, all int64 // bytes
	goroutines int
}

// each is what a session needs beyond the first.
func (m manyFigures) each() int64 { return (m.all - m.first) / int64(m.sessions-1) }

// countMany lets a process of its own open many sessions.
func countMany(sessions int) (manyFigures, error) {
	dir, err := os.MkdirTemp("", "assent-bench")
	if err != nil {
		return manyFigures{}, err
	}
	defer os.RemoveAll(dir)
	if err := buildFor(dir, "many", "./many"); err != nil {
		return manyFigures{}, err
	}
	out, err := exec.Command(filepath.Join(dir, "many"), filepath.Join(dir, "world"), strconv.Itoa(sessions)).Output()
	if err != nil {
		return manyFigures{}, fmt.Errorf("%d sessions in one process: %w", sessions, err)
	}
	var found struct{ First, All, Goroutines int64 }
	if err := json.Unmarshal(out, &found); err != nil {
		return manyFigures{}, err
	}
	return manyFigures{sessions, found.First, found.All, int(found.Goroutines)}, nil
}

func (r *results) writeMany(b *strings.Builder) {
	if r.many.sessions == 0 {
		return
	}
	fmt.Fprintf(b, "\n## Many sessions in one process\n\n"+
		"%s sessions, each with a transcript, an audit log and a scripted model of its own. Each has read a file and waits for an answer about a\n"+
		"command. One of them needs %s, all of them %s: %s for each beyond the first, and %s goroutines.\n",
		thousands(r.many.sessions), megabytes(r.many.first), megabytes(r.many.all), kilobytes(r.many.each()), thousands(r.many.goroutines))
}

func kilobytes(bytes int64) string { return fmt.Sprintf("%d KB", bytes>>10) }

func (r *results) manyBars() []bar {
	if r.many.sessions < manyBarApplies {
		return nil
	}
	promise := fmt.Sprintf("%s sessions in one process: ≤ 300 KB each beyond the first", thousands(r.many.sessions))
	return []bar{{promise, kilobytes(r.many.each()), r.many.each() <= mostEach}}
}
