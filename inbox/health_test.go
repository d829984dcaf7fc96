package inbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/testpostgres"
)

// The server tries to write by itself, and tells how that went. The disk is full, so
// nobody can answer; then there is room again.
func TestA3_ReadinessAndAFullDisk(t *testing.T) {
	w := newWorld(t)
	w.following.Store(true)
	full := func(context.Context) error { return errors.New("database or disk is full: /somewhere") }
	_ = w.attempt.again(t.Context(), full, w.now)
	if got := w.get("/readyz"); got.status != 503 || strings.Contains(got.body, "somewhere") || !strings.Contains(w.logged(), "disk is full") {
		t.Errorf("%d %s; log: %s", got.status, got.body, w.logged())
	}
	w.run()
	var got answer
	for deadline := time.Now().Add(30 * time.Second); got.status != 200 && time.Now().Before(deadline); {
		got = w.get("/readyz")
	}
	if got.status != 200 {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// Who asks whether the server is ready needs no token, so the question keeps nobody from
// writing, and does not wait for whoever writes.
func TestA3_ReadinessTakesNoLock(t *testing.T) {
	w := newWorld(t)
	w.following.Store(true)
	if got := w.get("/readyz"); got.status != 200 {
		t.Fatalf("%d %s", got.status, got.body)
	}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(w.Dir, "state.db")+"?_txlock=immediate")
	w.must(err)
	defer db.Close()
	tx, err := db.BeginTx(t.Context(), nil)
	w.must(err)
	defer func() { _ = tx.Rollback() }()
	if got := w.get("/readyz"); got.status != 200 {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// Whoever asks whether the server is ready does not wait as long as others do for a database that
// is away, and the next one is answered at once.
func TestA3_ReadinessOfADatabaseThatIsAway(t *testing.T) {
	w := newWorld(t)
	server := testpostgres.Start(t, testpostgres.Quick)
	db, err := database.Connect(t.Context(), server.Database(t))
	w.must(err)
	defer db.Close()
	w.Tickets, err = approval.On(t.Context(), db)
	w.must(err)
	w.following.Store(true)
	if got := w.get("/readyz"); got.status != 200 {
		t.Fatalf("%d %s", got.status, got.body)
	}
	server.Kill(t)
	for _, most := range []time.Duration{2 * readinessPatience, readinessPatience / 2} {
		asked := time.Now()
		if got, took := w.get("/readyz"), time.Since(asked); got.status != 503 || took > most {
			t.Errorf("%d %s after %v, want 503 within %v", got.status, got.body, took, most)
		}
	}
	server.Again(t)
	w.must(w.attempt.again(t.Context(), w.Tickets.Try, w.now))
	if got := w.get("/readyz"); got.status != 200 {
		t.Errorf("it is back: %d %s", got.status, got.body)
	}
}

func TestA3_Attempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var a attempt
		var next error
		tries := 0
		try := func(context.Context) error { tries++; return next }
		want := func(what string, ok bool, n int) {
			t.Helper()
			if err := a.outcome(t.Context(), try, time.Now); (err == nil) != ok || tries != n {
				t.Errorf("%s: %v after %d attempts", what, err, tries)
			}
		}
		want("the first who asks tries", true, 1)
		want("the next does not", true, 1)
		next = errors.New("full")
		_ = a.again(t.Context(), try, time.Now)
		want("it fails", false, 2)
		next = nil
		_ = a.again(t.Context(), try, time.Now)
		want("it works", true, 3)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		next = context.Canceled
		_ = a.again(ctx, try, time.Now)
		want("the server ends", true, 4)
		time.Sleep(4 * tryEvery)
		want("it takes too long", false, 4)
	})
}

// As long as nothing can be written it is tried every second, and each turn is told once.
func TestA3_AttemptsAreMoreOftenWhileTheyFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var a attempt
		began := time.Now()
		full, room := began.Add(15*time.Second), began.Add(35500*time.Millisecond)
		var tries []time.Duration
		try := func(context.Context) error {
			tries = append(tries, time.Since(began))
			if now := time.Now(); now.After(full) && now.Before(room) {
				return errors.New("full")
			}
			return nil
		}
		var told []string
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		a.often(ctx, try, time.Now, func(err error) {
			told = append(told, fmt.Sprint(time.Since(began), " ", err))
		})
		if want := []string{"20s full", "36s <nil>"}; !slices.Equal(told, want) {
			t.Errorf("told %q, want %q", told, want)
		}
		if want := 2 + 17 + 2; len(tries) != want { // 0, 10; 20 to 36; 46, 56
			t.Errorf("%d attempts, want %d: %v", len(tries), want, tries)
		}
	})
}

// TestA3_NobodyFollowsWhileNobodyCanAnswer: a page that looks alive lets people believe that
// they can answer.
func TestA3_NobodyFollowsWhileNobodyCanAnswer(t *testing.T) {
	w := newWorld(t)
	w.run()
	first := w.park(bash("npm test"))[0]
	a := w.follow0(0)
	if got := a.next(); got.Ticket != first.ID {
		t.Fatalf("%+v", got)
	}
	w.events.halt()
	if rest, err := io.ReadAll(a.lines); err != nil || strings.Contains(string(rest), "data:") {
		t.Errorf("who follows is not sent away: %v, %s", err, rest)
	}
	if got := w.get("/api/v1/events"); got.status != 503 || !strings.Contains(got.body, "nobody can answer at the moment") {
		t.Errorf("%d %s", got.status, got.body)
	}
	second := w.park(bash("npm test"))[0]
	w.events.resume()
	if got := w.follow0(1).next(); got.Ticket != second.ID {
		t.Errorf("%+v", got)
	}
}

// The server finds out by itself that nothing can be written, and sends away who follows.
func TestA3_WhoFollowsIsSentAwayWhenNothingCanBeWritten(t *testing.T) {
	w := newWorld(t)
	a := w.follow0(0)
	w.must(w.Tickets.Close())
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- w.tryOften(ctx) }()
	_, err := io.ReadAll(a.lines) // until it is sent away
	w.must(err)
	if got := w.get("/api/v1/events"); got.status != 503 || !strings.Contains(got.body, "nobody can answer at the moment") {
		t.Errorf("%d %s", got.status, got.body)
	}
	cancel()
	w.must(<-ended)
	if !strings.Contains(w.logged(), "the tickets cannot be written: nobody can answer") {
		t.Error(w.logged())
	}
}
