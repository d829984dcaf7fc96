package inbox

import (
	"net/http"
	"slices"
	"strings"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/inbox/proof"
	"github.com/assent-dev/assent/people"
)

// route is one thing that can be asked for.
type route struct {
	method, path string
	// who may ask for it. It stands here and nowhere else: a route that says nothing refuses
	// everybody.
	who access
	// asks: it takes parameters, and refuses those that it does not know. All others take none.
	asks bool
	// answer makes the body of the answer.
	answer func(*http.Request) (any, error)
	// write answers by itself, where an answer is more than a value.
	write http.HandlerFunc
}

// describedAt is where the description of the API is.
const describedAt = "/api/v1/openapi.json"

func (s *Server) routes() []route {
	const v1, ticket, person = "/api/v1", "/api/v1/tickets/{id}", "/api/v1/people/{name}"
	return []route{
		{method: "GET", path: "/healthz", who: anybody, answer: health},
		{method: "GET", path: "/readyz", who: anybody, answer: s.ready},
		{method: "GET", path: describedAt, who: anybody, write: describe},
		{method: "GET", path: signInAt, who: anybody, answer: s.waysIn},
		{method: "POST", path: signInAt, who: anybody, answer: s.signIn},
		{method: "POST", path: proof.At, who: anybody, answer: s.prove},
		{method: "POST", path: v1 + "/sign-out", who: seers, answer: s.signOut},
		{method: "GET", path: v1 + "/me", who: seers, answer: s.me},
		{method: "POST", path: v1 + "/me/password", who: seers, answer: s.ownPassword},
		{method: "GET", path: v1 + "/overview", who: seers, answer: s.overview},
		{method: "GET", path: v1 + "/tickets", who: seers, asks: true, answer: s.list},
		{method: "GET", path: v1 + "/history", who: seers, asks: true, answer: s.history},
		{method: "GET", path: ticket, who: seers, answer: s.detail},
		{method: "GET", path: ticket + "/audit", who: seers, answer: s.audit},
		{method: "POST", path: ticket + "/check", who: answerers, answer: s.check},
		{method: "POST", path: ticket + "/approve", who: answerers, answer: s.approve},
		{method: "POST", path: ticket + "/deny", who: answerers, answer: s.deny},
		{method: "POST", path: ticket + "/undo", who: answerers, answer: s.undo},
		{method: "POST", path: ticket + "/send", who: answerers, answer: s.send},
		{method: "POST", path: ticket + "/resolve", who: answerers, answer: s.resolve},
		{method: "POST", path: ticket + "/comment", who: seers, answer: s.comment},
		{method: "POST", path: v1 + "/batch", who: answerers, answer: s.batch},
		{method: "POST", path: v1 + "/links", who: seers, answer: s.openLink},
		{method: "GET", path: v1 + "/sessions/{id}", who: seers, answer: s.session},
		{method: "GET", path: v1 + "/events", who: seers, asks: true, write: s.stream},
		{method: "POST", path: v1 + "/presence", who: seers, answer: s.presence},
		{method: "GET", path: v1 + "/people", who: managers, answer: s.members},
		{method: "POST", path: v1 + "/people", who: managers, answer: s.addMember},
		{method: "POST", path: person + "/role", who: managers, answer: s.setRole},
		{method: "POST", path: person + "/password", who: managers, answer: s.setPassword},
		{method: "POST", path: person + "/disable", who: managers, answer: s.change("a person was disabled", (*people.Store).Disable, s.curbed)},
		{method: "POST", path: person + "/enable", who: managers, answer: s.change("a person was enabled", (*people.Store).Enable, s.changed)},
		{method: "POST", path: person + "/sign-out", who: managers, answer: s.change("a person was signed out", (*people.Store).SignOutAll, s.curbed)},
		{method: "GET", path: person + "/rules", who: managers, answer: s.rulesOf},
		// Whose deputies and tokens somebody may change the store says: it depends on whose they are.
		{method: "GET", path: v1 + "/deputies", who: seers, answer: s.deputies},
		{method: "POST", path: v1 + "/deputies", who: seers, answer: s.delegate},
		{method: "POST", path: v1 + "/deputies/{number}/revoke", who: seers, answer: s.undelegate},
		{method: "GET", path: v1 + "/tokens", who: seers, asks: true, answer: s.tokens},
		{method: "POST", path: v1 + "/tokens", who: seers, answer: s.issue},
		{method: "POST", path: v1 + "/tokens/{number}/revoke", who: seers, answer: s.revoke},
	}
}

// router finds the handler of a request.
func (s *Server) router() http.Handler {
	mux := http.NewServeMux()
	for _, r := range s.routes() {
		mux.Handle(r.method+" "+r.path, s.serve(r))
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := mux.Handler(r); pattern != "" {
			mux.ServeHTTP(w, r)
			return
		}
		switch methods := others(mux, r); {
		case len(methods) > 0:
			w.Header().Set("Allow", strings.Join(methods, ", "))
			s.fail(w, r, &Fault{Status: http.StatusMethodNotAllowed, Code: Invalid, Message: "want " + strings.Join(methods, " or ")})
		case s.OIDC != nil && s.People != nil && isOIDC(r.URL.Path):
			s.OIDC.ServeHTTP(w, r)
		case isAPI(r.URL.Path) || s.Page == nil || r.Method == http.MethodPost:
			s.fail(w, r, nothing())
		default:
			s.Page.ServeHTTP(w, r)
		}
	})
}

// isOIDC: the path is one of those by which people sign in at another server.
func isOIDC(path string) bool { return strings.HasPrefix(path, "/oidc/") }

// others are the methods that a path has, when it has not the one of the request.
func others(mux *http.ServeMux, r *http.Request) []string {
	return slices.DeleteFunc([]string{"GET", "POST"}, func(method string) bool {
		asked := *r
		asked.Method = method
		_, pattern := mux.Handler(&asked)
		return pattern == ""
	})
}

// serve answers the requests of a route.
func (s *Server) serve(route route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if f := route.who.refuses(visitorIn(r.Context())); f != nil {
			s.fail(w, r, f)
			return
		}
		if !route.asks && r.URL.RawQuery != "" { // also one that somebody takes for a way to ask without effect
			s.fail(w, r, route.unasked())
			return
		}
		if route.write != nil {
			route.write(w, r)
			return
		}
		if isAPI(r.URL.Path) && s.Tickets.Moved() { // what is said here would count for nobody
			s.fail(w, r, &Fault{Status: http.StatusServiceUnavailable, Code: Internal, Message: approval.ErrMoved.Error()})
			return
		}
		s.attend(r, route.who)
		body, err := route.answer(r)
		if err != nil {
			s.fail(w, r, faultOf(err))
			return
		}
		s.reply(w, r, http.StatusOK, body)
	})
}

// unasked refuses parameters where there are none.
func (route route) unasked() *Fault {
	if route.method == http.MethodPost {
		return invalid("there is a parameter that is not known: what is asked for stands in the body")
	}
	return invalid("there is a parameter that is not known: this takes none")
}
