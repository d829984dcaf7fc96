//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// work is what the second process does: it lets workers try scripts until the time is up.
func (o *options) work() error {
	debug.SetMaxStack(128 << 20) // an endless recursion ends before it has used up the memory
	f := &figures{ran: make([]atomic.Int64, len(shells))}
	workers, err := o.makeWorkers(f)
	if err != nil {
		return err
	}
	fmt.Printf("fuzzbash: seed %d, %d workers, %v\n", o.seed, o.workers, o.time)
	begin := time.Now()
	stop := make(chan struct{})
	go watch(o.root, workers, f, begin, stop)
	if o.seeds {
		if err := replay(workers[0]); err != nil {
			return err
		}
	}
	var all sync.WaitGroup
	errs := make([]error, len(workers))
	for i, w := range workers {
		all.Go(func() { errs[i] = w.work(begin.Add(o.time)) })
	}
	all.Wait()
	close(stop)
	fmt.Println("fuzzbash:", f)
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if f.total > 0 {
		return errFound
	}
	return nil
}

func (o *options) makeWorkers(f *figures) ([]*worker, error) {
	c := confinement(o.confine)
	use := []*shell{&shells[0], &shells[0], &shells[1], &shells[1], &shells[2], shellNamed("zsh")}
	if c.mounts() {
		if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
			return nil, errors.Join(errUnconfined, err)
		}
	}
	programs, err := newStore(o.root + "/store")
	if err != nil {
		return nil, err
	}
	var workers []*worker
	for i := range o.workers {
		s, err := o.sandbox(programs, c, i)
		if err != nil {
			return nil, err
		}
		w, err := newWorker(o.root, i, s, o.seed, f, use)
		if err != nil {
			return nil, err
		}
		workers = append(workers, w)
	}
	return workers, nil
}

// sandbox makes the place of a worker, and tries it; nil where no script can be confined.
func (o *options) sandbox(programs *store, c confinement, worker int) (*sandbox, error) {
	if c == byNone {
		if worker == 0 {
			fmt.Println("fuzzbash: scripts are judged and do not run: that needs root, or name spaces for users")
		}
		return nil, nil
	}
	s, err := newSandbox(fmt.Sprintf("%s/jail-%d", o.root, worker), programs, c, c.user(worker))
	if err == nil {
		_, err = s.run(&shells[0], ":")
	}
	if err != nil {
		return nil, errors.Join(errUnconfined, err)
	}
	return s, nil
}

// stuck is how long a judgement may take before it is given up. The machine may have much other work.
const stuck = 3 * time.Minute

// watch says every ten seconds how far it is, and ends the process when a judgement does not end.
func watch(root string, workers []*worker, f *figures, begin time.Time, stop chan struct{}) {
	ticks := time.NewTicker(10 * time.Second)
	defer ticks.Stop()
	for {
		select {
		case <-stop:
			return
		case <-ticks.C:
		}
		fmt.Fprintf(os.Stderr, "%4.0fs %v\n", time.Since(begin).Seconds(), f)
		for i, w := range workers {
			if began := w.began.Load(); began != 0 && time.Since(time.Unix(0, began)) > stuck {
				f.add(finding{kind: "crash", what: "the judgement does not end", shell: &shells[0], script: noted(noteOf(root, i)), source: w.source.Load().(string)})
				fmt.Println("fuzzbash:", f)
				os.Exit(1)
			}
		}
	}
}
