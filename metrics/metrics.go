package metrics

import (
	"net/http"
	"runtime"
	"sync"
	"time"

	"github.com/assent-dev/assent/approval"
)

// Metrics are the figures of one process. They are safe for concurrent use.
type Metrics struct {
	tickets *approval.Store
	figures collection

	answers, runs, notified counters
	waited, started         *histogram
	unknowns, unheardOf     counter
	interrupted             counter
	running                 gauge

	serves  sync.Once // a process that serves nobody has no figures about requests
	streams gauge
	refused counters
	crowded counters
}

// Build is the program that runs.
type Build struct{ Version, Go string }

// New makes the figures of a process that works with some tickets.
func New(tickets *approval.Store, build Build) *Metrics {
	m := &Metrics{
		tickets:  tickets,
		answers:  counters{name: "assent_answers_total", help: "Answers to calls that waited, whoever gave them, by what was decided.", label: "decision"},
		runs:     counters{name: "assent_runs_total", help: "Runs of sessions in this process, by how they ended.", label: "outcome"},
		notified: counters{name: "assent_notifications_total", help: "Attempts to tell people elsewhere, by what came of them.", label: "outcome"},
		waited: newHistogram("assent_answer_seconds", "Time from the moment a call was parked until a person answered.",
			5, 15, 60, 300, 900, 3600, 4*3600, 24*3600, 3*24*3600),
		started: newHistogram("assent_start_seconds", "Time from the moment an approval held until the call was begun.",
			0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 600),
		unknowns:    counter{name: "assent_unknown_total", help: "Calls whose process died while they ran: a person must find out how far they came."},
		unheardOf:   counter{name: "assent_changes_uncounted_total", help: "Changes of tickets whose times are missing above, because the ticket could not be read."},
		interrupted: counter{name: "assent_sessions_interrupted_total", help: "Sessions with which this process went on because the one that had them ended in the middle of its work."},
		running:     gauge{name: "assent_sessions_running", help: "Sessions that go on in this process at the moment."},
		streams:     gauge{name: "assent_streams", help: "Pages and programs that follow the changes at the moment."},
		crowded:     counters{name: "assent_closed_for_room_total", help: "Connections and streams that were closed to make room for newer ones, by what there was too much of.", label: "kind"},
		refused:     counters{name: "assent_requests_refused_total", help: "Requests that were turned away, by the status of the answer.", label: "status"},
	}
	m.figures.add(
		m.answers.families, m.runs.families, m.notified.families, m.waited.families, m.started.families,
		m.unknowns.families, m.unheardOf.families, m.interrupted.families, m.running.families, newStock(tickets).families, about(build), goroutines, process,
	)
	for _, d := range decisions {
		m.answers.Begin(string(d))
	}
	for _, o := range Outcomes {
		m.runs.Begin(string(o))
	}
	for _, t := range tellings {
		m.notified.Begin(string(t))
	}
	return m
}

// about is the program, as a figure that is always 1.
func about(build Build) source {
	return func() []family {
		return gauged("assent_build_info", "The program that runs; always 1.", 1, label{"go", build.Go}, label{"version", build.Version})
	}
}

// goroutines is how much goes on at once.
func goroutines() []family {
	return gauged("go_goroutines", "Goroutines of this process at the moment.", float64(runtime.NumGoroutine()))
}

// Handler answers GET /metrics, and nothing else.
func (m *Metrics) Handler() http.Handler {
	const most, patience = 4, 10 * time.Second
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", http.TimeoutHandler(m.figures.atOnce(most), patience, "the figures cannot be read in time: ask again later"))
	return mux
}
