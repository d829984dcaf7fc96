package alarm

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/testpostgres"
)

// TestMain is also the other process of some tests: one that hears bells, see [another].
func TestMain(m *testing.M) {
	if address := os.Getenv(elsewhere); address != "" {
		if err := hearElsewhere(address); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	testpostgres.Main(m)
}

// elsewhere is the variable with the database whose bells another process hears.
const elsewhere = "ASSENT_TEST_ALARM"

// hearElsewhere prints what it hears. A bell with the argument "hang" is never done.
func hearElsewhere(address string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	db, err := open(ctx, address)
	if err != nil {
		return err
	}
	defer db.Close()
	a, err := On(ctx, db)
	if err != nil {
		return err
	}
	var one sync.Mutex
	hear := func(ctx context.Context, b Bell) Outcome {
		one.Lock()
		fmt.Println("heard", b.Ticket)
		one.Unlock()
		if b.Arg == "hang" {
			<-ctx.Done()
			return Again{}
		}
		return Done{}
	}
	fmt.Println("ready")
	return a.Work(ctx, Config{Hear: map[Kind]func(context.Context, Bell) Outcome{"look": hear}, Log: slog.New(slog.NewTextHandler(os.Stderr, nil))})
}

func open(ctx context.Context, address string) (*database.DB, error) {
	if database.IsAddress(address) {
		return database.Connect(ctx, address)
	}
	return database.OpenFile(address)
}

// each does a test with either kind of database.
func each(t *testing.T, do func(t *testing.T, address string)) {
	t.Parallel() // most of them wait
	alone(t, func(t *testing.T, address string) {
		t.Parallel()
		do(t, address)
	})
}

// alone is each for a test that wants to know what is left of it in this process.
func alone(t *testing.T, do func(t *testing.T, address string)) {
	t.Run("SQLite", func(t *testing.T) { do(t, filepath.Join(t.TempDir(), "bells.db")) })
	t.Run("PostgreSQL", func(t *testing.T) { do(t, testpostgres.Database(t)) })
}

// bells is an alarm on a database, with who hears it.
type bells struct {
	*Alarm
	t     *testing.T
	heard chan Bell
}

func on(t *testing.T, address string) *bells {
	t.Helper()
	db, err := open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	a, err := On(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return &bells{a, t, make(chan Bell, 1000)}
}

func (b *bells) set(all ...Bell) {
	b.t.Helper()
	err := b.db.Within(b.t.Context(), func(tx *database.Tx) error { return b.Set(b.t.Context(), tx, all...) })
	if err != nil {
		b.t.Fatal(err)
	}
}

// workAlone is work, of which nothing is left in the end.
func (b *bells) workAlone(hear func(context.Context, Bell) Outcome) (end func()) {
	b.t.Helper()
	before := goleak.IgnoreCurrent()
	server := goleak.IgnoreAnyFunction("github.com/assent-dev/assent/internal/testpostgres.(*Server).run.func1")
	end = b.work(hear)
	b.t.Cleanup(func() {
		end()
		goleak.VerifyNone(b.t, before, server)
	})
	return end
}

// work hears bells until the function is called that it returns, or the test ends.
func (b *bells) work(hear func(context.Context, Bell) Outcome) (end func()) {
	b.t.Helper()
	ctx, stop := context.WithCancel(b.t.Context())
	over := make(chan error)
	go func() {
		for {
			err := b.Work(ctx, Config{
				Hear: map[Kind]func(context.Context, Bell) Outcome{"look": hear, "tell": hear},
				Log:  slog.New(slog.NewTextHandler(b.t.Output(), nil)),
			})
			// The first bells are heard before all of it has begun, and a server that a test kills then
			// is away: whoever wants bells heard begins again.
			if away, is := errors.AsType[*database.Unusable](err); !is || !away.Passing() || ctx.Err() != nil {
				over <- err
				return
			}
		}
	}()
	end = sync.OnceFunc(func() {
		stop()
		if err := <-over; err != nil {
			b.t.Error(err)
		}
	})
	b.t.Cleanup(end)
	return end
}

// done hears a bell and is done with it.
func (b *bells) done(_ context.Context, it Bell) Outcome {
	b.heard <- it
	return Done{}
}

// next is the next bell that is heard.
func (b *bells) next(patience time.Duration) Bell {
	b.t.Helper()
	select {
	case it := <-b.heard:
		return it
	case <-time.After(patience):
		b.t.Fatalf("nothing was heard in %s", patience)
		return Bell{}
	}
}

// silent: nothing more is heard, and nothing waits.
func (b *bells) silent() {
	b.t.Helper()
	b.pending()
	select {
	case it := <-b.heard:
		b.t.Errorf("heard %+v", it)
	default:
	}
}

// pending polls until the bells that are not over are these.
func (b *bells) pending(want ...Count) {
	b.t.Helper()
	end := time.Now().Add(10 * time.Second)
	for {
		got, err := b.Pending(b.t.Context())
		if err != nil {
			b.t.Fatal(err)
		}
		if fmt.Sprint(got) == fmt.Sprint(want) {
			return
		}
		if time.Now().After(end) {
			b.t.Fatalf("pending: %v, want %v", got, want)
		}
		time.Sleep(10 * time.Millisecond)
	}
}
