package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// What several machines promise that share a PostgreSQL.
const (
	mostAcross    = 25 * time.Millisecond
	mostAcross99  = 250 * time.Millisecond
	leastCyclesPG = 0.4 // of the rate of commits, three for a cycle
)

// machinesFigures are those of a server and workers that share a PostgreSQL. The zero value
// means that nobody has measured it.
type machinesFigures struct {
	// across50 and across99 are from an approval at the server to the start of the tool in
	// the worker, requested is the median from the request on.
	across50, across99, requested time.Duration
	// cycle1 is an approval, a claim and the end of a call, by one worker; cycle4 the time
	// for one when four are at it. commit1 and commit4 are the same for one row.
	cycle1, commit1, cycle4, commit4 time.Duration
}

// compareMachines measures all of it, with a PostgreSQL of its own. The figures are zero where
// none is installed.
func compareMachines(p plan) (f machinesFigures, err error) {
	dir, err := os.MkdirTemp("", "assent-bench")
	if err != nil {
		return f, err
	}
	defer os.RemoveAll(dir)
	program, err := buildMachines(dir)
	if err != nil {
		return f, err
	}
	for _, m := range []struct {
		what string
		args []string
		into map[string]*time.Duration
	}{
		{"start", []string{strconv.Itoa(p.across), filepath.Join(dir, "assent")}, map[string]*time.Duration{"p50": &f.across50, "p99": &f.across99, "requested": &f.requested}},
		{"cycles", []string{strconv.Itoa(p.cycles)}, map[string]*time.Duration{"cycle1": &f.cycle1, "commit1": &f.commit1, "cycle4": &f.cycle4, "commit4": &f.commit4}},
	} {
		out, err := exec.Command(program, append([]string{m.what, filepath.Join(dir, m.what)}, m.args...)...).Output()
		if err != nil {
			return f, fmt.Errorf("machines: %s: %w", m.what, said(err))
		}
		var found map[string]int64
		if err := json.Unmarshal(out, &found); err != nil {
			return f, err
		}
		for name, d := range m.into {
			*d = time.Duration(found[name])
		}
	}
	return f, nil
}

// buildMachines builds bench/machines, and assent beside it.
func buildMachines(dir string) (program string, err error) {
	program = filepath.Join(dir, "machines")
	files, err := filepath.Glob(filepath.Join("machines", "*.go"))
	if err != nil {
		return "", err
	}
	args := []string{"build", "-trimpath", "-ldflags", "-s -w", "-o", program}
	for _, file := range files {
		args = append(args, filepath.Join("bench", file))
	}
	build := exec.Command("go", args...)
	build.Dir, build.Env = "..", append(os.Environ(), "CGO_ENABLED=0") // the program says why
	if text, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("machines: cannot build it: %w\n%s", err, text)
	}
	return program, buildFor(dir, "assent", "../cmd/assent")
}

// rates are those of cycles as a part of what commits alone would permit, for one worker and
// for four.
func (f machinesFigures) rates() (one, four float64) {
	part := func(cycle, commit time.Duration) float64 {
		return commitsOfOneCycle * float64(commit) / float64(cycle)
	}
	return part(f.cycle1, f.commit1), part(f.cycle4, f.commit4)
}

// growth is how many times as many cycles four workers make.
func (f machinesFigures) growth() float64 { return float64(f.cycle1) / float64(f.cycle4) }

func (r *results) machinesBars() []bar {
	f := r.machines
	if f.cycle1 == 0 {
		return nil
	}
	one, _ := f.rates()
	return []bar{
		{"PostgreSQL: from an approval at a server to the start of the tool in a worker ≤ 25 ms (p50)", fmt.Sprintf("%.1f ms", f.across50.Seconds()*1e3), f.across50 <= mostAcross},
		{"the same ≤ 250 ms (p99)", fmt.Sprintf("%.1f ms", f.across99.Seconds()*1e3), f.across99 <= mostAcross99},
		{"PostgreSQL: approve, claim, done: ≥ 0.4 of a third of the rate of its commits", fmt.Sprintf("%.2f", one), one >= leastCyclesPG},
		{"four workers make more of them than one", fmt.Sprintf("%.1f×", f.growth()), f.growth() > 1},
	}
}

func (r *results) writeMachines(b *strings.Builder) {
	f := r.machines
	if f.cycle1 == 0 {
		return
	}
	one, four := f.rates()
	fmt.Fprintf(b, "\n## Several machines\n\n"+
		"A server and a worker are two processes that share a PostgreSQL on the same machine, by a socket and with its usual care (fsync). A call is approved\n"+
		"through the API of the server; its tool starts in the worker %s after the approval is given (p99 %s), and %s after the request was sent:\n"+
		"the worker hears of the answer, takes the session, claims the call and records that it runs. %s calls, one after the other.\n\n"+
		"To approve a call, claim it and tell its end takes one worker %s, and one row and its commit %s in the same run, in turn: %s cycles a second, %.2f of\n"+
		"what commits alone would permit. Four workers with connections of their own make %s a second, %.1f times as many, and %.2f of what their commits would.\n"+
		"Medians of 40 rounds in turn; all of it, PostgreSQL as well, has the cores of one machine.\n",
		nanoseconds(float64(f.across50)), nanoseconds(float64(f.across99)), nanoseconds(float64(f.requested)), thousands(r.plan.across),
		nanoseconds(float64(f.cycle1)), nanoseconds(float64(f.commit1)), perSecond(f.cycle1), one,
		perSecond(f.cycle4), f.growth(), four)
}

func perSecond(one time.Duration) string { return thousands(int(float64(time.Second) / float64(one))) }
