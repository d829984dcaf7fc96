package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// asPromised is a run that meets every bar, exactly.
func asPromised() *results {
	at := func(ns float64) []*figure { return []*figure{{ns: ns}, {ns: 7 * ns, allocs: 11}, nil, {ns: 1e4 * ns}} }
	return &results{
		guard:     []process{{what: "bare", seconds: 0.001}, {what: "guard", seconds: 0.002}},
		plan:      full,
		decisions: []decisions{{"tool", 10, at(300)}, {"tool", 100_000, at(900)}, {"path", 10, at(1000)}, {"path", 100_000, at(1000)}},
		shell:     []shellFigures{{command: "ls | wc", parse: figure{ns: 1000}, decide: []figure{{ns: 2000}, {ns: 3000}, {ns: 3000}}}},
		loading:   []loading{{what: "assent", took: 100 * time.Millisecond, heap: 1 << 20}, {what: "file", took: 200 * time.Millisecond, cpu: 900 * time.Millisecond, heap: 64 << 20}},
	}
}

func TestBarsSayWhatWasMissed(t *testing.T) {
	for _, test := range []struct {
		name   string
		worsen func(r *results)
		missed []string // words of the bars
	}{
		{"none", func(*results) {}, nil},
		{"slow", func(r *results) { r.decisions[2].by[0].ns = 1001 }, []string{"1 µs"}},
		{"allocation", func(r *results) { r.decisions[1].by[0].allocs = 1 }, []string{"allocates"}},
		{"growth", func(r *results) { r.decisions[1].by[0].ns = 910 }, []string{"grows"}},
		{"shell", func(r *results) { r.shell[0].decide[1].ns = 3100 }, []string{"each command", "mean"}},
		{"load", func(r *results) { r.loading[0].took = 201 * time.Millisecond }, []string{"200 ms"}},
		{"a busy machine", func(r *results) { r.loading[0].took, r.loading[0].cpu = time.Second, 150*time.Millisecond }, nil},
		{"heap", func(r *results) { r.loading[1].heap++ }, []string{"64 MB"}},
		{"guard", func(r *results) { r.guard[1].seconds = 0.0021 }, []string{"bare Go program"}},
		{"no hyperfine", func(r *results) { r.guard[1].seconds, r.guard[1].err = 1, errors.New("not installed") }, nil},
	} {
		r := asPromised()
		test.worsen(r)
		var missed []string
		for _, bar := range r.bars() {
			if !bar.met {
				missed = append(missed, bar.promise)
			}
		}
		if len(missed) != len(test.missed) {
			t.Errorf("%s: missed %q, want %q", test.name, missed, test.missed)
			continue
		}
		for i, word := range test.missed {
			if !strings.Contains(missed[i], word) {
				t.Errorf("%s: missed %q, want one about %q", test.name, missed[i], word)
			}
		}
	}
}

func TestReport(t *testing.T) {
	r := asPromised()
	r.decisions[0].workload = workloads[0].name
	r.loading = append(r.loading, loading{what: "cedar-go", err: errors.New("deadline")})
	text := r.markdown(time.Date(2026, 11, 15, 0, 0, 0, 0, time.UTC))
	for _, want := range []string{
		"Measured 2026-11-15",
		"| 300 ns, 0 allocs | 2.1 µs, 11 allocs, **7.0×** | n/a: loading took too long | 3 ms, 0 allocs, **10,000×** |",
		"| `ls \\| wc` | 1 µs, 0 allocs |",
		"| cedar-go | n/a: loading took > 10s |",
		"| file | 200 ms | 900 ms | 64 MB | 2.0× |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
}

func TestWritePageKeepsWhatOthersWrote(t *testing.T) {
	page := filepath.Join(t.TempDir(), "benchmarks.md")
	write := func(text string) string {
		t.Helper()
		if err := writePage(page, text); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		return string(got)
	}
	first := pageBegin + "one\n" + pageEnd
	if got := write(first); got != first {
		t.Fatalf("a new page is %q", got)
	}
	second := pageBegin + "two\n" + pageEnd
	for old, want := range map[string]string{
		"before\n" + first + "## Soak\n": "before\n" + second + "## Soak\n",
		"## Soak\n":                      second + "## Soak\n",
	} {
		if err := os.WriteFile(page, []byte(old), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := write(second); got != want {
			t.Errorf("the page was %q and is %q, want %q", old, got, want)
		}
	}
}
