package mcp

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// server is one configured server: the connection it has at the moment, if any, and the
// tools that it has listed last.
type server struct {
	config  Server
	options Options
	client  *client

	life context.Context // ends with the set, or before; its cause is for people
	end  context.CancelCauseFunc
	turn chan struct{} // held by whoever connects, lists or closes
	done chan struct{} // closed after the first attempt to connect
	// stale: the server has said that its list of tools is not what it was.
	stale atomic.Bool

	calls   atomic.Uint64
	running sync.Map // progress token → *underWay
	work    work
	asking  atomic.Int32 // questions to the person that are open
	changed func()       // is told when the tools or the state are not what they were

	mu        sync.Mutex
	conn      *connection // the last one
	state     State
	reason    string
	info      Info
	tools     []*remoteTool
	infos     []ToolInfo // the same for people; replaced as a whole
	notes     []string
	restarted time.Time
}

func newServer(life context.Context, config Server, options Options, changed func()) *server {
	s := &server{config: config, options: options, changed: changed, turn: make(chan struct{}, 1), done: make(chan struct{})}
	s.life, s.end = context.WithCancelCause(life)
	s.client = newClient(s)
	return s
}

// start is the first attempt to connect.
func (s *server) start(ctx context.Context) {
	defer close(s.done)
	if fault := nameFault(s.config.Name); fault != "" {
		s.set(Failed, fault)
		return
	}
	if s.acquire(ctx) == nil {
		defer s.free()
		_ = s.connect(ctx)
	}
}

func (s *server) acquire(ctx context.Context) error {
	select {
	case s.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *server) free() { <-s.turn }

func (s *server) set(state State, reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state, s.reason = state, reason
	s.changed()
}

// Why a server is not used any more.
var (
	errSession = errors.New("the session has ended")
	errRemoved = errors.New("it was removed")
)

// failure is why a server cannot be used.
type failure struct {
	state  State
	reason string
}

func (f *failure) Error() string { return f.reason }

// connect makes a connection and lists the tools. Nothing is left of the last one by then:
// what is dying would otherwise outlive the end of the session, which waits for one
// connection only. The caller has the turn.
func (s *server) connect(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.options.Start)
	defer cancel()
	defer context.AfterFunc(s.life, cancel)()
	s.closeLast(ctx)
	conn, err := s.dial(ctx)
	if err == nil {
		err = s.list(ctx, conn)
		if err != nil {
			end := conn.close(ctx)
			err = s.explain(ctx, conn.link, err, end)
		}
	}
	if err != nil {
		state := Failed
		if f, ok := errors.AsType[*failure](err); ok {
			state = f.state
		}
		s.set(state, err.Error())
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conn, s.state, s.reason, s.info = conn, Connected, "", infoOf(conn.session)
	if conn.gone {
		s.state, s.reason = Failed, conn.obituary()
	}
	s.changed()
	return nil
}

// lost notes the end of a connection.
func (s *server) lost(conn *connection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	conn.gone = true
	if s.conn == conn {
		s.state, s.reason = Failed, conn.obituary()
		s.changed()
	}
}

// ready is the connection, made anew if the last one has ended: at most once in a while,
// so that a server which dies of each call is not started without an end.
func (s *server) ready(ctx context.Context) (*connection, error) {
	if conn := s.alive(); conn != nil {
		return conn, nil
	}
	if err := s.acquire(ctx); err != nil {
		return nil, err
	}
	defer s.free()
	if conn := s.alive(); conn != nil {
		return conn, nil // somebody else was faster
	}
	if s.life.Err() != nil {
		return nil, context.Cause(s.life)
	}
	if err := s.mayRestart(); err != nil {
		return nil, err
	}
	if err := s.connect(ctx); err != nil {
		return nil, fmt.Errorf("it had ended, and to start it again did not help: %w", err)
	}
	if conn := s.alive(); conn != nil {
		return conn, nil
	}
	return nil, errors.New("it was started again and has ended at once")
}

func (s *server) alive() *connection {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil || s.conn.life.Err() != nil {
		return nil
	}
	return s.conn
}

func (s *server) mayRestart() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if since := time.Since(s.restarted); !s.restarted.IsZero() && since < restartPause {
		return fmt.Errorf("%s; it was started again %s ago, and can be once a minute", s.reason, since.Round(time.Second))
	}
	s.restarted = time.Now()
	return nil
}

// reconnect ends the connection, if there is one, and makes a new one.
func (s *server) reconnect(ctx context.Context) error {
	if err := s.acquire(ctx); err != nil {
		return err
	}
	defer s.free()
	if s.life.Err() != nil {
		return context.Cause(s.life)
	}
	return s.connect(ctx)
}

// refresh lists the tools again if the server has said that they changed. Until it
// answers, and if it does not, those that are known stay.
func (s *server) refresh(ctx context.Context) {
	if !s.stale.Load() || s.acquire(ctx) != nil {
		return
	}
	defer s.free()
	conn := s.alive()
	if conn == nil || !s.stale.Swap(false) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, min(s.options.Start, refreshTime))
	defer cancel()
	defer context.AfterFunc(conn.life, cancel)()
	if err := s.list(ctx, conn); err != nil {
		s.note([]string{"its tools have changed, but it does not list them: " + cut(plain(err.Error()), maxNews, "…")})
	}
}

// close ends what there is, after the life of the server has ended.
func (s *server) close(ctx context.Context) {
	s.turn <- struct{}{} // whoever has it ends soon, as the life has ended
	defer s.free()
	s.closeLast(ctx)
}

// closeLast ends the connection, if there has been one, and waits until nothing is left.
func (s *server) closeLast(ctx context.Context) {
	s.mu.Lock()
	conn := s.conn
	s.mu.Unlock()
	if conn != nil {
		conn.close(ctx)
	}
}
