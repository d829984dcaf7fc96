package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/settings"
	"github.com/assent-dev/assent/tool"
)

// loading is what it takes to get from the text of a policy to the first decision.
type loading struct {
	what string
	took time.Duration // by the clock, median
	cpu  time.Duration // of all cores, median; 0 when it is not known
	heap int64         // bytes that stay alive, median
	err  error         // why there are no figures
}

// alone is the best guess at how long it takes when nobody else uses the machine:
// the clock counts the neighbours, CPU time counts what the collector does on
// another core meanwhile.
func (l loading) alone() time.Duration {
	if l.cpu == 0 {
		return l.took
	}
	return min(l.took, l.cpu)
}

// ready is anything that was loaded.
type ready any

// cargo is a policy that is loaded again and again.
type cargo struct {
	what string
	load func(ctx context.Context) (ready, error)
	took []time.Duration
	cpu  []time.Duration
	heap []int64
	err  error
}

// compareLoading loads a policy into every entrant, and from a settings file.
func compareLoading(rules, rounds int, limit time.Duration) ([]loading, error) {
	policy := statements(rules)
	var all []*cargo
	for _, e := range entrants {
		load := e.write(policy)
		all = append(all, &cargo{what: e.name, load: func(ctx context.Context) (ready, error) { return load(ctx) }})
	}
	dir, err := os.MkdirTemp("", "assent-bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	options, err := writeSettings(dir, policy)
	if err != nil {
		return nil, err
	}
	fromFile := &cargo{what: "assent, from a settings file", load: func(context.Context) (ready, error) { return loadSettings(options, rules) }}
	return measureLoading(slices.Insert(all, 1, fromFile), rounds, limit)
}

// measureLoading takes turns, as with decisions. Who needs too long gets no second
// chance.
func measureLoading(all []*cargo, rounds int, limit time.Duration) ([]loading, error) {
	for range rounds {
		for _, c := range all {
			if c.err == nil {
				c.turn(limit)
			}
			if c.err != nil && !errors.Is(c.err, context.DeadlineExceeded) {
				return nil, fmt.Errorf("%s: %w", c.what, c.err)
			}
		}
	}
	var figures []loading
	for _, c := range all {
		figures = append(figures, c.figures())
	}
	return figures, nil
}

func (c *cargo) turn(limit time.Duration) {
	before := liveHeap()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	start, used := time.Now(), cpuTime()
	kept, err := c.load(ctx)
	c.cpu = append(c.cpu, cpuTime()-used)
	c.took, c.err = append(c.took, time.Since(start)), err
	c.heap = append(c.heap, liveHeap()-before)
	runtime.KeepAlive(kept)
}

func (c *cargo) figures() loading {
	return loading{what: c.what, took: median(c.took), cpu: median(c.cpu), heap: median(c.heap), err: c.err}
}

func liveHeap() int64 {
	runtime.GC()
	runtime.GC() // what finalizers and pools let go of in the first one
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// writeSettings writes the policy as the settings file of a user.
func writeSettings(dir string, policy []statement) (settings.Options, error) {
	lists := map[string][]string{}
	for _, s := range policy {
		r := s.rule()
		lists[r.behavior.String()] = append(lists[r.behavior.String()], r.text)
	}
	data, err := json.MarshalIndent(map[string]any{"permissions": lists}, "", "  ")
	if err != nil {
		return settings.Options{}, err
	}
	options := settings.Options{Dir: filepath.Join(dir, "project"), Home: filepath.Join(dir, "home"), ManagedFiles: []string{}}
	file := filepath.Join(options.Home, ".claude", "settings.json")
	for _, d := range []string{options.Dir, filepath.Dir(file)} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return settings.Options{}, err
		}
	}
	return options, os.WriteFile(file, data, 0o600)
}

// started is what a program holds on to after its start.
type started struct {
	settings *settings.Settings
	context  *permission.Context
}

func loadSettings(options settings.Options, rules int) (*started, error) {
	s, err := settings.Load(options)
	if err != nil {
		return nil, err
	}
	config := s.Config()
	if got := len(config.Rules); got != rules {
		return nil, fmt.Errorf("%d rules were read from %s, want %d", got, rule.UserSettings, rules)
	}
	ctx, err := permission.NewContext(config)
	if err != nil {
		return nil, err
	}
	tools, err := tool.NewSet(tool.Builtin()...)
	if err != nil {
		return nil, err
	}
	a := &assent{permission.NewEngine(withServers{tools}, permission.NoLinks{}), ctx}
	return &started{s, ctx}, a.firstDecisions(ctx)
}
