package inbox

import (
	"context"
	_ "embed"
	"net/http"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/policy"
)

type healthView struct {
	OK bool `json:"ok"`
}

// health: the process answers.
func health(*http.Request) (any, error) { return healthView{true}, nil }

// ready: answers can be given and are seen. It says what is wrong in general words only,
// because everybody may ask; the log has the rest.
func (s *Server) ready(r *http.Request) (any, error) {
	unready := func(why string, err error) error {
		if err != nil {
			s.Log.Warn(why, "err", mask(err.Error()))
		}
		return &Fault{Status: http.StatusServiceUnavailable, Code: Busy, Message: why}
	}
	if err := s.writable(r.Context()); err != nil {
		return nil, unready("the tickets cannot be read and written (see the log of the server)", err)
	}
	if !s.following.Load() {
		return nil, unready("changes of tickets are not followed (see the log of the server)", nil)
	}
	for _, ailment := range s.ailments {
		if err := ailment(); err != nil {
			return nil, unready("sessions are not taken up again (see the log of the server)", err)
		}
	}
	return healthView{true}, nil
}

// readinessPatience is how long the answer may take. Other requests wait longer for a database that
// is being started again; whoever asks this one sends people elsewhere meanwhile, and has gone by
// then.
const readinessPatience = 2 * time.Second

// writable: a change can be made, as far as one knows from the last attempt. Where that has failed
// the answer comes at once.
func (s *Server) writable(asker context.Context) error {
	if s.Tickets.Moved() {
		return approval.ErrMoved
	}
	ctx, stop := context.WithTimeout(asker, readinessPatience)
	defer stop()
	if err := s.attempt.outcome(ctx, s.Tickets.Try, s.now); err != nil {
		return err
	}
	_, err := s.Tickets.Latest(ctx)
	if err != nil && asker.Err() == nil {
		s.attempt.failed(err, s.now())
	}
	return err
}

// failed keeps for the next who ask that not even reading works, until the next attempt to write.
func (t *attempt) failed(err error, at time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.at, t.err = at, err
}

type meView struct {
	Name    string `json:"name"`
	Shown   string `json:"shown"`
	Version string `json:"version"`
	State   string `json:"state"`
	Role    string `json:"role"`
	// May is what the one who asks may do, and For whose deputy he is.
	May mayView  `json:"may"`
	For []string `json:"for"`
	// People: everybody signs in here.
	People bool `json:"people"`
}

type mayView struct {
	Answer bool `json:"answer"`
	Manage bool `json:"manage"`
}

// me is who asks, and at which server.
func (s *Server) me(r *http.Request) (any, error) {
	v := visitorIn(r.Context())
	return meView{
		Name: v.name, Shown: policy.WellFormed(v.shown), Version: s.Version, State: policy.WellFormed(s.Dir), Role: v.role.String(),
		May: mayView{v.mayAnswer(), v.role.Manage() && s.People != nil}, For: v.deputyOf(), People: s.People != nil,
	}, nil
}

// description is the API for programs.
//
//go:embed openapi.json
var description []byte

func describe(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if r.Method != http.MethodHead {
		_, _ = w.Write(description) // whoever has gone does not need it
	}
}
