package alarm

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/internal/testpostgres"
)

// lines is a log whose lines can be read while it is written.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// log is a logger that writes the lines, without the time.
func (l *lines) log() *slog.Logger {
	return slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
}

// One line when the database goes, one a minute, one when it is back; what is wrong while it
// answers is told as it is.
func TestAnOutageIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l lines
		var mu sync.Mutex
		var gone error
		set := func(err error) {
			mu.Lock()
			defer mu.Unlock()
			gone = err
		}
		o := newOutage(l.log(), func(context.Context) error {
			mu.Lock()
			defer mu.Unlock()
			return gone
		})
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		var watching sync.WaitGroup
		watching.Go(func() { o.watch(ctx) })
		river := o.logger().With("part", "producer").WithGroup("of")
		complain := func(d time.Duration) {
			for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
				river.Error("Error fetching jobs", "err", "refused")
			}
			synctest.Wait()
		}
		said := func(want string) {
			t.Helper()
			if got := l.String(); got != want {
				t.Fatalf("got\n%swant\n%s", got, want)
			}
		}
		river.Info("chatter")
		river.Warn("something else")
		synctest.Wait()
		want := "level=WARN msg=\"something else\" part=producer\n"
		said(want)

		set(errors.New("nobody listens"))
		complain(150 * time.Second)
		want += "level=ERROR msg=\"the database does not answer: bells wait until it does\" err=\"nobody listens\"\n" +
			"level=ERROR msg=\"the database still does not answer: bells wait until it does\" for=1m0s err=\"nobody listens\"\n" +
			"level=ERROR msg=\"the database still does not answer: bells wait until it does\" for=2m0s err=\"nobody listens\"\n"
		said(want)

		set(nil)
		complain(5 * time.Second) // what was asked before
		want += "level=INFO msg=\"the database answers again\" after=2m32s\n"
		said(want)
		time.Sleep(lull)
		river.Error("it is full", "n", 1)
		synctest.Wait()
		want += "level=ERROR msg=\"it is full\" part=producer of.n=1\n"
		said(want)

		stop()
		watching.Wait()
		river.Error("in the end")
		said(want + "level=ERROR msg=\"in the end\" part=producer\n")
	})
}

// River says nothing about a server that is away, and what watches for it neither.
func TestAServerThatIsAwayFloodsNoLog(t *testing.T) {
	s := testpostgres.Start(t, testpostgres.Quick)
	b := on(t, s.Database(t))
	var l lines
	ctx, stop := context.WithCancel(t.Context())
	over := make(chan error, 1)
	go func() {
		over <- b.Work(ctx, Config{Hear: map[Kind]func(context.Context, Bell) Outcome{"look": b.done}, Log: l.log()})
	}()
	until := func(text string) {
		t.Helper()
		for end := time.Now().Add(30 * time.Second); !strings.Contains(l.String(), text); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("not %q:\n%s", text, l.String())
			}
		}
	}
	b.set(Bell{Kind: "look", Ticket: "before"})
	b.next(5 * time.Second)
	s.Kill(t)
	until("does not answer")
	s.Again(t)
	until("answers again")
	b.set(Bell{Kind: "look", Ticket: "after"})
	b.next(30 * time.Second)
	stop()
	if err := <-over; err != nil {
		t.Error(err)
	}
	if got := l.String(); strings.Count(got, "\n") != 2 {
		t.Error(got)
	}
}
