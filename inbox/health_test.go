package inbox

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
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
