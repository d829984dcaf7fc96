package main

import (
	"strings"
	"testing"
	"time"
)

func TestSessionsAreTakenUp(t *testing.T) {
	found, err := compareResumes([]int{10, 1_000}, 2)
	if err != nil {
		t.Fatal(err)
	}
	short, long := found[0], found[1]
	if short.records != 10 || long.records != 1_000 || long.bytes < 1<<20 || long.bytes < 20*short.bytes {
		t.Errorf("%+v", found)
	}
	for _, f := range found {
		if f.sum <= 0 || f.verify <= 0 || f.rest <= 0 || f.peak < 1<<20 || f.request < 1<<10 || f.request > 1<<20 {
			t.Errorf("%+v", f)
		}
	}
}

func TestResumeBars(t *testing.T) {
	good := resumed{records: 100_000, bytes: 190 << 20, sum: 100 * time.Millisecond, verify: 150 * time.Millisecond, rest: 50 * time.Millisecond, request: 700 << 10, peak: 64 << 20}
	for name, test := range map[string]struct {
		worsen func(*resumed)
		missed string // words of the bars
	}{
		"none":   {func(*resumed) {}, ""},
		"slow":   {func(f *resumed) { f.verify += time.Millisecond }, "SHA-256"},
		"memory": {func(f *resumed) { f.peak++ }, "64 MB"},
		"late":   {func(f *resumed) { f.rest++ }, "50 ms"},
	} {
		r, f := asPromised(), good
		test.worsen(&f)
		r.resumes = []resumed{{records: 10, sum: 1, verify: 9}, f}
		missed := ""
		for _, bar := range r.resumeBars() {
			if !bar.met {
				missed += bar.promise
			}
		}
		if (missed == "") != (test.missed == "") || !strings.Contains(missed, test.missed) {
			t.Errorf("%s: missed %q", name, missed)
		}
	}
	r := asPromised()
	r.resumes = []resumed{good}
	var b strings.Builder
	r.writeResumes(&b)
	if !strings.Contains(b.String(), "| 100,000 | 190 MB | 100 ms | 150 ms | 1.50× | 50 ms | 700 KB | 64 MB |") {
		t.Error(b.String())
	}
	r.resumes[0].records = 1_000
	if bars := r.resumeBars(); len(bars) != 0 {
		t.Errorf("1,000 records prove nothing: %+v", bars)
	}
}
