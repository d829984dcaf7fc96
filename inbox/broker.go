package inbox

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/room"
	"github.com/assent-dev/assent/internal/strictjson"
)

// frame is an event as it goes over the wire. It is written once for all who follow.
type frame struct {
	// serial is that of a change of a ticket; zero for what is not numbered.
	serial int64
	text   []byte
}

// broker hands what happens to everybody who follows. It never waits for one of them: who
// is too slow is sent away, and asks again for what comes after the last thing it got.
type broker struct {
	mu        sync.Mutex
	followers map[*follower]struct{}
	// places are shared by those who follow: one who opens many streams ends his own.
	places *room.Room[*follower]
	closed bool
	// halted: nobody can answer at the moment, so nobody may follow either.
	halted bool
	// windows are those who say what they look at, by their names, and looking who has a
	// ticket open; see presence.go.
	windows map[string]*follower
	looking map[string][]*follower
}

// follower is somebody who follows.
type follower struct {
	frames chan []frame
	// gone is closed when nothing more will come.
	gone chan struct{}
	// window is the name of the page that follows, who the person before it, and ticket what
	// is open there. All are empty for programs.
	window, who, ticket string
	// token is the one of the sign-in with which somebody follows: both end together. It is
	// empty where there are no people.
	token string
	place *room.Place[*follower]
}

const (
	// maxFollowers is how many may follow at once, and maxBehind how many batches one may
	// be behind.
	maxFollowers = 1536
	maxBehind    = 64
)

func newBroker() *broker {
	most := room.Fits(maxRequests) * maxFollowers / maxRequests
	return &broker{followers: map[*follower]struct{}{}, places: room.New[*follower](most), windows: map[string]*follower{}, looking: map[string][]*follower{}}
}

// join lets somebody follow, with the token of his sign-in. It is called before the past is read: nothing is then lost in between.
// Gone is the one that was sent away to make room; nil where there was some.
func (b *broker) join(token, who string) (f, gone *follower, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.halted {
		return nil, nil, &Fault{Status: http.StatusServiceUnavailable, Code: Busy, Message: "nobody can answer at the moment, because the tickets cannot be written (is the disk full? the log of the server says more)"}
	}
	if b.closed {
		return nil, nil, &Fault{Status: http.StatusServiceUnavailable, Code: Busy, Message: "nobody can follow the changes, because the server ends (try again when it is back)"}
	}
	f = &follower{frames: make(chan []frame, maxBehind), gone: make(chan struct{}), token: token}
	b.followers[f] = struct{}{}
	var out *room.Place[*follower]
	if f.place, out = b.places.Enter(who, f); out != nil {
		gone = out.What
		b.remove(gone)
	}
	return f, gone, nil
}

func (b *broker) leave(f *follower) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.remove(f)
}

func (b *broker) remove(f *follower) {
	if _, follows := b.followers[f]; !follows {
		return
	}
	delete(b.followers, f)
	f.place.Leave()
	close(f.gone)
	if f.window != "" {
		delete(b.windows, f.window)
		before := f.ticket
		b.stand(f, "")
		b.tellOthers(before, f)
	}
}

// tell hands frames to all. The frames are shared, and must not be changed.
func (b *broker) tell(frames []frame) {
	if len(frames) == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for f := range b.followers {
		b.hand(f, frames)
	}
}

// hand gives frames to one who follows, or sends away who is too slow for them. Nobody who
// has gone is given any.
func (b *broker) hand(f *follower, frames []frame) {
	if _, follows := b.followers[f]; !follows {
		return
	}
	select {
	case f.frames <- frames:
	default:
		b.remove(f)
	}
}

// close sends everybody away, also those who come later.
func (b *broker) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.sendAway()
}

// halt sends everybody away, also those who come before [broker.resume]. They ask again by
// themselves, and miss nothing.
func (b *broker) halt() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.halted = true
	b.sendAway()
}

// resume lets people follow again.
func (b *broker) resume() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.halted = false
}

func (b *broker) sendAway() {
	for f := range b.followers {
		b.remove(f)
	}
}

// changeView is a change as whoever follows gets it. It says nothing about the call. Serial
// is the number with which to ask again for what comes after it.
type changeView struct {
	Serial int64     `json:"serial"`
	Ticket string    `json:"ticket"`
	From   string    `json:"from,omitempty"`
	To     string    `json:"to"`
	Who    string    `json:"who"`
	At     time.Time `json:"at"`
	// Kind is what has happened to a ticket that has stayed as it was; empty for a change of
	// its state.
	Kind string `json:"kind,omitempty"`
}

// sessionEvent is a session that goes on, or has come to an end.
type sessionEvent struct {
	Session string `json:"session"`
	State   string `json:"state"`
}

// framesOf are changes as they go over the wire.
func framesOf(list []approval.Change) []frame {
	all := make([]frame, 0, len(list))
	for _, c := range list {
		v := changeView{c.Resume, c.Ticket, string(c.From), string(c.To), c.Who, c.At, c.Kind}
		all = append(all, frame{c.Serial, event("change", c.Resume, v)})
	}
	return all
}

// announce tells how a session goes on.
func (s *Server) announce(session, state string) {
	s.events.tell([]frame{{text: event("session", 0, sessionEvent{session, state})}})
}

// event is a value as server-sent events carry it: on one line, so nothing in it can begin
// another event.
func event(name string, serial int64, data any) []byte {
	text, err := strictjson.Marshal(data)
	if err != nil { // which happens to no text that the tickets hold
		text = []byte("{}")
	}
	out := []byte("event: " + name + "\n")
	if serial > 0 {
		out = append(out, "id: "+strconv.FormatInt(serial, 10)+"\n"...)
	}
	out = append(append(out, "data: "...), text...)
	return append(out, "\n\n"...)
}
