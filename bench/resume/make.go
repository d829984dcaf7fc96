package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/assent-dev/assent/internal/chain"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/session"
)

// recent is how many records follow the last compaction at most: the part of a transcript
// that a conversation is made of.
const recent = 400

// What the conversation must say when it is gone on with.
const (
	summary  = "All that matters so far."
	lastWord = "That was the last of it."
)

// writer writes records without waiting for the disk: one would wait for minutes.
type writer struct {
	*bufio.Writer
	file *os.File
}

func (writer) Sync() error          { return nil }
func (writer) Truncate(int64) error { return nil }
func (w writer) Close() error       { return w.file.Close() }
func (w writer) finish(l *chain.Log) error {
	if err := w.Flush(); err != nil {
		return err
	}
	return l.Close()
}

// makeSession writes a session of so many records as it is found on a disk: messages with
// calls and their results, files that were seen, notes, ends of prompts.
func makeSession(store, id, cwd string, records int) error {
	dir := filepath.Join(store, id)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "state.json"), []byte("{}\n"), 0o600); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(dir, "transcript.jsonl"))
	if err != nil {
		return err
	}
	if err := f.Chmod(0o600); err != nil {
		return err
	}
	w := writer{bufio.NewWriterSize(f, 1<<20), f}
	log := chain.NewLog(w, chain.Position{})
	for n := 1; n < records; n++ {
		kind, body := record(n, records-n, session.Start{Session: id, Cwd: cwd, Model: "m", Mode: "default", Version: "bench"})
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		at := time.Date(2026, 11, 16, 9, 0, n, n, time.UTC).Format(time.RFC3339Nano)
		if _, err := log.Append(fmt.Appendf(nil, `{"time":%q,"kind":%q,"body":%s}`, at, kind, text)); err != nil {
			return err
		}
	}
	if err := w.finish(log); err != nil {
		return err
	}
	// The last one is written by the store itself, so that the session has all that belongs
	// to one.
	t, err := session.NewStore(store).Resume(id)
	if err != nil {
		return err
	}
	if err := t.Append(session.Ended, map[string]string{"subtype": "success"}); err != nil {
		return err
	}
	return t.Close()
}

// record is one of a session; left is how many follow.
func record(n, left int, start session.Start) (session.Kind, any) {
	use := fmt.Sprintf("toolu_%d", n-n%10)
	switch {
	case n == 1:
		return session.Started, start
	case left == recent || n == 2 && left < recent:
		return session.Compacted, session.Compaction{Messages: []model.Message{said(model.User, summary)}, Trigger: "auto"}
	case left == 1:
		return session.Said, said(model.Assistant, lastWord)
	}
	switch n % 10 {
	case 8:
		return session.Saw, map[string]any{"path": fmt.Sprintf("/home/dev/app/file-%d.go", n%5000), "digest": strings.Repeat("5f", 32), "lines": n}
	case 9:
		return session.Noted, fmt.Sprintf("The hook says that record %d is fine.", n)
	case 7:
		return session.Ended, map[string]string{"subtype": "success", "stop_reason": "end_turn"}
	}
	if n%2 == 1 {
		return session.Said, model.Message{Role: model.Assistant, Content: []model.Block{
			model.TextBlock(prose(n, 250)), {Kind: model.ToolUse, ID: use, Name: "Read", Input: []byte(fmt.Sprintf(`{"file_path":"/home/dev/app/file-%d.go"}`, n))},
		}}
	}
	return session.Said, model.Message{Role: model.User, Content: []model.Block{
		{Kind: model.ToolResult, ToolUseID: use, Result: []model.Block{model.TextBlock(prose(n, 3500))}},
	}}
}

func said(role model.Role, text string) model.Message {
	return model.Message{Role: role, Content: []model.Block{model.TextBlock(text)}}
}

// prose is text that looks like what tools return: lines, quotes, tabs.
func prose(n, size int) string {
	var b strings.Builder
	for i := 1; b.Len() < size; i++ {
		fmt.Fprintf(&b, "%6d\tif value%d != \"%x\" { return fmt.Errorf(\"line %d\") }\n", i, n, n*i*7919, i)
	}
	return b.String()
}
