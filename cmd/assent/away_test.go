//go:build unix

package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/testpostgres"
)

// While the database is away, for longer than anybody waits for it, the server and the worker stay,
// and say so; nobody can answer, and nothing runs. When it is back everything goes on by itself,
// once.
func TestD8_ADatabaseThatIsAwayForLonger(t *testing.T) {
	t.Parallel()
	server := testpostgres.Start(t, testpostgres.Quick)
	m := machine{newPlace(t), server.Database(t)}
	m.parks(chosenID, "echo ran >> effects")
	id := m.ticket()
	env := m.env(databaseVariable + "=" + m.database)
	elsewhere := *m.place
	elsewhere.home = filepath.Join(filepath.Dir(m.home), "elsewhere")
	if err := os.Mkdir(elsewhere.home, 0o700); err != nil {
		t.Fatal(err)
	}
	inbox := m.start(env, "serve", "--no-resume", "--listen", "127.0.0.1:0", "--metrics", ":0")
	address, _, _ := strings.Cut(strings.TrimSpace(inbox.expect("http")), "#")
	crew := m.start(elsewhere.env(databaseVariable+"="+m.database), "worker", "--metrics", ":0", "--", "--model", m.playing("end.yaml", "turns: []\nafterwards: Done.\n"))
	ready := func() int {
		resp, err := http.Get(address + "readyz")
		if err != nil {
			t.Fatalf("the server is gone: %v\n%s", err, inbox.stderr)
		}
		_ = resp.Body.Close()
		return resp.StatusCode
	}
	until := func(what string, is func() bool) {
		t.Helper()
		for end := time.Now().Add(2 * patienceOfTests); !is(); time.Sleep(50 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s\n%s\n%s", what, inbox.stderr, crew.stderr)
			}
		}
	}
	until("it is not ready", func() bool { return ready() == http.StatusOK })
	until("the worker is not ready", func() bool { return strings.Contains(crew.stderr.String(), "the worker is ready") })
	crew.figure("assent_database_up 1")
	server.Kill(t)
	killed := time.Now()
	until("it is still ready", func() bool { return ready() == http.StatusServiceUnavailable })
	inbox.figure("assent_database_up 0")
	crew.figure("assent_database_up 0")
	if _, complained, status := m.says("approve", id); status == 0 || !strings.Contains(complained, "what was acknowledged is kept; try again") {
		t.Errorf("exit status %d, %s", status, complained)
	}
	until("it is not away for long enough", func() bool { return time.Since(killed) > 12*time.Second })
	server.Again(t)
	until("it is not ready again", func() bool { return ready() == http.StatusOK })
	inbox.figure(`assent_tickets{state="pending"} 1`)
	if m.has("effects") {
		t.Error("it ran without an answer")
	}
	if _, complained, status := m.says("approve", id); status != 0 {
		t.Fatal(complained)
	}
	crew.figure(`assent_runs_total{outcome="ended"} 1`)
	if m.effects() != "ran\n" {
		t.Errorf("%q", m.effects())
	}
	for _, one := range []*worker{inbox, crew} {
		one.signal(syscall.SIGTERM)
		if status := one.end(); status != 0 {
			t.Errorf("exit status %d\n%s", status, one.stderr)
		}
	}
}
