package inbox

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/audit"
	"github.com/assent-dev/assent/crew"
	"github.com/assent-dev/assent/permission"
)

func (w *world) overviewNow() (v overviewView) {
	w.t.Helper()
	w.get("/api/v1/overview").into(w.t, &v)
	return v
}

func TestTheOverviewSaysWhatWasAnsweredLately(t *testing.T) {
	w := newWorld(t)
	if got := w.overviewNow(); len(got.Answered) != 0 || len(got.Running) != 0 || got.Today != nil {
		t.Errorf("nothing has happened: %+v", got)
	}
	tickets := w.park(bash("one"), bash("two"), bash("three"), bash("four"), bash("five"), bash("six"), bash("seven"))
	for _, i := range []int{6, 0, 1, 2, 3, 4} { // all but six
		w.post("/api/v1/tickets/"+tickets[i].ID+"/deny", map[string]any{"digest": tickets[i].Digest, "reason": "no"})
	}
	got := w.overviewNow()
	if len(got.Answered) != 5 || got.Answered[0].ID != tickets[4].ID || got.Answered[4].ID != tickets[0].ID || got.Answered[0].Answer == nil {
		t.Errorf("%+v", got.Answered)
	}
}

func TestTheOverviewSaysWhatIsRunning(t *testing.T) {
	w := newWorld(t)
	begun, end := make(chan struct{}), make(chan struct{})
	begins := sync.OnceFunc(func() { close(begun) })
	config := w.Config
	config.Resume = func(context.Context, string, []permission.Update) error {
		begins() // the answer may be heard of once more when this has ended
		<-end
		return crew.ErrNothingLeft
	}
	server, err := New(config)
	w.must(err)
	server.Employ(1)
	w.Server = server
	w.web.Config.Handler = server.Handler()
	w.run()
	defer close(end)
	ticket := w.park(bash("npm test"))[0]
	w.post("/api/v1/tickets/"+ticket.ID+"/approve", map[string]any{"digest": ticket.Digest})
	<-begun
	got := w.overviewNow()
	if len(got.Running) != 1 || got.Running[0] != (runningView{ticket.Session, w.cwd, "deploy the site"}) {
		t.Errorf("%+v", got.Running)
	}
}

func TestTheOverviewCountsTheDecisionsOfToday(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	log := audit.Open(w.ledger.dir)
	defer log.Close()
	say := func(r audit.Record) {
		r.Session, r.ToolUseID, r.Tool = ticket.Session, ticket.ToolUseID, "Bash"
		w.must(log.Append(r))
	}
	say(audit.Record{Time: time.Now().Add(-48 * time.Hour), Decision: "allow", Rule: "Bash(old)"})
	say(audit.Record{Decision: "allow", Rule: "Bash(a)"})
	say(audit.Record{Decision: "allow", Rule: "Bash(a)"})
	say(audit.Record{Decision: "allow", Rule: "Bash(b)"})
	say(audit.Record{Decision: "allow"})
	say(audit.Record{Decision: "deny", Rule: "Bash(c)"})
	say(audit.Record{Decision: "defer"})
	if got := w.overviewNow().Today; got == nil || *got != (todayView{Allowed: 4, Rules: 2, Denied: 1, Parked: 1}) {
		t.Errorf("%+v", got)
	}
	later := time.Now().Add(48 * time.Hour)
	w.ledger.now = func() time.Time { return later }
	if got := w.overviewNow().Today; got == nil || *got != (todayView{}) {
		t.Errorf("another day: %+v", got)
	}
	var none approval.Ticket
	if _, err := w.ledger.of(t.Context(), none); err != nil {
		t.Error(err)
	}
}
