package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/inbox/client"
)

// On a small screen the commands that answer stay, and the first calls, which are the worst.
func TestA1_TheListFitsTheScreen(t *testing.T) {
	p := &page{}
	var lines []string
	for i := range 50 {
		lines = append(lines, fmt.Sprint("call ", i))
	}
	lines = append(lines, "", "  assent approve ID", "  assent deny ID")
	got := p.fitting(lines, 23)
	if len(got) != 23 || got[0] != "call 0" || !slices.Equal(got[20:], lines[50:]) || !strings.Contains(got[19], "31 more lines") {
		t.Errorf("%d: %q", len(got), got)
	}
	for _, height := range []int{0, 1, 3, 4, 53, 80} {
		if got := p.fitting(lines, height); height > 1 && len(got) > height || height >= len(lines) && len(got) != len(lines) {
			t.Errorf("%d: %q", height, got)
		}
	}
	if got := p.fitting(lines[:50], 10); len(got) != 10 || !strings.Contains(got[9], "41 more lines") {
		t.Errorf("%q", got)
	}
}

// A line that is wider than the screen takes one row of it, so the first call stays in sight.
func TestA1_NoLineTakesTwoRows(t *testing.T) {
	now := time.Now()
	list := waitingList{}
	for i := range 11 {
		list.Calls = append(list.Calls, client.Item{
			ID: fmt.Sprintf("call%08d", i), State: "pending", Risk: "high", Since: now, Session: firstID,
			Sentence: "Run `git push --force origin main`: " + strings.Repeat("überschreibt 世界 ", 9), Cwd: "/srv/" + strings.Repeat("目录", 40),
		})
	}
	for _, colour := range []painter{painter(true), painter(false)} {
		for _, columns := range []int{20, 60, 80, 100} {
			p := &page{painter: colour}
			p.waiting(list, "", now)
			lines := p.screenful(columns, 15)
			text := strings.Join(lines, "\n")
			for _, line := range lines {
				plain := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(line, "")
				if width(plain) > columns || strings.Count(line, "\x1b[")%2 != 0 {
					t.Errorf("%d columns: %d: %q", columns, width(plain), line)
				}
			}
			if len(lines) > 14 || !strings.Contains(lines[0], "Waiting for an ans") || !strings.Contains(lines[1], "call00000000") || !strings.Contains(text, "^C ends this list") || !strings.Contains(text, "assent approve ID") {
				t.Errorf("%d columns: %s", columns, text)
			}
		}
	}
	if got := narrowed("世界世界", 5); got != "世界…" {
		t.Error(got)
	}
}

// A server that does not answer takes nothing from what was seen of it.
func TestA1_TheLastListStaysWhenTheServerIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		d := &counter{app: &app{out: &out, err: &out}}
		ctx, stop := context.WithTimeout(t.Context(), 7*time.Second)
		defer stop()
		looks := 0
		gone := errors.New("the server http://127.0.0.1:1 does not answer")
		err := d.showLive(ctx, &view{
			look: func(context.Context) (waitingList, error) {
				if looks++; looks > 1 {
					return waitingList{}, gone
				}
				return waitingList{Calls: []client.Item{{ID: "aaaabbbbcccc", State: "pending", Risk: "medium", Sentence: "Run `make`", Since: time.Now()}}}, nil
			},
			await: func(context.Context, int64) error { return gone },
		})
		frames := strings.Split(out.String(), "\x1b[H")
		if err != nil || len(frames) < 4 {
			t.Fatalf("%d frames: %v", len(frames), err)
		}
		for _, frame := range frames[2:] {
			problem, call := strings.Index(frame, "This may be out of date: the server"), strings.Index(frame, "aaaabbbbcccc")
			if problem < 0 || call < problem || strings.Contains(frame, "Nothing waits") {
				t.Errorf("%q", frame)
			}
		}
	})
}

// What goes wrong before a server is there says what to do.
func TestA3_ServeSaysTheWayOut(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for args, want := range map[string]string{
		"serve --model x":                         "flags of the agent come after --",
		"serve --listen " + taken.Addr().String(): "name another port",
	} {
		var out, errOut bytes.Buffer
		if status := run(strings.Fields(args), strings.NewReader(""), &out, &errOut); status == 0 || !strings.Contains(errOut.String(), want) {
			t.Errorf("%s: status %d: %s", args, status, errOut.String())
		}
	}
}
