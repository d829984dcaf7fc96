package main

import (
	"fmt"
	"time"
)

// What assent promises.
const (
	mostDecide        = time.Microsecond
	mostAllocs        = 0
	mostGrowth        = 3.0
	mostShell         = 3.0 // times the parser
	mostGuard         = 2.0 // times a program that does nothing
	mostLoad          = 200 * time.Millisecond
	mostHeap          = 64 << 20
	mostSession       = 60 * time.Millisecond // more than a program that does nothing
	mostSessionMemory = 45 << 20
	mostEach          = 300 << 10 // of a session beyond the first
	loadBarApplies    = 100_000   // rules; fewer would prove nothing
	manyBarApplies    = 1_000     // sessions; likewise
	mostVerify        = 1.5       // times reading and SHA-256
	mostResumeMemory  = 64 << 20
	mostRest          = 50 * time.Millisecond // from the verification to the first request
	resumeBarApplies  = 100_000               // records
	mostPark          = 20 * time.Millisecond
	mostApproval      = 2.0 // times a commit
)

// bar is a promise and what was measured.
type bar struct {
	promise, measured string
	met               bool
}

func (r *results) bars() []bar {
	all := append(r.decideBars(), r.shellBars()...)
	if r.largest() >= loadBarApplies {
		all = append(all, r.loadBars()...)
	}
	all = append(all, r.guardBars()...)
	all = append(all, r.sessionBars()...)
	all = append(all, r.manyBars()...)
	all = append(all, r.resumeBars()...)
	all = append(all, r.approvalBars()...)
	all = append(all, r.inboxBars()...)
	return append(all, r.machinesBars()...)
}

func (r *results) largest() int { return r.plan.sizes[len(r.plan.sizes)-1] }

func (r *results) decideBars() []bar {
	var slowest, growth float64
	var allocs int
	smallest := map[string]float64{} // by workload, with the fewest rules
	for _, d := range r.decisions {
		own := d.by[0]
		slowest, allocs = max(slowest, own.ns), max(allocs, own.allocs)
		switch d.rules {
		case r.plan.sizes[0]:
			smallest[d.workload] = own.ns
		case r.largest():
			growth = max(growth, own.ns/smallest[d.workload])
		}
	}
	return []bar{
		{"Decide on a tool or path call ≤ 1 µs, at every size", "slowest " + nanoseconds(slowest), slowest <= float64(mostDecide.Nanoseconds())},
		{"Decide allocates nothing", fmt.Sprintf("%d allocations", allocs), allocs == mostAllocs},
		{
			fmt.Sprintf("from %s to %s rules it grows ≤ 3×", thousands(r.plan.sizes[0]), thousands(r.largest())),
			"at most " + times(growth), growth <= mostGrowth,
		},
	}
}

func (r *results) shellBars() []bar {
	var worst float64
	for _, f := range r.shell {
		for _, d := range f.decide {
			worst = max(worst, d.ns/f.parse.ns)
		}
	}
	mean := 0.0
	for i := range r.plan.sizes {
		mean = max(mean, meanRatio(r.shell, i))
	}
	return []bar{
		{"an uncached Bash decision ≤ 3× the parse of its text, each command", "at most " + times(worst), worst <= mostShell},
		{"the same in the mean over the commands", times(mean), mean <= mostShell},
	}
}

// meanRatio is the mean over the commands, with rules of one of the sizes.
func meanRatio(shell []shellFigures, size int) float64 {
	sum := 0.0
	for _, f := range shell {
		sum += f.decide[size].ns / f.parse.ns
	}
	return sum / float64(len(shell))
}

// loadBars are about the first two rows: assent's rules from memory and from a file.
func (r *results) loadBars() []bar {
	var slowest time.Duration
	var heap int64
	for _, l := range r.loading[:2] {
		slowest, heap = max(slowest, l.alone()), max(heap, l.heap)
	}
	return []bar{
		{"loading 100,000 rules ≤ 200 ms", milliseconds(slowest), slowest <= mostLoad},
		{"and ≤ 64 MB of live heap", megabytes(heap), heap <= mostHeap},
	}
}
