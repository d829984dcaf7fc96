package inbox

import (
	"errors"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/settings"
)

// judged is a call and what the rules of today make of it.
type judged struct {
	call approval.Call
	mode string
	// judgement is nil when the call cannot be judged here, and problem says why.
	judgement *policy.Judgement
	problem   error
	// settings are those by which it was judged.
	settings settings.Options
	// elsewhere: it may run on another machine, or as another user, than this server does.
	elsewhere bool
	// goesOn: this server lets the session go on.
	goesOn bool
}

// judge asks the rules of today about a call.
func (s *Server) judge(call approval.Call, mode string) judged {
	j := judged{call: call, mode: mode, elsewhere: !s.here(), goesOn: s.goesOn()}
	checker, err := s.checker(call.Cwd)
	if err == nil {
		j.settings = checker.Settings
		j.judgement, err = checker.Judge(query(call, mode))
	}
	if away := clerk.Closed(call.Cwd, err); away != nil && !s.here() {
		err = away
	}
	j.problem = err
	return j
}

func (s *Server) checker(cwd string) (*policy.Checker, error) {
	if away := clerk.Missing(cwd); away != nil {
		return nil, away
	}
	return s.Checker(cwd)
}

// here: what waits runs on this machine, as the user of this server.
func (s *Server) here() bool { return clerk.RunsHere(s.Sessions) }

// goesOn: this server lets sessions go on, and no other does.
func (s *Server) goesOn() bool { return s.Resume != nil && s.here() }

// away is why the rules cannot be asked in the directory of the call; nil when they can.
func (j judged) away() *clerk.Away {
	away, _ := errors.AsType[*clerk.Away](j.problem)
	return away
}

func query(call approval.Call, mode string) policy.Query {
	q := policy.Query{Tool: call.Tool, Input: call.Input}
	if m, err := permission.ParseMode(mode); err == nil && m != permission.BypassPermissions { // which is never restored
		q.Mode = m
	}
	return q
}

// risk is the higher of what was found when the call was parked and what is found today.
// What nobody has thought about counts as high.
func (j judged) risk(parked permission.Risk) permission.Risk {
	if parked == 0 || parked > permission.HighRisk {
		return permission.HighRisk
	}
	if j.judgement == nil {
		return parked
	}
	return max(parked, permission.RiskOf(j.judgement.Call, j.judgement.Decision))
}

// denied: a rule denies the call, whatever a person says.
func (j judged) denied() bool {
	return j.judgement != nil && j.judgement.Decision.Behavior == permission.Deny && j.judgement.Decision.Reason.Kind == permission.ByRule
}

// fits: the tool takes the input. A tool that is not known here may.
func (j judged) fits() (problem string) {
	switch {
	case strictjson.Valid(j.call.Input) != nil:
		return strictjson.Valid(j.call.Input).Error()
	case j.problem != nil:
		return j.problem.Error()
	case j.judgement.Call == nil:
		return j.judgement.Reply().Reason
	}
	return ""
}
