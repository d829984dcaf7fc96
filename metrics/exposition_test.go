package metrics

import (
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
)

// The text is what the format says, to the letter.
func TestTheTextFormat(t *testing.T) {
	h := newHistogram("h_seconds", "Times.", 0.5, 10)
	for _, v := range []float64{0, 0.5, 0.6, 10, 1e9} { // a limit counts what is as large as it
		h.Observe(v)
	}
	c := &counters{name: "c_total", help: "With \\ and\na \"line\".", label: "l"}
	c.Begin("b", "a")
	c.Inc("b")
	c.Inc("q\"uo\\te\nline\xff")
	var figures collection
	figures.add(
		h.families, c.families,
		(&counters{name: "nothing_total", help: "Never counted."}).families,
		func() []family { return gauged("b_info", "Two labels.", 1, label{"x", "1"}, label{"y", ""}) },
		func() []family { return gauged("d", "", math.Inf(-1)) },
		func() []family { return gauged("a", "Large.", 1.5e9) },
	)
	const want = `# HELP a Large.
# TYPE a gauge
a 1.5e+09
# HELP b_info Two labels.
# TYPE b_info gauge
b_info{x="1",y=""} 1
# HELP c_total With \\ and\na "line".
# TYPE c_total counter
c_total{l="a"} 0
c_total{l="b"} 1
c_total{l="q\"uo\\te\nline` + "\uFFFD" + `"} 1
# HELP d ` + `
# TYPE d gauge
d -Inf
# HELP h_seconds Times.
# TYPE h_seconds histogram
h_seconds_bucket{le="0.5"} 2
h_seconds_bucket{le="10"} 4
h_seconds_bucket{le="+Inf"} 5
h_seconds_sum 1.0000000111e+09
h_seconds_count 5
`
	got := string(figures.text())
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	families, err := readFamilies(got)
	if err != nil {
		t.Fatal(err)
	}
	if read := families["c_total"]; read.help != c.help || !reflect.DeepEqual(read.samples[2].labels, []label{{"l", "q\"uo\\te\nline\uFFFD"}}) {
		t.Errorf("%+v", read)
	}
}

// Whoever counts and whoever asks do not disturb each other, and nothing is lost.
func TestManyCountAtOnce(t *testing.T) {
	const people, each = 8, 500
	one, many, now := &counter{name: "one"}, &counters{name: "many", label: "l"}, &gauge{name: "now"}
	times := newHistogram("times", "", 1, 2)
	var figures collection
	figures.add(one.families, many.families, times.families)
	var all sync.WaitGroup
	for i := range people {
		all.Go(func() {
			for n := range each {
				one.Inc()
				now.Inc()
				many.Inc(fmt.Sprint(n % 2))
				times.Observe(float64(n % 4))
				now.Dec()
			}
			now.Inc()
			if i == 0 {
				figures.add(now.families)
			}
		})
		all.Go(func() {
			for range 20 {
				if _, err := readFamilies(string(figures.text())); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	families, err := readFamilies(string(figures.text()))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"one": people * each, "now": people, "times": people * each} {
		if got := value(t, families, name, ""); got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	for _, l := range []string{"0", "1"} {
		if got := value(t, families, "many", l); got != people*each/2 {
			t.Errorf("many %s is %v", l, got)
		}
	}
}

// So many may ask at once, and one more is told so; the answer names its format.
func TestTooManyAskAtOnce(t *testing.T) {
	begun, goOn := make(chan struct{}), make(chan struct{})
	var asked atomic.Int32
	var figures collection
	figures.add(func() []family {
		if asked.Add(1) <= 2 {
			begun <- struct{}{}
			<-goOn
		}
		return gauged("a", "", 1)
	})
	h := figures.atOnce(2)
	ask := func() *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
		return w
	}
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			if w := ask(); w.Code != http.StatusOK || w.Header().Get("Content-Type") != "text/plain; version=0.0.4; charset=utf-8" {
				t.Errorf("%d, %v", w.Code, w.Header())
			}
		})
		<-begun
	}
	if w := ask(); w.Code != http.StatusServiceUnavailable {
		t.Errorf("%d: %s", w.Code, w.Body)
	}
	close(goOn)
	both.Wait()
	if w := ask(); w.Code != http.StatusOK {
		t.Errorf("nobody asks any more, and it says %d", w.Code)
	}
}
