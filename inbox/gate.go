package inbox

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/assent-dev/assent/inbox/proof"
	"github.com/assent-dev/assent/internal/room"
)

// contentPolicy lets the page load what comes from here, and nothing else.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

// gate stands before everything: what does not pass it has reached no handler, and is told
// nothing but that.
func (s *Server) gate(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	checks := []func(*http.Request) *Fault{s.checkHost, checkMethod, checkPath, s.checkOrigin}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		setHeaders(w.Header())
		defer s.survive(w, r)
		for _, check := range checks {
			if f := check(r); f != nil {
				s.turnAway(w, r, f)
				return
			}
		}
		if err := protection.Check(r); err != nil {
			s.turnAway(w, r, foreign())
			return
		}
		if open(r.URL.Path) {
			next.ServeHTTP(w, r)
			return
		}
		v, f := s.meet(r)
		if f != nil {
			if f.Status == http.StatusUnauthorized {
				w.Header().Set("WWW-Authenticate", `Bearer realm="assent"`)
			}
			s.turnAway(w, r, f)
			return
		}
		room.Known(r.Context(), v.taker(r))
		met := r.WithContext(s.visitedBy(r.Context(), v))
		defer s.survive(w, met) // which knows the route
		next.ServeHTTP(w, met)
	})
}

// turnAway refuses a request. Somebody may be trying to come in, so the log is told, but not
// so often that it tells nothing else.
func (s *Server) turnAway(w http.ResponseWriter, r *http.Request, f *Fault) {
	if f.Code == Forbidden {
		s.noteStranger(r, f)
	}
	s.fail(w, r, f)
}

// noteStranger tells the log now and then of those who are turned away.
func (s *Server) noteStranger(r *http.Request, last *Fault) {
	if n := s.strangers.Count(s.now(), 10*time.Second); n > 0 {
		s.Log.Warn("requests were turned away", "last", last.Status, "why", last.Message, "from", from(r), "requests", n)
	}
}

// from is the address that a request comes from, as the connection says.
func from(r *http.Request) string {
	if host, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		return host
	}
	return r.RemoteAddr
}

// survive answers a request in which something went wrong that nobody has thought of. The
// others are not to suffer from it.
func (s *Server) survive(w http.ResponseWriter, r *http.Request) {
	problem := recover()
	if problem == nil {
		return
	}
	if problem == http.ErrAbortHandler {
		panic(problem)
	}
	s.Log.Error("a request has failed in an unexpected way", "route", r.Pattern, "problem", mask(fmt.Sprint(problem)), "stack", string(debug.Stack()))
	s.fail(w, r, &Fault{Status: http.StatusInternalServerError, Code: Internal, Message: "something unexpected went wrong (the log of the server says what)"})
}

func setHeaders(h http.Header) {
	h.Set("Content-Security-Policy", contentPolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// checkHost takes only the names of this server. A page of somebody else can make a browser
// believe that its own name leads here, and then the browser says that name.
func (s *Server) checkHost(r *http.Request) *Fault {
	if !slices.Contains(s.Hosts, strings.ToLower(r.Host)) || r.URL.Host != "" || r.URL.Scheme != "" {
		return forbidden(http.StatusMisdirectedRequest, "this server is not known by that name (use the link that it has printed)")
	}
	return nil
}

// checkMethod: there is nothing to be asked beforehand, replaced or deleted.
func checkMethod(r *http.Request) *Fault {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost:
		return nil
	}
	return &Fault{Status: http.StatusMethodNotAllowed, Code: Invalid, Message: "want GET or POST"}
}

// checkPath takes one spelling of every path: what is judged is what is routed.
func checkPath(r *http.Request) *Fault {
	if p := r.URL.Path; r.URL.RawPath != "" || p == "" || p != path.Clean(p) || strings.ContainsAny(p, "\x00\\") {
		return nothing()
	}
	return nil
}

// checkOrigin refuses what a page from elsewhere makes a browser send. Somebody may follow a
// link to the page from anywhere: the page alone says nothing and does nothing.
func (s *Server) checkOrigin(r *http.Request) *Fault {
	if !isAPI(r.URL.Path) && r.Method != http.MethodPost {
		return nil
	}
	for _, site := range r.Header.Values("Sec-Fetch-Site") {
		if site != "same-origin" && site != "none" {
			return foreign()
		}
	}
	for _, text := range r.Header.Values("Origin") {
		origin, err := url.Parse(text)
		if err != nil || origin.Path != "" || origin.User != nil {
			return foreign()
		}
		if origin.Scheme != "https" && (origin.Scheme != "http" || r.TLS != nil) {
			return foreign()
		}
		if !strings.EqualFold(origin.Host, r.Host) {
			return s.notFrom(origin.Host, r.Host)
		}
	}
	return nil
}

// notFrom refuses a page of another name than that to which the request came. Where both are names
// of this server the likeliest reason is a proxy that hands on its own, as nginx and Apache do unless
// they are told otherwise.
func (s *Server) notFrom(page, host string) *Fault {
	if page = strings.ToLower(page); !slices.Contains(s.Hosts, page) {
		return foreign()
	}
	return forbidden(http.StatusForbidden, fmt.Sprintf("the proxy before this server hands on the Host %s in place of %s (nginx: proxy_set_header Host %s; Apache: ProxyPreserveHost On)", strings.ToLower(host), page, page))
}

func foreign() *Fault {
	return forbidden(http.StatusForbidden, "the request comes from a page of somebody else")
}

// isAPI: the path is one of those that need care.
func isAPI(path string) bool { return path == "/api" || strings.HasPrefix(path, "/api/") }

// open: everybody may see what is there, which says nothing about calls or people.
func open(path string) bool {
	return !isAPI(path) || path == describedAt || path == signInAt || path == proof.At
}
