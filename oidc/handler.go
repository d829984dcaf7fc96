package oidc

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"time"

	coreos "github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/assent-dev/assent/internal/room"
	"github.com/assent-dev/assent/people"
)

// The paths of a handler.
const (
	StartPath    = "/oidc/start"
	CallbackPath = "/oidc/callback"
)

// atOnce is how many may be asked about at the same time: everybody can begin a sign-in, and
// each makes this server wait for the other one. Whoever has the most of them, by the address, gives
// up the oldest for a newcomer.
const atOnce = 16

var errCrowded = errors.New("too many sign in at once")

// Handler signs people in. It is safe for concurrent use.
type Handler struct {
	// Curbed is told of a person whose sign-ins have all ended because the other server gives him less
	// than before, or nothing; nil means that nobody is. It is set before the handler is used.
	Curbed func(ctx context.Context, name string)

	settings Settings
	public   *url.URL
	people   *people.Store
	log      *slog.Logger
	now      func() time.Time
	server   *server
	asking   *room.Room[context.CancelCauseFunc]
}

// New makes a handler. Public is where browsers reach this server; the other one sends them
// back to [CallbackPath] there.
func New(s Settings, public *url.URL, store *people.Store, log *slog.Logger) *Handler {
	h := &Handler{settings: s, public: public, people: store, log: log, now: time.Now, asking: room.New[context.CancelCauseFunc](atOnce)}
	h.server = newServer(s, func() time.Time { return h.now() })
	return h
}

// Ready says why nobody can sign in at the moment. It is no reason not to start: both the other
// server and the secret are asked for whenever somebody signs in.
func (h *Handler) Ready(ctx context.Context) error {
	d, err := h.server.look(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", h.settings.Issuer, err)
	}
	_, err = h.client(d)
	return err
}

// ServeHTTP answers the two paths.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer") // the address has a code in it
	var serve func(http.ResponseWriter, *http.Request) error
	switch r.URL.Path {
	case StartPath:
		serve = h.start
	case CallbackPath:
		serve = h.callback
	default:
		http.NotFound(w, r)
		return
	}
	if r.Method != http.MethodGet {
		w.Header().Set("Allow", http.MethodGet)
		http.Error(w, "want GET", http.StatusMethodNotAllowed)
		return
	}
	if err := serve(w, r); err != nil {
		h.fail(w, err)
	}
}

// client is this server as the other one knows it.
func (h *Handler) client(d *description) (*oauth2.Config, error) {
	config := &oauth2.Config{
		ClientID: h.settings.ClientID, Endpoint: d.endpoint, Scopes: h.settings.Scopes,
		RedirectURL: h.public.JoinPath(CallbackPath).String(),
	}
	if h.settings.Secret == nil {
		return config, nil
	}
	var err error
	config.ClientSecret, err = h.settings.Secret.Read()
	return config, err
}

// moved says that the browser was sent to the public name already. A proxy that changes names
// would send it around for ever.
const moved = "here"

// start sends a browser to the other server.
func (h *Handler) start(w http.ResponseWriter, r *http.Request) error {
	if r.Host != h.public.Host && r.URL.RawQuery != moved {
		// It comes back to the public name, and the cookie would be that of another one.
		there := h.public.JoinPath(StartPath)
		there.RawQuery = moved
		send(w, there.String())
		return nil
	}
	d, err := h.server.look(r.Context())
	if err != nil {
		return &failure{unreachable, err}
	}
	config, err := h.client(d)
	if err != nil {
		return &failure{broken, err}
	}
	f := newFlow(h.now())
	http.SetCookie(w, h.cookie(f, int(flowLasts/time.Second)))
	send(w, config.AuthCodeURL(f.state(), coreos.Nonce(f.nonce()), oauth2.S256ChallengeOption(f.verifier())))
	return nil
}

// callback takes a browser back. The page finds the token in the fragment, which is sent to no
// server, and takes it out of the address.
func (h *Handler) callback(w http.ResponseWriter, r *http.Request) error {
	http.SetCookie(w, h.cookie("", -1)) // it counts once
	f, ok := h.flowOf(r)
	if !ok {
		return &failure{foreign, errors.New("the browser brings no sign-in that has begun here")}
	}
	token, p, err := h.admit(r, f)
	if err != nil {
		return err
	}
	from, _, _ := net.SplitHostPort(r.RemoteAddr) // nothing, if nobody knows
	h.log.Info("signed in", "who", p.Name, "by", h.settings.Name, "from", from)
	send(w, "/#token="+token)
	return nil
}

// admit lets somebody in who is back from the other server.
func (h *Handler) admit(r *http.Request, f flow) (token string, p people.Person, err error) {
	d, err := h.server.last(r.Context())
	if err != nil {
		return "", p, &failure{unreachable, err}
	}
	code, err := h.codeOf(r, d, f)
	if err != nil {
		return "", p, err
	}
	said, err := h.ask(r, d, f, code)
	if err != nil {
		return "", p, err
	}
	id := h.settings.identity(said, r.RemoteAddr)
	before, unknown := h.people.Known(r.Context(), id.Issuer, id.Subject)
	token, p, err = h.people.Admit(r.Context(), id, h.settings.Arrival)
	if unknown == nil {
		h.compare(r.Context(), before)
	}
	if err != nil {
		return "", p, refusal(id, err)
	}
	return token, p, nil
}

// ask has the other server say who somebody is, as long as there is room for it.
func (h *Handler) ask(r *http.Request, d *description, f flow, code string) (claims, error) {
	ctx, stop := context.WithCancelCause(r.Context())
	defer stop(nil)
	place, gone := h.asking.Enter(room.Network(r.RemoteAddr), stop)
	defer place.Leave()
	if gone != nil {
		gone.What(errCrowded)
	}
	said, err := h.redeem(ctx, d, f, code)
	if context.Cause(ctx) == errCrowded {
		return nil, &failure{busy, errCrowded}
	}
	return said, err
}

// compare looks whether somebody has less than before he came.
func (h *Handler) compare(ctx context.Context, before people.Person) {
	now, err := h.people.Find(ctx, before.Name)
	if err == nil && h.Curbed != nil && !now.Since.Equal(before.Since) && now.Role <= before.Role {
		h.Curbed(ctx, now.Name)
	}
}

// codeOf is the code that the other server has given to the browser for this sign-in.
func (h *Handler) codeOf(r *http.Request, d *description, f flow) (string, error) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return "", &failure{foreign, errors.New("the address is none that the other server makes")}
	}
	for _, key := range []string{"state", "code", "iss", "error"} {
		if len(query[key]) > 1 {
			return "", &failure{foreign, fmt.Errorf("the address has several of %s", key)}
		}
	}
	if !f.began(query.Get("state")) {
		return "", &failure{foreign, errors.New("the state is not that of the sign-in which the browser began")}
	}
	if from := query.Get("iss"); from != h.settings.Issuer && (d.names || query.Has("iss")) {
		return "", &failure{foreign, errors.New("the browser comes from a server where the sign-in did not begin")}
	}
	if query.Has("error") || query.Get("code") == "" {
		return "", &failure{declined, fmt.Errorf("the other server says %q", clipped(query.Get("error")))}
	}
	return query.Get("code"), nil
}

// send sends a browser elsewhere. There is no body, which could be kept.
func send(w http.ResponseWriter, where string) {
	w.Header().Set("Location", where)
	w.WriteHeader(http.StatusSeeOther)
}
