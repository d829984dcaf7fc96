package inbox

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/crew"
	"github.com/assent-dev/assent/inbox/socket"
	"github.com/assent-dev/assent/internal/room"
	"github.com/assent-dev/assent/link"
	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/session"
)

// Config is what a server works with.
type Config struct {
	// Dir is the state directory; Tickets and Sessions are those in it. The tickets must be
	// shared for reading, see [approval.Store.Share].
	Dir      string
	Tickets  *approval.Store
	Sessions *session.Store
	// Checker is the rules of today in a directory: one that nobody else uses meanwhile.
	Checker func(cwd string) (*policy.Checker, error)
	// Token is what everybody must know who asks for anything, where there are no people. At
	// least 32 characters.
	Token string
	// Hosts are the names under which the server is reached, each with its port.
	Hosts []string
	// Who is recorded as the one who answers.
	Who     string
	Version string
	// Log is told what goes wrong, and never what a call contains; nil means nobody.
	Log *slog.Logger
	// Resume lets a session go on. The rules are those that a person has added for as long
	// as this session lasts. Nil means that sessions go on elsewhere.
	Resume func(ctx context.Context, session string, rules []permission.Update) error
	// Interrupted is told of a session that goes on here because the process that had it ended in
	// the middle of its work; nil means nobody.
	Interrupted func(session string)
	// Serves says which sessions can go on here; nil means that all can.
	Serves func(ctx context.Context, session string) (bool, error)
	// People are those who sign in. Where there are some the token of the server lets nobody
	// in, and Who answers nothing; nil means that whoever has the token does everything.
	People *people.Store
	// OIDC answers what is below /oidc/, for those who sign in by another server that knows
	// them; OIDCName is how that is called. Nil means that there is none.
	OIDC     http.Handler
	OIDCName string
	// Links are those that notifications carry; nil means that none were sent.
	Links *link.Links
	// Undo is how long an answer can be taken back whose giver wants that. Zero means [UndoTime], and less
	// not at all.
	Undo time.Duration
	// Page answers everything that is not the API; nil means that there is no page.
	Page http.Handler
	// MadeRoom is told of every connection and stream that was closed for a newer one; nil means
	// nobody.
	MadeRoom func(room.Kind)
}

// Server answers people. It is safe for concurrent use.
type Server struct {
	Config
	now     func() time.Time
	token   [sha256.Size]byte
	handler http.Handler
	events  *broker
	// wake makes the server look for changes at once.
	wake   chan struct{}
	ledger *ledger
	added  sessionRules
	later  laterRules
	// strangers are those who were turned away.
	strangers room.Tally
	// crowded are streams that were ended to make room for newer ones.
	crowded room.Tally
	// answering: one yes after the other is written.
	answering sync.Mutex
	// following: changes are being told at the moment.
	following atomic.Bool
	attempt   attempt
	// searches are those that go through all tickets at the moment.
	searches chan struct{}
	// searching has a chan struct{} for each person, taken while a search of his is under way.
	searching sync.Map

	// held are the calls of guards; nil when none are held here.
	held *socket.Keeper
	// listeners are told of every change, in its order, and must not take long. Jobs run
	// as long as the server does. Both are set before Run.
	listeners []func([]approval.Change)
	jobs      []func(context.Context) error
	// ailments are further reasons for which the server is not ready.
	ailments []func() error
	// crew lets sessions go on; nil when that happens elsewhere.
	crew *crew.Crew
	// own is what people have said here.
	own ownWords
	// round is how far the sessions were looked through, where no crew does so.
	round clerk.Round
}

// minToken is how long a token must be.
const minToken = 32

// New makes a server. [Server.Handler] answers requests, and [Server.Run] must run beside it.
func New(c Config) (*Server, error) {
	switch {
	case len(c.Token) < minToken && c.People == nil:
		return nil, errors.New("the token is too short to be one that nobody can guess: it needs 32 characters or more")
	case len(c.Hosts) == 0:
		return nil, errors.New("the server has no name under which it may be reached")
	case c.Tickets == nil || c.Sessions == nil || c.Checker == nil:
		return nil, errors.New("the server has no tickets, sessions or rules to work with")
	case c.Who == "":
		return nil, errors.New("nobody is named who answers")
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	c.Undo = cmp.Or(c.Undo, UndoTime)
	c.Hosts = slices.Clone(c.Hosts)
	for i := range c.Hosts {
		c.Hosts[i] = strings.ToLower(c.Hosts[i])
	}
	s := &Server{
		Config: c, now: time.Now, token: sha256.Sum256([]byte(c.Token)),
		events: newBroker(), wake: make(chan struct{}, 1), searches: make(chan struct{}, maxSearches), ledger: newLedger(c.Dir, time.Now),
	}
	s.later.more = make(chan struct{}, 1)
	s.added.settle = s.settleRules
	s.added.vouched = func(ctx context.Context, yes approval.Vote) error {
		return s.vouched(ctx, s.Tickets.Database().Reads(), yes)
	}
	s.listeners = append(s.listeners, s.logElsewhere)
	s.handler = s.gate(s.router())
	return s, nil
}

// Handler answers requests.
func (s *Server) Handler() http.Handler { return s.handler }

const (
	// maxSilent is how many connections there are on which no person asks for anything, and
	// maxRequests how many on which somebody does. A thousand pages that come at the same moment
	// fit into each. [maxFollowers] are fewer, so that those who follow leave room for all who ask.
	maxSilent   = 2048
	maxRequests = 2048
)

// HTTP is a server of the standard library around the handler, whose limits keep one
// client from taking what belongs to all.
func (s *Server) HTTP() *http.Server {
	web := &http.Server{
		Handler:           s.handler,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      30 * time.Second, // those who follow have one of their own for every event
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		// Nothing is answered before the gate.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(s.Log.Handler(), slog.LevelDebug),
	}
	connections := room.NewConnections(room.Fits(maxSilent), room.Fits(maxRequests))
	connections.Log, connections.Closed = s.Log, s.MadeRoom
	connections.Limit(web)
	return web
}

// Run follows the changes of tickets and does what has to be done in the background, until
// the context ends. Those who follow the changes are sent away then.
func (s *Server) Run(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	defer s.events.close()
	s.recallRules(ctx) // before a session goes on for which one is meant
	var all sync.WaitGroup
	for _, job := range append([]func(context.Context) error{s.follow, s.expire, s.tryOften, s.stockOften, s.keepRules, s.watchSignIns}, s.jobs...) {
		all.Go(func() {
			if err := job(ctx); err != nil {
				stop(err)
			}
		})
	}
	<-ctx.Done()
	s.events.close() // before the jobs have ended: nobody waits for what does not come
	all.Wait()
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) && !errors.Is(cause, context.DeadlineExceeded) {
		return cause
	}
	return nil
}

// poke makes the server look for changes at once, because it has just made one.
func (s *Server) poke() {
	select {
	case s.wake <- struct{}{}:
	default: // it is about to look anyway
	}
}
