package metrics

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// contentType names the text format of Prometheus, version 0.0.4, which is all that is spoken
// here: https://prometheus.io/docs/instrumenting/exposition_formats/.
const contentType = "text/plain; version=0.0.4; charset=utf-8"

// kind is how the values of a family are to be understood.
type kind string

const (
	counts     kind = "counter"
	gauges     kind = "gauge"
	histograms kind = "histogram"
)

// family is all samples of one name. One without samples is not told.
type family struct {
	name, help string
	kind       kind
	samples    []sample
}

// sample is one value.
type sample struct {
	suffix string // of the name, in a histogram
	labels []label
	value  float64
}

type label struct{ name, value string }

// source says what its figures are at the moment.
type source func() []family

// collection is everything that is told. It is safe for concurrent use.
type collection struct {
	mu      sync.Mutex
	sources []source
}

func (c *collection) add(sources ...source) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sources = append(c.sources, sources...)
}

// text is all figures, in an order that stays.
func (c *collection) text() []byte {
	c.mu.Lock()
	sources := slices.Clone(c.sources)
	c.mu.Unlock()
	var all []family
	for _, read := range sources { // which may take a while, and others may add and ask meanwhile
		all = append(all, read()...)
	}
	slices.SortFunc(all, func(a, b family) int { return strings.Compare(a.name, b.name) })
	var text []byte
	for _, f := range all {
		text = f.appendTo(text)
	}
	return text
}

// atOnce answers with all figures to so many at once, and turns away the others.
func (c *collection) atOnce(most int) http.Handler {
	places := make(chan struct{}, most)
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		select {
		case places <- struct{}{}:
			defer func() { <-places }()
		default:
			http.Error(w, "too many ask for the figures at once: ask less often", http.StatusServiceUnavailable)
			return
		}
		text := c.text()
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write(text) // whoever has gone away asks again
	})
}

var (
	escapeHelp  = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	escapeLabel = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
)

func (f family) appendTo(text []byte) []byte {
	if len(f.samples) == 0 {
		return text
	}
	if f.kind != histograms { // whose samples are in the order of their limits
		slices.SortFunc(f.samples, func(a, b sample) int {
			return slices.CompareFunc(a.labels, b.labels, func(a, b label) int { return cmp.Compare(a.value, b.value) })
		})
	}
	text = append(text, "# HELP "+f.name+" "+escapeHelp.Replace(f.help)+"\n# TYPE "+f.name+" "+string(f.kind)+"\n"...)
	for _, s := range f.samples {
		text = append(text, f.name+s.suffix...)
		before := "{"
		for _, l := range s.labels {
			text = append(text, before+l.name+`="`+escapeLabel.Replace(strings.ToValidUTF8(l.value, "\uFFFD"))+`"`...)
			before = ","
		}
		if len(s.labels) > 0 {
			text = append(text, '}')
		}
		text = append(text, " "+number(s.value)+"\n"...)
	}
	return text
}

// number writes a value as the format wants it, the ends of the scale as +Inf and -Inf.
func number(value float64) string { return strconv.FormatFloat(value, 'g', -1, 64) }
