//go:build ignore

package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/session"
)

// follow lets many clients follow the changes, makes some, and looks when the last client
// was told.
func follow(p *place, n int) (map[string]int64, error) {
	const rounds = 20
	if err := p.serve(nil); err != nil {
		return nil, err
	}
	told := make(chan time.Time, n)
	failed := make(chan error, n)
	ready := sync.WaitGroup{}
	transport := &http.Transport{MaxConnsPerHost: 0}
	for range n {
		ready.Add(1)
		go func() { failed <- listen(p, transport, ready.Done, told) }()
	}
	ready.Wait()
	var slowest []time.Duration
	for i := range rounds {
		began := time.Now()
		if _, err := p.tickets.Park(context.Background(), approval.Parking{Call: p.call(session.NewID(), i), By: "bench"}); err != nil {
			return nil, err
		}
		last := time.Duration(0)
		for range n {
			select {
			case at := <-told:
				last = max(last, at.Sub(began))
			case err := <-failed:
				return nil, err
			case <-time.After(time.Minute):
				return nil, fmt.Errorf("somebody is not told")
			}
		}
		slowest = append(slowest, last)
	}
	return map[string]int64{"p50": at(slowest, 0.5), "worst": at(slowest, 1)}, nil
}

// listen follows the changes, and tells when each has come.
func listen(p *place, transport *http.Transport, ready func(), told chan<- time.Time) error {
	r, err := http.NewRequest("GET", p.address+"/api/v1/events?after=0", nil)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	resp, err := (&http.Client{Transport: transport}).Do(r)
	ready()
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("a client cannot follow: %s", resp.Status)
	}
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "data: ") {
			told <- time.Now()
		}
	}
	return fmt.Errorf("a client was sent away: %v", lines.Err())
}
