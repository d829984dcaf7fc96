//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assent-dev/assent/crew"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/metrics"
	"github.com/assent-dev/assent/session"
)

var (
	metricsAddress = regexp.MustCompile(`http://127\.0\.0\.1:\d+/metrics`)
	figureLine     = regexp.MustCompile(`^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[^"\\]*"(,[a-z]+="[^"\\]*")*\})? [-+.0-9e]+)\n$`)
)

// figure waits until the figures of a process have a line, and returns all of them.
func (c *worker) figure(line string) string {
	c.t.Helper()
	return figureOf(c.t, c.stderr, line)
}

// figureOf is the same for a process by what it says.
func figureOf(t testing.TB, said fmt.Stringer, line string) string {
	t.Helper()
	last := ""
	for end := time.Now().Add(patienceOfTests); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		address := metricsAddress.FindString(said.String())
		if address == "" {
			continue
		}
		resp, err := http.Get(address)
		if err != nil {
			continue
		}
		text, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if last = string(text); err == nil && resp.StatusCode == http.StatusOK && strings.Contains("\n"+last, "\n"+line+"\n") {
			return last
		}
	}
	t.Fatalf("there is no %q in\n%s\n%s", line, last, said)
	return ""
}

// wordsOfPeople are in calls and answers, in the environment and in addresses, and in no log
// and no figure.
const canaryCommand, canaryReason, canaryPassword = "touch ran; : canary-secret-zebra", "canary-reason-zebra", "canary-password-zebra"

func (c *worker) keepsQuiet(token, figures string) {
	c.t.Helper()
	log := c.stderr.String()
	for _, secret := range []string{"canary", "zebra", token} {
		if secret != "" && (strings.Contains(log, secret) || strings.Contains(figures, secret)) {
			c.t.Errorf("%q is told:\n%s\n%s", secret, log, figures)
		}
	}
	lines := strings.Split(strings.TrimSpace(log), "\n")
	for _, line := range lines {
		var record map[string]strictjson.Raw
		if err := strictjson.Unmarshal([]byte(line), &record); err != nil || record["msg"] == nil || record["level"] == nil {
			c.t.Errorf("no line of JSON: %v, %s", err, line)
		}
	}
	for line := range strings.Lines(figures) {
		if !figureLine.MatchString(line) {
			c.t.Errorf("no line of a figure: %q", line)
		}
	}
}

// A server counts what people answer and what runs. Its figures and its log, as JSON and with all
// that it has to say, hold nothing that a call, an answer or a token holds.
func TestT19_WhatAServerTellsAboutItself(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	script := p.playing("deploy.yaml", "turns:\n  - call: {Bash: {command: '"+canaryCommand+"'}}\nafterwards: Done.\n")
	if _, complained, status := p.say(append([]string{"-p", "--session-id", chosenID, "--model", script, "deploy"}, p.deferring()...)...); status != 0 {
		t.Fatal(complained)
	}
	server, link := p.serving("--metrics", ":0", "--log-format", "json", "--verbose", "--", "--model", p.playing("end.yaml", "turns: []\nafterwards: Done canary.\n"))
	_, token, _ := strings.Cut(link, "/#token=")
	server.figure(`assent_tickets{state="pending"} 1`)
	if _, complained, status := p.say("approve", "--reason", canaryReason, chosenID); status != 0 {
		t.Fatal(complained)
	}
	server.figure(`assent_runs_total{outcome="ended"} 1`)
	server.figure(`assent_start_seconds_count 1`)
	figures := server.figure(`assent_answers_total{decision="approved"} 1`)
	if !p.has("ran") {
		t.Error("it did not run")
	}
	server.signal(syscall.SIGTERM)
	if status := server.end(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	server.keepsQuiet(token, figures)
}

// The same for a worker, whose database has a password.
func TestT19_WhatAWorkerTellsAboutItself(t *testing.T) {
	t.Parallel()
	m := machines(t, 1)[0]
	u, err := url.Parse(m.database)
	if err != nil {
		t.Fatal(err)
	}
	asked := u.Query()
	asked.Set("password", canaryPassword) // which this server does not ask for
	u.RawQuery = asked.Encode()
	m.database = u.String()
	m.parks(chosenID, "'"+canaryCommand+"'")
	env := m.env(databaseVariable + "=" + m.database)
	w := m.start(env, "worker", "--metrics", "127.0.0.1:0", "--log-format", "json", "--verbose", "--", "--model", m.playing("end.yaml", "turns: []\nafterwards: Done canary.\n"))
	w.figure("assent_database_up 1")
	if _, complained, status := m.says("approve", "--reason", canaryReason, m.ticket()); status != 0 {
		t.Fatal(complained)
	}
	figures := w.figure(`assent_runs_total{outcome="ended"} 1`)
	if !m.has("ran") {
		t.Error("it did not run")
	}
	w.signal(syscall.SIGTERM)
	if status := w.end(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	w.keepsQuiet("", figures)
}

// Without a host only this machine can ask; what is no address is refused.
func TestMetricsListenOnThisMachine(t *testing.T) {
	l, err := listenForMetrics(":0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if host, _, err := net.SplitHostPort(l.Addr().String()); err != nil || host != "127.0.0.1" {
		t.Errorf("%s, %v", l.Addr(), err)
	}
	for _, address := range []string{"9722", l.Addr().String()} {
		if l, err := listenForMetrics(address); err == nil {
			_ = l.Close()
			t.Errorf("%s can be listened on", address)
		}
	}
	var f logFormat
	if err := f.Set("xml"); err == nil || !strings.Contains(err.Error(), "text or json") {
		t.Error(err)
	}
}

func TestOutcomeOf(t *testing.T) {
	over, end := context.WithCancel(t.Context())
	end()
	takenOver, take := context.WithCancelCause(t.Context())
	take(&session.Taken{ID: "s1"})
	for _, c := range []struct {
		ctx  context.Context
		err  error
		want metrics.Outcome
	}{
		{t.Context(), nil, metrics.Ended},
		{t.Context(), crew.ErrNothingLeft, metrics.NothingLeft},
		{t.Context(), fmt.Errorf("%w: too long", crew.ErrOver), metrics.Over},
		{t.Context(), &session.InUse{}, metrics.InUse},
		{t.Context(), errors.New("no model"), metrics.Failed},
		{over, errors.New("no model"), metrics.Stopped},
		{takenOver, context.Canceled, metrics.TakenOver},
		{t.Context(), fmt.Errorf("it cannot be recorded: %w", &session.Taken{ID: "s1"}), metrics.TakenOver}, // before anybody has said so
	} {
		if got := outcomeOf(c.ctx, c.err); got != c.want {
			t.Errorf("%v: %s, want %s", c.err, got, c.want)
		}
	}
}
