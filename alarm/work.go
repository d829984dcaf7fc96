package alarm

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	queue "github.com/riverqueue/river"
)

// Config says who hears bells.
type Config struct {
	// Hear is who hears the bells of each kind. Those of other kinds wait for a process that
	// hears them. The context ends after [Patience], and when the process ends.
	Hear map[Kind]func(context.Context, Bell) Outcome
	// Log hears what goes wrong; nil for nobody.
	Log *slog.Logger
	// Most is how many bells of each kind are heard at the same time; 0 means 16.
	Most int
}

const (
	// Patience is how long one may take to hear a bell. Then its context ends, and a moment
	// later the bell rings again, perhaps in another process.
	Patience = 8 * time.Second
	// lost is when a bell that is being heard counts as lost with the process that heard it.
	lost = Patience + 2*time.Second
	// finish and drain are how long those who hear a bell may go on when no more are taken,
	// and how long that may last altogether.
	finish, drain = 7 * time.Second, 9 * time.Second
)

// Work hears bells until the context ends, and waits then for those that are being heard.
func (a *Alarm) Work(ctx context.Context, c Config) error {
	if len(c.Hear) == 0 {
		return errors.New("nobody is there to hear a bell: name who hears which kind")
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Most == 0 {
		c.Most = 16
	}
	return a.db.Explain(a.clock.work(ctx, c))
}

func (r *river[T]) work(ctx context.Context, c Config) error {
	if ctx.Err() != nil {
		return nil
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop() // also what watches for a client that could not be started
	away := newOutage(c.Log, r.answers)
	client, err := queue.NewClient(r.hearing(ctx, slices.Collect(maps.Keys(c.Hear))), r.config(c, away.logger()))
	if err != nil {
		return err
	}
	if err := client.Start(ctx); err != nil {
		return fmt.Errorf("bells cannot be heard: %w", err)
	}
	var watching sync.WaitGroup
	watching.Go(func() { away.watch(ctx) })
	c.Log = away.logger()
	watching.Go(func() { r.watch(ctx, c) })
	<-ctx.Done()
	watching.Wait()
	late := time.NewTimer(drain)
	defer late.Stop()
	select {
	case <-client.Stopped():
		return nil
	case <-late.C:
		return fmt.Errorf("somebody still hears a bell %s after the end: it will ring again in another process", drain)
	}
}

// answers: the database does, if there is no error.
func (r *river[T]) answers(ctx context.Context) error {
	_, err := r.some(ctx, "SELECT 1")
	return r.db.Explain(err)
}

// config is how River works, and log hears what it has to say.
func (r *river[T]) config(c Config, log *slog.Logger) *queue.Config {
	workers := queue.NewWorkers()
	queue.AddWorker(workers, &ear[T]{river: r, Config: c})
	queues := map[string]queue.QueueConfig{}
	for kind := range c.Hear {
		queues[string(kind)] = queue.QueueConfig{MaxWorkers: c.Most}
	}
	return &queue.Config{
		Workers:                     workers,
		Queues:                      queues,
		Logger:                      log,
		FetchCooldown:               cooldown,
		FetchPollInterval:           poll,
		JobTimeout:                  Patience,
		RescueStuckJobsAfter:        6 * lost, // watch finds them before
		RetryPolicy:                 later{},
		MaxAttempts:                 tries,
		SoftStopTimeout:             finish,
		CompletedJobRetentionPeriod: time.Hour,
		CancelledJobRetentionPeriod: time.Hour,
		DiscardedJobRetentionPeriod: time.Hour, // only the second of two that are the same
	}
}
