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

// approvalFigures are what it costs to park a call and to approve it. The zero value means
// that nobody has measured it.
type approvalFigures struct {
	// approval is a person's yes in the database, commit one row in one.
	approval, commit time.Duration
	// park is from the answer of the hook that defers the call to the end of the process,
	// first the same where there is no database of tickets yet.
	park, first time.Duration
}

// compareApprovals measures both.
func compareApprovals(approvals, parks int) (approvalFigures, error) {
	dir, err := os.MkdirTemp("", "assent-bench")
	if err != nil {
		return approvalFigures{}, err
	}
	defer os.RemoveAll(dir)
	f, err := measureApprovals(dir, approvals)
	if err != nil {
		return approvalFigures{}, fmt.Errorf("approvals: %w", err)
	}
	if f.first, f.park, err = measureParking(dir, parks); err != nil {
		return approvalFigures{}, fmt.Errorf("parking: %w", err)
	}
	return f, nil
}

func measureApprovals(dir string, n int) (approvalFigures, error) {
	program := filepath.Join(dir, "approval")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", program, filepath.Join("bench", "approval", "main.go"))
	build.Dir, build.Env = "..", append(os.Environ(), "CGO_ENABLED=0") // the program says why
	if text, err := build.CombinedOutput(); err != nil {
		return approvalFigures{}, fmt.Errorf("cannot build it: %w\n%s", err, text)
	}
	out, err := exec.Command(program, filepath.Join(dir, "tickets"), strconv.Itoa(n)).Output()
	if err != nil {
		return approvalFigures{}, err
	}
	var found struct{ Approval, Commit int64 }
	if err := json.Unmarshal(out, &found); err != nil {
		return approvalFigures{}, err
	}
	return approvalFigures{approval: time.Duration(found.Approval), commit: time.Duration(found.Commit)}, nil
}

func (f approvalFigures) ratio() float64 { return float64(f.approval) / float64(f.commit) }

func (r *results) writeApproval(b *strings.Builder) {
	f := r.approval
	if f.commit == 0 {
		return
	}
	fmt.Fprintf(b, "\n## Parking and approving a call\n\n"+
		"A hook on loopback answers `defer`, and the process writes down the call and its ticket, prints its result and ends: %s from the moment before\n"+
		"the hook answers until the end of the process was seen, the median of %d sessions; %s in the first one, which also makes the database.\n\n"+
		"An approval changes the ticket and adds a row of history in one transaction, %s; one row and its commit with the same driver and the same\n"+
		"care (WAL, synchronous FULL) take %s, in turn: %.2f×. Medians of %s.\n",
		nanoseconds(float64(f.park)), r.plan.parks, nanoseconds(float64(f.first)),
		nanoseconds(float64(f.approval)), nanoseconds(float64(f.commit)), f.ratio(), thousands(r.plan.approvals))
}

func (r *results) approvalBars() []bar {
	f := r.approval
	if f.commit == 0 {
		return nil
	}
	return []bar{
		{"from the defer of a hook to the end of the process ≤ 20 ms", fmt.Sprintf("%.1f ms", f.park.Seconds()*1e3), f.park <= mostPark},
		{"an approval ≤ 2× one SQLite FULL commit", fmt.Sprintf("%.2f×", f.ratio()), f.ratio() <= mostApproval},
	}
}
