package main

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// A session is measured only if it has done its work.
func TestSessionsAreRun(t *testing.T) {
	figures, err := compareSessions(2, withoutVendor, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	bare, own, vendor := figures[0], figures[1], figures[2]
	if bare.seconds <= 0 || own.seconds <= bare.seconds || own.peak <= bare.peak || bare.peak < 1<<20 {
		t.Errorf("bare %+v, assent %+v", bare, own)
	}
	if vendor.err == nil {
		t.Error("the vendor's command line was not left out")
	}
}

func TestASessionThatDoesNotRunTheCommandFails(t *testing.T) {
	api, err := startModel()
	if err != nil {
		t.Fatal(err)
	}
	defer api.close()
	s := &stage{dir: t.TempDir(), api: api}
	if err := errors.Join(s.prepare(), buildFor(s.dir, "peak", "./peak")); err != nil {
		t.Fatal(err)
	}
	for want, command := range map[string][]string{
		"did not do": {"echo", farewell},
		"failed":     {"false", "-p"},
	} {
		c := &contestant{command: command}
		if s.run(c, true); c.err == nil || !strings.Contains(c.err.Error(), want) || len(c.took) > 0 {
			t.Errorf("%q: %v", command, c.err)
		}
	}
}

func TestSessionBars(t *testing.T) {
	for name, test := range map[string]struct {
		seconds float64
		peak    int64
		met     []bool
	}{
		"both":     {0.061, 45 << 20, []bool{true, true}},
		"too slow": {0.0612, 45 << 20, []bool{false, true}},
		"too much": {0.061, 45<<20 + 1, []bool{true, false}},
	} {
		r := asPromised()
		r.session = []sessionFigures{{what: "bare", seconds: 0.001, peak: 3 << 20}, {what: "assent", seconds: test.seconds, peak: test.peak}, {what: "other", err: errors.New("npm is not installed")}}
		for i, bar := range r.sessionBars() {
			if bar.met != test.met[i] {
				t.Errorf("%s: %+v", name, bar)
			}
		}
		var b strings.Builder
		r.writeSession(&b)
		if !strings.Contains(b.String(), "| other | n/a: npm is not installed |") || !strings.Contains(b.String(), "| bare | 1.0 ms | 0.0 ms | 3 MB |") {
			t.Errorf("%s: %s", name, b.String())
		}
	}
}
