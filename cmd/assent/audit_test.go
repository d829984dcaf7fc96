package main

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/audit"
)

// `assent audit log --follow` shows what is there, and then each new decision.
func TestT3_AuditLogFollows(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "audit")
	log := audit.Open(dir)
	add := func(summary string) {
		t.Helper()
		if err := log.Append(audit.Record{Tool: "Bash", Summary: summary, Decision: "allow"}); err != nil {
			t.Fatal(err)
		}
	}
	add("first")
	add("second")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var seen []string
	out := writerFunc(func(text []byte) (int, error) {
		line, _, _ := strings.Cut(string(text), "\n")
		word := line[strings.LastIndexByte(line, ' ')+1:]
		switch seen = append(seen, word); word {
		case "second":
			add("third")
		case "third":
			cancel()
		}
		return len(text), nil
	})
	a := &app{out: out, err: io.Discard, colors: "never"}
	if err := a.auditLog(ctx, dir, auditLogFlags{follow: true, last: 1}); err != nil {
		t.Error(err)
	}
	if got := strings.Join(seen, " "); got != "second third" {
		t.Errorf("showed %q", got)
	}
	// A reader that goes away ends it.
	gone := errors.New("gone")
	a.out = writerFunc(func([]byte) (int, error) { return 0, gone })
	if err := a.auditLog(t.Context(), dir, auditLogFlags{follow: true, last: 1}); !errors.Is(err, gone) {
		t.Errorf("%v", err)
	}
}

// TestT3_AuditLogSaysWhatItLeavesOut: who sees a part must know that it is one.
func TestT3_AuditLogSaysWhatItLeavesOut(t *testing.T) {
	state := t.TempDir()
	t.Setenv("ASSENT_HOME", state)
	log := audit.Open(filepath.Join(state, "audit"))
	for n := range 90 {
		if err := log.Append(audit.Record{Tool: "Bash", Summary: strconv.Itoa(n + 1), Decision: "allow"}); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		args  string
		shown int
		says  string
	}{
		{"", 20, "assent: 70 older ones are not shown (-n 0 shows all)\n"},
		{"-n 89", 89, "assent: 1 older one is not shown (-n 0 shows all)\n"},
		{"-n 90", 90, ""},
		{"-n 0", 90, ""},
		{"--json", 90, ""},
		{"--json -n 5", 5, "assent: 85 older ones are not shown (-n 0 shows all)\n"},
	} {
		var out, complaints strings.Builder
		status := run(append([]string{"audit", "log"}, strings.Fields(tt.args)...), strings.NewReader(""), &out, &complaints)
		shown := strings.Count(out.String(), "allow")
		if status != 0 || shown != tt.shown || complaints.String() != tt.says {
			t.Errorf("%s: status %d, %d shown, says %q", tt.args, status, shown, complaints.String())
		}
	}
}

// TestT3_AuditLogShowsInputs: with -v, and nothing in them can hide or pretend anything.
func TestT3_AuditLogShowsInputs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "audit")
	log := audit.Open(dir)
	for _, r := range []audit.Record{
		{Tool: "Bash", Summary: "old", Decision: "allow"},
		{Tool: "Bash", Summary: "ls", Decision: "allow", Input: audit.Excerpt{Text: "{\"command\":\"ls\u202e\"}"}, Asked: audit.Excerpt{Text: "{}"}},
		{Tool: "Write", Summary: "x", Decision: "allow", Input: audit.Excerpt{Text: "front", LeftOut: 1200, Tail: "back"}},
	} {
		if err := log.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	a := &app{out: &out, err: io.Discard, colors: "never"}
	if err := a.auditLog(t.Context(), dir, auditLogFlags{verbose: true}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"  old\n    record 1,",
		"  ls\n    input {\"command\":\"ls\\u202e\"}\n    asked {}\n    record 2,",
		"  x\n    input front\n    … 1200 bytes are left out …\n    back\n    record 3,",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	out.Reset()
	if err := a.auditLog(t.Context(), dir, auditLogFlags{}); err != nil || strings.Contains(out.String(), "input") {
		t.Errorf("%v, %s", err, out.String())
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(data []byte) (int, error) { return f(data) }

func TestParseMoment(t *testing.T) {
	zone := time.FixedZone("", 2*3600)
	now := time.Date(2026, 11, 16, 12, 0, 0, 0, zone)
	for text, want := range map[string]time.Time{
		"":                     {},
		"90m":                  time.Date(2026, 11, 16, 10, 30, 0, 0, zone),
		"0s":                   now,
		"7d":                   time.Date(2026, 11, 9, 12, 0, 0, 0, zone),
		"2026-11-15":           time.Date(2026, 11, 15, 0, 0, 0, 0, zone),
		"2026-11-15T08:15":     time.Date(2026, 11, 15, 8, 15, 0, 0, zone),
		"2026-11-15 08:15:30":  time.Date(2026, 11, 15, 8, 15, 30, 0, zone),
		"2026-11-15T08:15:30Z": time.Date(2026, 11, 15, 8, 15, 30, 0, time.UTC),
	} {
		if got, err := parseMoment(text, now); err != nil || !got.Equal(want) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"yesterday", "-1h", "-3d", "d", "2026-13-01", "16.11.2026", "7"} {
		if got, err := parseMoment(text, now); err == nil {
			t.Errorf("%s is %v", text, got)
		}
	}
}
