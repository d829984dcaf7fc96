package main

import (
	"cmp"
	"runtime"
	"slices"
	"time"
)

// runner is one of the things that are timed side by side.
type runner struct {
	name string
	// inputs is how many there are; they are taken in turn.
	inputs int
	run    func(i int)
}

// figure is what one runner needed for one operation.
type figure struct {
	ns     float64 // median over the rounds
	allocs int     // rounded down
}

// effort bounds how long measuring takes.
type effort struct {
	rounds int
	// turn is how long a runner goes on in one round. It is short, so that most
	// turns fit between two interruptions of a busy machine.
	turn time.Duration
	// slow bounds the rounds of a runner whose single operation is longer than a
	// turn.
	slow time.Duration
}

// compare times the runners in rounds, each one's turn after the other, so that
// whatever else the machine does hits all of them alike.
func (e effort) compare(runners []runner) []figure {
	races := make([]race, len(runners))
	for i, r := range runners {
		races[i] = e.warmUp(r)
	}
	for round := range e.rounds {
		for i := range races {
			// Each round starts with another one: a process that has run for a few
			// milliseconds is interrupted, always at about the same place.
			r := &races[(round+i)%len(races)]
			if r.spent < e.slow || len(r.times) < 3 {
				r.turn()
			}
		}
	}
	figures := make([]figure, len(races))
	for i := range races {
		figures[i] = races[i].figure()
	}
	return figures
}

// race is one runner on its way through the rounds.
type race struct {
	runner
	next       int // the input whose turn it is
	operations int // in one turn
	times      []float64
	allocs     []int
	spent      time.Duration
}

// warmUp finds out how many operations fill a turn.
func (e effort) warmUp(r runner) race {
	c := race{runner: r, operations: 1}
	for {
		took := c.fastest(5)
		if took >= e.turn/2 {
			c.operations = max(1, int(float64(c.operations)*float64(e.turn)/float64(took)))
			return c
		}
		c.operations *= 2
	}
}

// fastest is the least time of a few tries: the first of all is slow, and one that
// was interrupted would make every turn too short.
func (r *race) fastest(tries int) time.Duration {
	const enough = 200 * time.Millisecond
	least := r.loop(r.operations)
	for spent := least; tries > 1 && spent < enough; tries-- {
		took := r.loop(r.operations)
		least, spent = min(least, took), spent+took
	}
	return least
}

func (r *race) turn() {
	r.loop(r.operations / 8) // the others have filled the caches with theirs
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	took := r.loop(r.operations)
	runtime.ReadMemStats(&after)
	r.times = append(r.times, float64(took.Nanoseconds())/float64(r.operations))
	r.allocs = append(r.allocs, int(after.Mallocs-before.Mallocs)/r.operations)
	r.spent += took
}

func (r *race) loop(operations int) time.Duration {
	start := time.Now()
	for range operations {
		r.run(r.next)
		if r.next++; r.next == r.inputs {
			r.next = 0
		}
	}
	return time.Since(start)
}

func (r *race) figure() figure {
	return figure{ns: median(r.times), allocs: median(r.allocs)}
}

func median[T cmp.Ordered](list []T) T {
	slices.Sort(list)
	return list[len(list)/2]
}
