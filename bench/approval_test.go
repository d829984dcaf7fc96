package main

import (
	"strings"
	"testing"
	"time"
)

func TestCallsAreParkedAndApproved(t *testing.T) {
	f, err := compareApprovals(5, 2)
	if err != nil {
		t.Fatal(err)
	}
	if f.approval <= 0 || f.commit <= 0 || f.park <= 0 || f.first <= 0 {
		t.Errorf("%+v", f)
	}
}

func TestApprovalBars(t *testing.T) {
	for name, test := range map[string]struct {
		figures approvalFigures
		met     []bool
	}{
		"both":     {approvalFigures{approval: 200, commit: 100, park: 20 * time.Millisecond, first: time.Second}, []bool{true, true}},
		"too late": {approvalFigures{approval: 200, commit: 100, park: 20*time.Millisecond + 1}, []bool{false, true}},
		"too slow": {approvalFigures{approval: 201, commit: 100, park: time.Millisecond}, []bool{true, false}},
		"nothing":  {approvalFigures{}, nil},
	} {
		r := asPromised()
		r.approval = test.figures
		bars := r.approvalBars()
		if len(bars) != len(test.met) {
			t.Fatalf("%s: %+v", name, bars)
		}
		for i, bar := range bars {
			if bar.met != test.met[i] {
				t.Errorf("%s: %+v", name, bar)
			}
		}
	}
	r := asPromised()
	r.approval = approvalFigures{approval: 150 * time.Microsecond, commit: 100 * time.Microsecond, park: 9 * time.Millisecond, first: 12 * time.Millisecond}
	var b strings.Builder
	r.writeApproval(&b)
	for _, want := range []string{"9 ms from the moment", "12 ms in the first one", "1.50×"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in %s", want, b.String())
		}
	}
}
