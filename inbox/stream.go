package inbox

import (
	"net/http"
	"strconv"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/room"
)

const (
	// pingEvery is how often somebody who follows hears that the server is still there.
	pingEvery = 15 * time.Second
	// patience is how long a write may take before its reader counts as gone.
	patience = 10 * time.Second
)

// stream tells the changes of tickets as they happen, and those after a serial number
// before, without a gap between the two.
func (s *Server) stream(w http.ResponseWriter, r *http.Request) {
	v := visitorIn(r.Context())
	follower, gone, err := s.events.join(v.token, v.taker(r))
	if err != nil {
		s.fail(w, r, faultOf(err))
		return
	}
	defer s.events.leave(follower)
	s.noteCrowded(gone)
	given, err := s.wanted(r)
	if err != nil {
		s.fail(w, r, faultOf(err))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // a proxy must not collect events
	if r.Method == http.MethodHead {
		return
	}
	out := &outlet{w: w, control: http.NewResponseController(w), after: given.after, told: map[int64]struct{}{}}
	_ = out.control.SetReadDeadline(time.Time{}) // nothing more is read, for as long as it takes
	if given.window != "" {
		s.events.enter(follower, given.window, v.speaker())
	}
	if out.write([]byte(": connected\n\n")) != nil || s.catchUp(r, out) != nil {
		return
	}
	_ = s.listen(r, out, follower) // whoever has gone needs nothing more
}

// noteCrowded tells of a stream that was ended to make room for another one; nil is none.
func (s *Server) noteCrowded(gone *follower) {
	if gone == nil {
		return
	}
	if s.MadeRoom != nil {
		s.MadeRoom(room.Streams)
	}
	if n := s.crowded.Count(s.now(), room.Told); n > 0 {
		s.Log.Warn("streams of events were ended to make room for new ones", "last", gone.place.Who, "ended", n)
	}
}

// listen tells what happens from now on, until one of the two goes.
func (s *Server) listen(r *http.Request, out *outlet, f *follower) (err error) {
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	for err == nil {
		select {
		case <-r.Context().Done():
			return nil
		case <-f.gone:
			return nil
		case frames := <-f.frames:
			err = out.tell(frames)
		case <-ping.C:
			err = out.write([]byte(": ping\n\n"))
		}
	}
	return err
}

// wish is what somebody who follows has asked for.
type wish struct {
	// after is the serial number after which changes are told.
	after int64
	// window is the name of the page that follows; empty for one that does not say what is
	// open in it.
	window string
}

func (s *Server) wanted(r *http.Request) (wish, error) {
	given, err := values(r, "after", "window")
	if err != nil {
		return wish{}, err
	}
	window, some := given["window"]
	if some && !windowForm().MatchString(window) {
		return wish{}, noWindow()
	}
	after, err := s.from(r, given)
	return wish{after, window}, err
}

// from is the serial number after which somebody wants to hear of changes.
func (s *Server) from(r *http.Request, given map[string]string) (int64, error) {
	latest, err := s.Tickets.Latest(r.Context())
	if err != nil {
		return 0, err
	}
	text, some := given["after"]
	if !some {
		return s.Tickets.Settled(r.Context())
	}
	after, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil || after < 0:
		return 0, invalid("after: want the serial number of a change")
	case after > latest: // of other tickets: nothing would be told for a long time
		return 0, &Fault{Status: http.StatusConflict, Code: Changed, Message: "no change has that serial number yet (load the list again, and follow from the number that stands there)"}
	}
	return after, nil
}

// catchUp tells what has happened before.
func (s *Server) catchUp(r *http.Request, out *outlet) error {
	const most = 1000
	past, err := s.Tickets.Recall(r.Context(), out.after)
	for err == nil {
		var list []approval.Change
		if list, err = past.Next(r.Context(), most); err != nil {
			break
		}
		if err := out.recall(framesOf(list), past.Settled); err != nil {
			return err
		}
		if len(list) < most {
			out.after = past.Settled
			return nil
		}
	}
	s.Log.Error("changes of tickets cannot be read", "err", mask(err.Error()))
	return err
}

// outlet is where events go to one who follows.
type outlet struct {
	w       http.ResponseWriter
	control *http.ResponseController
	// after is the number of a change up to which nothing is to be told any more, and told are
	// those beyond it that were told from the past, and may come once more as they happen.
	after int64
	told  map[int64]struct{}
}

// recall writes frames of the past. Those beyond settled may come once more.
func (o *outlet) recall(frames []frame, settled int64) error {
	var text []byte
	for _, f := range frames {
		if text = append(text, f.text...); f.serial > settled {
			o.told[f.serial] = struct{}{}
		}
	}
	if text == nil {
		return nil
	}
	return o.write(text)
}

// tell writes those frames that were not written yet.
func (o *outlet) tell(frames []frame) error {
	var text []byte
	for _, f := range frames {
		if _, before := o.told[f.serial]; before {
			delete(o.told, f.serial)
		} else if f.serial == 0 || f.serial > o.after {
			text = append(text, f.text...)
		}
	}
	if text == nil {
		return nil
	}
	return o.write(text)
}

func (o *outlet) write(text []byte) error {
	_ = o.control.SetWriteDeadline(time.Now().Add(patience)) // where that is possible
	if _, err := o.w.Write(text); err != nil {
		return err
	}
	return o.control.Flush()
}
