package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"sync"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/crew"
	"github.com/assent-dev/assent/herald"
	"github.com/assent-dev/assent/internal/room"
	"github.com/assent-dev/assent/metrics"
	"github.com/assent-dev/assent/notify"
	"github.com/assent-dev/assent/session"
)

const metricsUsage = "answer GET /metrics for Prometheus on this address, as HOST:PORT (:PORT is on this machine only)"

// metering is the figures of a process that serves others, and where they are told. A nil one
// counts nothing.
type metering struct {
	figures *metrics.Metrics
	server  *http.Server
	stop    context.CancelFunc
	ended   sync.WaitGroup
}

// meter begins to count, and listens; nil without an address.
func meter(ctx context.Context, address string, tickets *approval.Store, log *slog.Logger) (*metering, error) {
	if address == "" {
		return nil, nil
	}
	l, err := listenForMetrics(address)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	m := &metering{figures: metrics.New(tickets, metrics.Build{Version: thisBuild().Version, Go: runtime.Version()}), stop: stop}
	m.server = &http.Server{
		Handler: m.figures.Handler(), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 5 * time.Second, WriteTimeout: 30 * time.Second,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	const silent = 64 // those who ask for figures say so at once, and nobody signs in
	connections := room.NewConnections(silent, 1)
	connections.Log = log
	connections.Limit(m.server)
	m.ended.Go(func() { m.figures.Follow(ctx) })
	m.ended.Go(func() {
		if err := m.server.Serve(l); !errors.Is(err, http.ErrServerClosed) { // people can answer all the same
			log.Error("metrics cannot be asked for any more", "err", err)
		}
	})
	log.Info("metrics can be asked for", "address", "http://"+l.Addr().String()+"/metrics")
	return m, nil
}

// listenForMetrics listens on this machine, unless another address is named: the figures are no
// secret, and nobody elsewhere needs them who was not meant to.
func listenForMetrics(address string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("--metrics: want HOST:PORT, as in 127.0.0.1:9722, and not %q", address)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, fmt.Errorf("--metrics %s: nothing can listen there: %w (name another port)", address, err)
	}
	return l, nil
}

// close ends it.
func (m *metering) close() {
	if m == nil {
		return
	}
	m.stop()
	_ = m.server.Close() // whoever asks at this moment asks again
	m.ended.Wait()
}

// run lets a session go on, and counts how that ended.
func (m *metering) run(ctx context.Context, resume func() error) error {
	if m == nil {
		return resume()
	}
	ended := m.figures.Run()
	err := resume()
	ended(outcomeOf(ctx, err))
	return err
}

// interrupted counts a session whose process ended in the middle of its work.
func (m *metering) interrupted(string) {
	if m != nil {
		m.figures.Interrupted()
	}
}

// madeRoom counts what a server closes to make room.
func (m *metering) madeRoom(kind room.Kind) {
	if m != nil {
		m.figures.MadeRoom(kind)
	}
}

// watch counts what a server is asked, and what it tells people elsewhere.
func (m *metering) watch(web *http.Server, telling *herald.Telling) {
	if m == nil {
		return
	}
	web.Handler = m.figures.Around(web.Handler)
	send := telling.Send
	telling.Send = func(ctx context.Context, to notify.Target, message notify.Message) notify.Outcome {
		outcome := send(ctx, to, message)
		m.figures.Notified(tellingOf(outcome.Verdict))
		return outcome
	}
}

// tellingOf is what came of an attempt to tell somebody.
func tellingOf(v notify.Verdict) metrics.Telling {
	switch v {
	case notify.Sent:
		return metrics.Told
	case notify.Partly:
		return metrics.PartlyTold
	case notify.Never:
		return metrics.NeverTold
	case notify.Again:
	}
	return metrics.TryAgain
}

// outcomeOf is how a run of a session ended.
func outcomeOf(ctx context.Context, err error) metrics.Outcome {
	_, held := errors.AsType[*session.InUse](err)
	_, told := errors.AsType[*session.Taken](context.Cause(ctx))
	_, found := errors.AsType[*session.Taken](err) // when something was to be recorded
	switch {
	case told, found:
		return metrics.TakenOver
	case ctx.Err() != nil:
		return metrics.Stopped
	case err == nil:
		return metrics.Ended
	case errors.Is(err, crew.ErrNothingLeft):
		return metrics.NothingLeft
	case errors.Is(err, crew.ErrOver):
		return metrics.Over
	case held:
		return metrics.InUse
	}
	return metrics.Failed
}
