package metrics

// Outcome is how a run of a session ended.
type Outcome string

// The outcomes of runs.
const (
	// Ended: the session has come to its end, or waits again.
	Ended Outcome = "ended"
	// NothingLeft: somebody else has gone on with it.
	NothingLeft Outcome = "nothing_left"
	// Over: the session has come to an end that is not a good one.
	Over Outcome = "over"
	// InUse: another process has it open.
	InUse Outcome = "in_use"
	// TakenOver: another machine has taken it while it ran here.
	TakenOver Outcome = "taken_over"
	// Stopped: this process ends.
	Stopped Outcome = "stopped"
	// Failed: it is tried again later.
	Failed Outcome = "failed"
)

// Outcomes are all outcomes.
var Outcomes = []Outcome{Ended, NothingLeft, Over, InUse, TakenOver, Stopped, Failed}

// Run notes that a session goes on, until whoever lets it go on says how that ended.
func (m *Metrics) Run() (ended func(Outcome)) {
	m.running.Inc()
	return func(o Outcome) {
		m.running.Dec()
		m.runs.Inc(string(o))
	}
}

// Interrupted counts a session that goes on because the process that had it ended in the middle of
// its work: it was killed, its machine has died or was not heard of.
func (m *Metrics) Interrupted() { m.interrupted.Inc() }

// Telling is what came of an attempt to tell somebody elsewhere about a call.
type Telling string

// The ways of it.
const (
	Told       Telling = "sent"
	PartlyTold Telling = "partly" // some of the addresses of a mail are refused for good
	TryAgain   Telling = "again"
	NeverTold  Telling = "never"
)

var tellings = []Telling{Told, PartlyTold, TryAgain, NeverTold}

// Notified counts an attempt to tell somebody elsewhere.
func (m *Metrics) Notified(t Telling) { m.notified.Inc(string(t)) }
