// Command bench compares one decision of assent with other policy engines and with
// the shell parser it stands on, and writes what it found as a page of tables.
//
//	go run .          measure, and write ../docs/benchmarks.md
//	go run . -quick   a short look, on standard output only
//	go run . scale    measure only what many sessions in a database cost, and write that part of the page
//
// It never fails because of a timing: the page says which bars were met.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"
)

// plan is how much is measured.
type plan struct {
	sizes       []int // of the policies, smallest first
	effort      effort
	loadRounds  int
	loadLimit   time.Duration // for one policy in one contender
	guardRuns   int           // of each process
	sessionRuns int           // of each program
	sessions    int           // in one process
	records     []int         // of the sessions that are taken up again, fewest first
	// resumeRounds is how often each of those is, parks how many sessions park a call, and
	// approvals how many tickets are approved.
	resumeRounds, parks, approvals int
	// starts is how many calls are approved at a server, tickets how many it has, and
	// followers how many follow it.
	starts, tickets, followers int
	// across is how many calls are approved at a server and run in a worker, cycles how many
	// tickets each worker approves, claims and finishes in a round.
	across, cycles int
	vendor         vendorChoice
}

var (
	full = plan{
		sizes:        []int{10, 1_000, 100_000},
		effort:       effort{rounds: 25, turn: 500 * time.Microsecond, slow: 300 * time.Millisecond},
		loadRounds:   5,
		loadLimit:    10 * time.Second,
		guardRuns:    300,
		sessionRuns:  40,
		sessions:     1000,
		records:      []int{10, 100, 1_000, 10_000, 100_000},
		resumeRounds: 15, parks: 40, approvals: 1000,
		starts: 200, tickets: 1_000_000, followers: 1000,
		across: 200, cycles: 25,
		vendor: withVendor,
	}
	quick = plan{
		sizes:        []int{10, 1_000},
		effort:       effort{rounds: 3, turn: 200 * time.Microsecond, slow: 10 * time.Millisecond},
		loadRounds:   1,
		loadLimit:    5 * time.Second,
		guardRuns:    10,
		sessionRuns:  3,
		sessions:     20,
		records:      []int{10, 1_000},
		resumeRounds: 2, parks: 2, approvals: 20,
		starts: 10, tickets: 10_000, followers: 50,
		across: 5, cycles: 2,
	}
)

func main() {
	short := flag.Bool("quick", false, "small sizes and few rounds, on standard output only")
	page := flag.String("o", "../docs/benchmarks.md", "the page to write")
	flag.Parse()
	if err := run(*short, *page, flag.Args(), os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(short bool, page string, args []string, out, progress io.Writer) error {
	switch {
	case len(args) == 1 && args[0] == "scale" && short:
		return scale("", []crowd{{10, 10, 5}}, out, progress)
	case len(args) == 1 && args[0] == "scale":
		return scale(page, crowds, out, progress)
	case len(args) > 0:
		return errors.New("the only argument is scale; see -help")
	}
	p := full
	if short {
		p = quick
	}
	found, err := p.measure(progress)
	if err != nil {
		return err
	}
	text := found.markdown(time.Now())
	fmt.Fprint(out, text)
	if short {
		return nil
	}
	fmt.Fprintln(progress, "writing", page)
	return writePage(page, text)
}

// results are the figures of one run.
type results struct {
	plan      plan
	took      time.Duration
	decisions []decisions
	shell     []shellFigures
	loading   []loading
	guard     []process
	session   []sessionFigures
	many      manyFigures
	resumes   []resumed
	approval  approvalFigures
	inbox     inboxFigures
	machines  machinesFigures
}

func (p plan) measure(progress io.Writer) (*results, error) {
	start := time.Now()
	r := &results{plan: p}
	step := func(format string, args ...any) {
		fmt.Fprintf(progress, "%6.1fs  %s\n", time.Since(start).Seconds(), fmt.Sprintf(format, args...))
	}
	var err error
	step("the guard as a process, %d times", p.guardRuns)
	if r.guard, err = compareGuard(p.guardRuns); err != nil {
		return nil, err
	}
	step("a session with one call, %d times", p.sessionRuns)
	if r.session, err = compareSessions(p.sessionRuns, p.vendor, progress); err != nil {
		return nil, err
	}
	step("%d sessions in one process", p.sessions)
	if r.many, err = countMany(p.sessions); err != nil {
		return nil, err
	}
	step("sessions of %v records taken up again", p.records)
	if r.resumes, err = compareResumes(p.records, p.resumeRounds); err != nil {
		return nil, err
	}
	step("%d parked calls, %d approvals", p.parks, p.approvals)
	if r.approval, err = compareApprovals(p.approvals, p.parks); err != nil {
		return nil, err
	}
	step("%d approvals at a server, %d tickets, %d clients", p.starts, p.tickets, p.followers)
	if r.inbox, err = compareInbox(p); err != nil {
		return nil, err
	}
	step("%d approvals at a server for a worker, rounds of %d tickets for each of 4 workers", p.across, p.cycles)
	if r.machines, err = compareMachines(p); err != nil {
		return nil, err
	}
	largest := p.sizes[len(p.sizes)-1]
	step("loading %d rules", largest)
	if r.loading, err = compareLoading(largest, p.loadRounds, p.loadLimit); err != nil {
		return nil, err
	}
	step("%d shell commands with %v rules", len(commands), p.sizes)
	if r.shell, err = compareShell(p.sizes, p.effort); err != nil {
		return nil, err
	}
	for _, n := range p.sizes {
		step("%d kinds of call with %d rules", len(workloads), n)
		d, err := compareDecisions(n, p.loadLimit, p.effort)
		if err != nil {
			return nil, err
		}
		r.decisions = append(r.decisions, d...)
	}
	step("done")
	r.took = time.Since(start)
	return r, nil
}
