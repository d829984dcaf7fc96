package classify

import (
	"context"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/shell"
)

// Builtin is the classifier that needs no model. It approves edits inside the working
// directories and shell commands whose every part is known to do no harm there; all
// else it refuses, and says why. It looks at the call alone: nothing in a
// conversation can talk it into anything.
type Builtin struct {
	// Links is where paths are looked up; nil means that there are no links.
	Links permission.Links
}

var _ Classifier = Builtin{}

// Name is "built-in classifier".
func (Builtin) Name() string { return "built-in classifier" }

// errIncomplete says that a question has no call or no context.
var errIncomplete = errors.New("the question has no call or no context")

// Classify judges a call.
func (b Builtin) Classify(ctx context.Context, q Question) (Verdict, error) {
	if q.Call == nil || q.Context == nil {
		return Verdict{}, errIncomplete
	}
	if err := ctx.Err(); err != nil {
		return Verdict{}, err
	}
	if q.Decision.NeedsPerson {
		return Verdict{NoOpinion, High, []string{"it needs a person every time"}}, nil
	}
	switch q.Call.Kind {
	case permission.Edit:
		return b.edit(&q), nil
	case permission.Shell:
		return b.shell(&q), nil
	case permission.Read, permission.Search:
		return approve(Low, "it only reads"), nil
	case permission.Session, permission.Process, permission.Agent:
		return approve(Low, "it touches nothing but the agent's own work"), nil
	case permission.Person:
		return Verdict{NoOpinion, Unrated, []string{"only a person can answer this"}}, nil
	case permission.Fetch:
		return refuse(Medium, "fetching from "+visible(host(q.Call))+" is not allowed by a rule, and a request can carry data away"), nil
	case permission.Lookup:
		return refuse(Medium, "what is searched for leaves the machine, and no rule allows it"), nil
	case permission.Other:
		return refuse(Medium, "what "+visible(q.Call.Name)+" does is not known here, and no rule allows it"), nil
	}
	return refuse(Medium, "a call of an unknown kind"), nil
}

// edit judges a call that writes one file.
func (b Builtin) edit(q *Question) Verdict {
	p := q.Call.Path()
	switch {
	case p.Problem != "":
		return refuse(High, "the file cannot be made out: "+p.Problem)
	case shell.Protected(p.Given) || shell.Protected(p.Real):
		return Verdict{NoOpinion, High, []string{"a protected path needs a person"}}
	case !inside(q.Context, p):
		return refuse(Medium, visible(p.Given)+" is outside the working directories")
	case isHookFile(p.Given) || isHookFile(p.Real):
		return refuse(High, visible(p.Given)+" "+hookFile)
	}
	return approve(Low, "an edit inside the working directories")
}

// host is where a fetch goes. The engine has refused what is no URL with a host.
func host(call *permission.Call) string {
	address, _ := call.Input["url"].(string)
	_, rest, _ := strings.Cut(address, "://")
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	return rest[strings.LastIndexByte(rest, '@')+1:]
}

// visible is a text from the call, fit to stand in a reason.
func visible(text string) string { return oneLine(text, 120) }

// oneLine is a text of strangers, fit to be shown: not too long, and nothing in it that
// a terminal would obey or that a reader would not see.
func oneLine(text string, most int) string {
	var out strings.Builder
	for _, r := range text {
		switch {
		case out.Len() >= most:
			return out.String() + "…"
		case !unicode.IsPrint(r):
			out.WriteRune(utf8.RuneError)
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}
