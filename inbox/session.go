package inbox

import (
	"net/http"

	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/session"
)

// sessionView is how a session stands.
type sessionView struct {
	Session string `json:"session"`
	State   string `json:"state"`
	Cwd     string `json:"cwd"`
	Prompt  string `json:"prompt"`
	// Turns are the last that were said, as untrusted as any.
	Turns []turnView `json:"turns"`
	// Result is what the model has said last, when the session has come to its end.
	Result  string `json:"result,omitempty"`
	Running bool   `json:"running"`
	// Labels are what a worker must have to go on with it; none where any can.
	Labels []string `json:"labels,omitempty"`
	// Rests: it goes on when somebody resumes it in a terminal, and not by itself.
	Rests bool `json:"rests,omitempty"`
	// Problem is why it cannot be read, or why it does not go on.
	Problem string `json:"problem,omitempty"`
}

// watched is how many turns of a session are shown.
const watched = 50

// session is one session.
func (s *Server) session(r *http.Request) (any, error) {
	id := r.PathValue("id")
	if session.CheckID(id) != nil {
		return nil, nothing()
	}
	sum, ok := s.Sessions.Summary(id)
	if !ok {
		return nil, nothing()
	}
	v := sessionView{Session: id, State: sum.State.String(), Cwd: policy.WellFormed(sum.Cwd), Prompt: sum.Prompt, Running: sum.State == session.Running, Labels: legibleLabels(sum.Labels), Rests: s.Resume == nil && s.here(), Turns: []turnView{}}
	if sum.State != session.Running && s.Sessions.Waits(session.Listed{ID: id}) {
		v.State = "waits"
	}
	v.Problem = policy.WellFormed(mask(s.crew.Problem(id)))
	talk, err := s.talk(id, watched, "")
	if err != nil {
		v.Problem = policy.WellFormed(err.Error())
		return v, nil
	}
	v.Turns = talk.turns
	if v.State == session.Done.String() {
		v.Result = talk.result
	}
	return v, nil
}
