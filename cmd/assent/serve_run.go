package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"time"

	"github.com/assent-dev/assent/herald"
	"github.com/assent-dev/assent/inbox"
)

// host is a server at work.
type host struct {
	*app
	config  inbox.Config
	door    *door
	hidden  bool // the token comes from a file, and is not shown
	workers int
	resumer *resumer
	telling *herald.Telling
	figures *metering
	old     *retention
}

// run serves until a signal comes, or something breaks.
func (h *host) run(ctx context.Context) error {
	server, err := inbox.New(h.config)
	if err != nil {
		return err
	}
	if h.resumer != nil {
		h.resumer.progress = server.Progress
		if err := h.tellBefore(ctx); err != nil {
			return err
		}
		server.Employ(h.workers)
	}
	web := server.HTTP()
	h.figures.watch(web, h.telling)
	bells, err := herald.New(ctx, herald.Config{Tickets: h.config.Tickets, TakeUp: server.TakeUp, Telling: h.telling, Log: h.config.Log})
	if err != nil {
		return err
	}
	if err := server.Guard(); err != nil { // guards deny then, or go to the tickets themselves
		h.config.Log.Warn("guards of other agents cannot wait here", "err", err)
	}
	ctx, stop := h.untilSignal(ctx)
	defer stop()
	broken := make(chan error, len(h.door.listeners))
	for _, l := range h.door.listeners {
		go func() {
			if err := web.Serve(l); !errors.Is(err, http.ErrServerClosed) {
				broken <- err
			}
		}()
	}
	ran := make(chan error, 1)
	runs, end := context.WithCancel(ctx)
	defer end()
	go func() { ran <- together(runs, server.Run, bells.Work, h.old.run) }()
	if err := h.greet(); err != nil { // nobody can come in, and what runs has its grace
		return errors.Join(err, h.close(web, end, ran))
	}
	h.config.Log.Info("the inbox is open", "address", h.door.address(), "state", h.config.Dir, "workers", h.workers)
	select {
	case <-ctx.Done():
		h.config.Log.Info("the inbox closes")
	case err = <-broken:
	case err = <-ran:
		ran <- nil
	}
	return errors.Join(err, h.close(web, end, ran))
}

// together does several things until the context ends, or one of them fails.
func together(ctx context.Context, all ...func(context.Context) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, len(all))
	for _, do := range all {
		go func() { ended <- do(ctx) }()
	}
	var errs []error
	for range all {
		if err := <-ended; err != nil {
			errs = append(errs, err)
			stop()
		}
	}
	return errors.Join(errs...)
}

// close ends the work: those who follow are sent away, requests get a moment, and runs
// their grace.
func (h *host) close(web *http.Server, end func(), ran <-chan error) error {
	const moment = 5 * time.Second
	end()
	ctx, cancel := context.WithTimeout(context.Background(), moment)
	defer cancel()
	if err := web.Shutdown(ctx); err != nil {
		_ = web.Close()
	}
	return <-ran
}

// greet prints the link, the only place where the token is shown.
func (h *host) greet() error {
	link := h.door.address()
	if !h.hidden {
		link += "#token=" + h.config.Token
	}
	_, err := fmt.Fprintln(h.out, link)
	return err
}

// untilSignal is a context that ends with the first signal. The second one ends the process
// at once.
func (h *host) untilSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	ch, over := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(ch, endings()...)
	go func() {
		select {
		case <-ch:
			cancel()
			dieOfNext(ch, over)
		case <-over:
		}
	}()
	return ctx, func() {
		signal.Stop(ch)
		close(over)
		cancel()
	}
}
