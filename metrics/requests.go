package metrics

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/assent-dev/assent/internal/room"
)

// refusals are the statuses of requests that were turned away: no token, not allowed, another
// name of the server, too many.
var refusals = []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusMisdirectedRequest, http.StatusTooManyRequests}

// Around counts who follows the changes through a handler, and whom it turns away.
func (m *Metrics) Around(next http.Handler) http.Handler {
	m.serves.Do(func() {
		for _, status := range refusals {
			m.refused.Begin(strconv.Itoa(status))
		}
		for _, kind := range room.Kinds {
			m.crowded.Begin(string(kind))
		}
		m.figures.add(m.streams.families, m.refused.families, m.crowded.families)
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen := &witness{ResponseWriter: w, streams: &m.streams, refused: &m.refused}
		defer seen.leave()
		next.ServeHTTP(seen, r)
	})
}

// MadeRoom counts a connection or a stream that was closed for a newer one.
func (m *Metrics) MadeRoom(kind room.Kind) { m.crowded.Inc(string(kind)) }

// witness sees how a request is answered.
type witness struct {
	http.ResponseWriter
	streams   *gauge
	refused   *counters
	begun     bool
	following bool
}

// Unwrap lets others find what the writer can do besides.
func (w *witness) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader begins the answer.
func (w *witness) WriteHeader(status int) {
	w.begin(status)
	w.ResponseWriter.WriteHeader(status)
}

func (w *witness) Write(text []byte) (int, error) {
	w.begin(http.StatusOK)
	return w.ResponseWriter.Write(text)
}

func (w *witness) begin(status int) {
	if w.begun || status < http.StatusOK { // which is no answer yet
		return
	}
	w.begun = true
	for _, one := range refusals {
		if status == one {
			w.refused.Inc(strconv.Itoa(status))
		}
	}
	if strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream") {
		w.following = true
		w.streams.Inc()
	}
}

func (w *witness) leave() {
	if w.following {
		w.streams.Dec()
	}
}
