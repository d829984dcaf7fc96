package inbox

import (
	"net/http"
	"slices"
	"strings"

	"github.com/assent-dev/assent/approval"
)

// route is one thing that can be asked for.
type route struct {
	method, path string
	// answer makes the body of the answer.
	answer func(*http.Request) (any, error)
	// write answers by itself, where an answer is more than a value.
	write http.HandlerFunc
}

// describedAt is where the description of the API is.
const describedAt = "/api/v1/openapi.json"

func (s *Server) routes() []route {
	const v1, ticket = "/api/v1", "/api/v1/tickets/{id}"
	return []route{
		{method: "GET", path: "/healthz", answer: health},
		{method: "GET", path: "/readyz", answer: s.ready},
		{method: "GET", path: describedAt, write: describe},
		{method: "GET", path: v1 + "/me", answer: s.me},
		{method: "GET", path: v1 + "/overview", answer: s.overview},
		{method: "GET", path: v1 + "/tickets", answer: s.list},
		{method: "GET", path: v1 + "/history", answer: s.history},
		{method: "GET", path: ticket, answer: s.detail},
		{method: "GET", path: ticket + "/audit", answer: s.audit},
		{method: "POST", path: ticket + "/check", answer: s.check},
		{method: "POST", path: ticket + "/approve", answer: s.approve},
		{method: "POST", path: ticket + "/deny", answer: s.deny},
		{method: "POST", path: ticket + "/undo", answer: s.undo},
		{method: "POST", path: ticket + "/resolve", answer: s.resolve},
		{method: "POST", path: v1 + "/batch", answer: s.batch},
		{method: "GET", path: v1 + "/sessions/{id}", answer: s.session},
		{method: "GET", path: v1 + "/events", write: s.stream},
		{method: "POST", path: v1 + "/presence", answer: s.presence},
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
		case isAPI(r.URL.Path) || s.Page == nil || r.Method == http.MethodPost:
			s.fail(w, r, nothing())
		default:
			s.Page.ServeHTTP(w, r)
		}
	})
}

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
		if route.write != nil {
			route.write(w, r)
			return
		}
		if isAPI(r.URL.Path) && s.Tickets.Moved() { // what is said here would count for nobody
			s.fail(w, r, &Fault{Status: http.StatusServiceUnavailable, Code: Internal, Message: approval.ErrMoved.Error()})
			return
		}
		body, err := route.answer(r)
		if err != nil {
			s.fail(w, r, faultOf(err))
			return
		}
		s.reply(w, r, http.StatusOK, body)
	})
}
