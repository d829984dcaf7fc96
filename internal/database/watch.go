package database

import (
	"context"
	"os"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// channel is where PostgreSQL tells others that there is news.
const channel = "assent"

// Watch tells, until the context ends, when there may be news: something that was changed by
// whomever, in this process or another, and that [Tx.News] was said about. It may tell too
// often, and never much too late.
func (d *DB) Watch(ctx context.Context) <-chan struct{} {
	news := make(chan struct{}, 1)
	if d.kind == PostgreSQL {
		go listen(ctx, d.pool, news)
	} else {
		go surface{path: d.name + "-wal"}.watch(ctx, news)
	}
	return news
}

func tell(news chan<- struct{}) {
	select {
	case news <- struct{}{}:
	default: // somebody has been told, and has not looked yet
	}
}

// surface is the log of SQLite's changes as it looks from outside: as long as nobody writes
// there, nobody needs to ask the database, which costs much more.
type surface struct {
	path          string
	size          int64
	written, last time.Time
}

func (l surface) watch(ctx context.Context, news chan<- struct{}) {
	const interval = 100 * time.Millisecond
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if l.moved(time.Now()) {
				tell(news)
			}
		}
	}
}

// moved: something may be there since somebody looked last. A change is seen a little later
// than it is written, and the time of a file is not exact, so what was written a moment ago
// may still come. Now and then the answer is yes in any case.
func (l *surface) moved(now time.Time) bool {
	const settles, most = time.Second, 5 * time.Second
	size, written := int64(-1), time.Time{}
	if info, err := os.Stat(l.path); err == nil {
		size, written = info.Size(), info.ModTime()
	}
	same := size == l.size && written.Equal(l.written)
	if l.size, l.written = size, written; same && now.Sub(written) > settles && now.Sub(l.last) < most {
		return false
	}
	l.last = now
	return true
}

// listen hears what PostgreSQL tells. What is told while nobody is connected is lost, so now
// and then there may be news in any case.
func listen(ctx context.Context, pool *pgxpool.Pool, news chan<- struct{}) {
	const again, nowAndThen = 200 * time.Millisecond, time.Second
	for ctx.Err() == nil {
		hear(ctx, pool, nowAndThen, news)
		tell(news)
		select {
		case <-ctx.Done():
		case <-time.After(again):
		}
	}
}

// hear listens on one connection until it breaks.
func hear(ctx context.Context, pool *pgxpool.Pool, nowAndThen time.Duration, news chan<- struct{}) {
	pooled, err := pool.Acquire(ctx)
	if err != nil {
		return
	}
	conn := pooled.Hijack() // the pool may have another one for those who ask
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
		return
	}
	tell(news) // what came before
	for {
		wait, stop := context.WithTimeout(ctx, nowAndThen)
		_, err := conn.WaitForNotification(wait)
		late := wait.Err() != nil
		stop()
		if ctx.Err() != nil || err != nil && !late || conn.IsClosed() {
			return
		}
		tell(news)
	}
}

// telling tells others of news, in its own time: a transaction that told them itself would
// wait for all others that do.
type telling struct {
	pool   *pgxpool.Pool
	wanted chan struct{}
	quit   context.CancelFunc
	over   chan struct{}
}

func startTelling(pool *pgxpool.Pool) *telling {
	ctx, quit := context.WithCancel(context.Background())
	t := &telling{pool, make(chan struct{}, 1), quit, make(chan struct{})}
	go t.run(ctx)
	return t
}

// pause is how long what comes is collected, after others were told.
const pause = 5 * time.Millisecond

func (t *telling) run(ctx context.Context) {
	defer close(t.over)
	for {
		select {
		case <-t.wanted:
			t.tell()
			_ = pauseFor(ctx, pause) // the end is seen below
		case <-ctx.Done():
			select {
			case <-t.wanted:
				t.tell()
			default:
			}
			return
		}
	}
}

// tell tells others. Nobody waits until that is on a disk, and what goes wrong is found now
// and then.
func (t *telling) tell() {
	ctx, stop := context.WithTimeout(context.Background(), 5*time.Second)
	defer stop()
	_, _ = t.pool.Exec(ctx, "BEGIN; SET LOCAL synchronous_commit = off; NOTIFY "+channel+"; COMMIT")
}

// stop tells what is still to be told.
func (t *telling) stop() {
	t.quit()
	<-t.over
}
