package metrics

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// The library of Prometheus would do all of this and more, and costs every start of the program
// a millisecond, also where nobody asks for figures.

// counter is a figure that only grows.
type counter struct {
	name, help string
	n          atomic.Uint64
}

// Inc counts one.
func (c *counter) Inc() { c.n.Add(1) }

func (c *counter) families() []family {
	return []family{{c.name, c.help, counts, []sample{{value: float64(c.n.Load())}}}}
}

// counters are figures that only grow, one for each value of a label.
type counters struct {
	name, help, label string

	mu sync.Mutex
	n  map[string]uint64
}

// Inc counts one with a value of the label.
func (c *counters) Inc(value string) { c.add(value, 1) }

// Begin tells zero for values that have not been counted yet: a figure that is not there cannot
// be told from one that nobody counts.
func (c *counters) Begin(values ...string) {
	for _, value := range values {
		c.add(value, 0)
	}
}

func (c *counters) add(value string, n uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == nil {
		c.n = map[string]uint64{}
	}
	c.n[value] += n
}

func (c *counters) families() []family {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := family{name: c.name, help: c.help, kind: counts}
	for value, n := range c.n {
		f.samples = append(f.samples, sample{labels: []label{{c.label, value}}, value: float64(n)})
	}
	return []family{f}
}

// gauge is a figure that grows and shrinks.
type gauge struct {
	name, help string
	n          atomic.Int64
}

// Inc adds one.
func (g *gauge) Inc() { g.n.Add(1) }

// Dec takes one away.
func (g *gauge) Dec() { g.n.Add(-1) }

func (g *gauge) families() []family { return gauged(g.name, g.help, float64(g.n.Load())) }

// gauged is a figure that was read just now.
func gauged(name, help string, value float64, labels ...label) []family {
	return []family{{name, help, gauges, []sample{{labels: labels, value: value}}}}
}

// histogram says how many values were at most as large as some limits, which rise.
type histogram struct {
	name, help string
	limits     []float64

	mu    sync.Mutex
	cells []uint64 // one for each limit, and one for what is larger than all of them
	sum   float64
}

func newHistogram(name, help string, limits ...float64) *histogram {
	return &histogram{name: name, help: help, limits: limits, cells: make([]uint64, len(limits)+1)}
}

// Observe counts a value.
func (h *histogram) Observe(value float64) {
	cell, _ := slices.BinarySearch(h.limits, value) // the first limit that is not smaller
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cells[cell]++
	h.sum += value
}

func (h *histogram) families() []family {
	h.mu.Lock()
	defer h.mu.Unlock()
	f := family{name: h.name, help: h.help, kind: histograms}
	total := uint64(0)
	for i, n := range h.cells {
		limit := math.Inf(1)
		if i < len(h.limits) {
			limit = h.limits[i]
		}
		total += n // each cell includes those before it
		f.samples = append(f.samples, sample{"_bucket", []label{{"le", number(limit)}}, float64(total)})
	}
	f.samples = append(f.samples, sample{suffix: "_sum", value: h.sum}, sample{suffix: "_count", value: float64(total)})
	return []family{f}
}
