package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"time"

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
	if err := server.Guard(); err != nil { // guards deny then, or go to the tickets themselves
		h.config.Log.Warn("guards of other agents cannot wait here", "err", err)
	}
	ctx, stop := h.untilSignal(ctx)
	defer stop()
	web := server.HTTP()
	broken := make(chan error, 1)
	go func() {
		if err := web.Serve(h.door.listener); !errors.Is(err, http.ErrServerClosed) {
			broken <- err
		}
	}()
	ran := make(chan error, 1)
	runs, end := context.WithCancel(ctx)
	defer end()
	go func() { ran <- server.Run(runs) }()
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
