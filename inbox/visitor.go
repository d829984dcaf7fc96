package inbox

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/room"
	"github.com/assent-dev/assent/people"
)

// visitor is whoever has sent a request. The gate finds out who that is, once for each
// request, and everybody behind it asks [visitorIn]. The zero value may do nothing.
type visitor struct {
	// name is that of the person, or the one with which the server was started where it has no
	// people, and shown how people call him.
	name, shown string
	role        people.Role
	// answers are those for whom he may answer: himself, if he may, and those whose deputy he is.
	answers []string
	// in is his sign-in, and token the one that he has sent. Whoever has the link of a server
	// without people has not signed in, so both are empty.
	in    people.SignedIn
	token string
}

// signedIn: it is known which person he is.
func (v *visitor) signedIn() bool { return v.token != "" }

// voter is the person who answers; empty where there are no people, and for a program: its token
// proves nothing about who uses it.
func (v *visitor) voter() string {
	if !v.signedIn() || v.program() {
		return ""
	}
	return v.name
}

// speaker is whose words a comment is, and who looks at a call: the person, or a program as what
// it is.
func (v *visitor) speaker() string {
	if v.program() {
		return v.signature()
	}
	return v.name
}

// taker is who takes what there is a limited number of: the person with all of his tokens. Where
// everybody has the same token it is the address.
func (v *visitor) taker(r *http.Request) string {
	if v.signedIn() {
		return v.name
	}
	return room.Network(r.RemoteAddr)
}

// program: a program acts for the person.
func (v *visitor) program() bool { return v.in.Kind == people.ProgramSignIn }

// mayAnswer: there is somebody for whom he may answer.
func (v *visitor) mayAnswer() bool { return len(v.answers) > 0 }

// onlyDeputy: he may answer in the place of others, and not for himself.
func (v *visitor) onlyDeputy() bool { return v.mayAnswer() && !slices.Contains(v.answers, v.name) }

// deputyOf are the others for whom he may answer.
func (v *visitor) deputyOf() []string {
	return append([]string{}, slices.DeleteFunc(slices.Clone(v.answers), func(name string) bool { return name == v.name })...)
}

type visitorKey struct{}

// visitorIn is who has sent the request of a context.
func visitorIn(ctx context.Context) *visitor {
	if v, ok := ctx.Value(visitorKey{}).(*visitor); ok {
		return v
	}
	return &visitor{}
}

// visitedBy is the context of a request of somebody. What he does to tickets in it he does as long as
// his sign-in counts: see [people.Store.Holds].
func (s *Server) visitedBy(ctx context.Context, v *visitor) context.Context {
	if v.signedIn() {
		ctx = approval.Provided(ctx, func(ctx context.Context, q database.Querier) error { return s.People.Holds(ctx, q, v.in) })
	}
	return context.WithValue(ctx, visitorKey{}, v)
}

// by is as whom somebody changes people.
func (v *visitor) by() people.By { return v.in.By() }

// meet finds out who has sent a request.
func (s *Server) meet(r *http.Request) (*visitor, *Fault) {
	token := bearer(r)
	if s.People == nil {
		sum := sha256.Sum256([]byte(token)) // of one length, whatever was sent
		if token == "" || subtle.ConstantTimeCompare(sum[:], s.token[:]) != 1 {
			return nil, unauthorized("the token is missing or not that of this server (open the link that the server has printed when it was started)")
		}
		return &visitor{name: s.Who, shown: s.Who, role: people.Admin, answers: []string{s.Who}}, nil
	}
	if token == "" {
		return nil, unauthorized("nobody is signed in (sign in with your name and your password)")
	}
	p, in, err := s.People.Who(r.Context(), token)
	if ended, ok := errors.AsType[*people.NotSignedIn](err); ok {
		return nil, unauthorized(ended.Error())
	}
	if err != nil {
		return nil, faultOf(err)
	}
	v := &visitor{name: p.Name, shown: p.Shown, role: in.Role, in: in, token: token}
	if v.answers, err = s.People.AnswersFor(r.Context(), in); err != nil {
		return nil, faultOf(err)
	}
	return v, nil
}

func unauthorized(message string) *Fault { return forbidden(http.StatusUnauthorized, message) }

// bearer is the token that a request carries; empty when it carries none, or several.
func bearer(r *http.Request) string {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return ""
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return token
}
