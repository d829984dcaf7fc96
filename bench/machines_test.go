package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestMachinesAreMeasured(t *testing.T) {
	installed, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if _, err := exec.LookPath("postgres"); err != nil && len(installed) == 0 {
		t.Skip("PostgreSQL is not installed (scripts/setup installs it)")
	}
	f, err := compareMachines(plan{across: 2, cycles: 3})
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range map[string]time.Duration{
		"p50": f.across50, "p99": f.across99, "requested": f.requested - f.across50,
		"cycle": f.cycle1, "commit": f.commit1, "cycle of four": f.cycle4, "commit of four": f.commit4,
	} {
		if d <= 0 {
			t.Errorf("%s: %v", name, d)
		}
	}
}

func TestMachinesBars(t *testing.T) {
	good := machinesFigures{
		across50: 25 * time.Millisecond, across99: 250 * time.Millisecond, requested: 30 * time.Millisecond,
		cycle1: 750, commit1: 100, cycle4: 250, commit4: 50,
	}
	for name, test := range map[string]struct {
		worsen func(*machinesFigures)
		missed string
		bars   int
	}{
		"none":           {func(*machinesFigures) {}, "", 4},
		"late":           {func(f *machinesFigures) { f.across50++ }, "p50", 4},
		"late sometimes": {func(f *machinesFigures) { f.across99++ }, "p99", 4},
		"slow":           {func(f *machinesFigures) { f.cycle1 = 760 }, "approve, claim, done", 4},
		"four are slow":  {func(f *machinesFigures) { f.cycle4 = 750 }, "four workers", 4},
		"nothing":        {func(f *machinesFigures) { *f = machinesFigures{} }, "", 0},
	} {
		r := asPromised()
		r.machines = good
		test.worsen(&r.machines)
		bars, missed := r.machinesBars(), ""
		for _, b := range bars {
			if !b.met {
				missed += b.promise
			}
		}
		if len(bars) != test.bars || (missed == "") != (test.missed == "") || !strings.Contains(missed, test.missed) {
			t.Errorf("%s: missed %q of %d", name, missed, len(bars))
		}
	}
	r := asPromised()
	r.machines = good
	var b strings.Builder
	r.writeMachines(&b)
	for _, want := range []string{"in the worker 25 ms after the approval", "p99 250 ms", "0.40 of\nwhat commits", "3.0 times as many", "0.60 of what their commits"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in %s", want, b.String())
		}
	}
}
