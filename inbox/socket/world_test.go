package socket

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/inbox/socket/line"
	"github.com/assent-dev/assent/internal/strictjson"
)

// world is a state directory with tickets, and a server on its socket.
type world struct {
	*testing.T
	dir    string
	store  *approval.Store
	keeper *Keeper
	server *Server
	// stop ends the server and waits until it has.
	stop func()
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{T: t, dir: t.TempDir()}
	store, err := approval.Open(w.dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	w.store = store
	w.keeper = NewKeeper(store)
	ctx, cancel := context.WithCancel(t.Context())
	followed := make(chan error, 1)
	go func() { followed <- store.Follow(ctx, 0, nil, w.keeper.Tell) }()
	t.Cleanup(func() {
		cancel()
		if err := <-followed; err != nil {
			t.Error(err)
		}
	})
	return w
}

// serve starts a server on the socket; change may change it before.
func (w *world) serve(change ...func(*Server)) *world {
	w.Helper()
	server, err := Listen(w.dir, w.keeper)
	if err != nil {
		w.Fatal(err)
	}
	w.server = server
	for _, c := range change {
		c(server)
	}
	ctx, cancel := context.WithCancel(w.Context())
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx) }()
	stopped := false
	w.stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-ended; err != nil {
			w.Error(err)
		}
	}
	w.Cleanup(w.stop)
	return w
}

// deploy is a call that is held for a long time.
func deploy() line.Hold {
	return line.Hold{
		Asker: "codex", Session: "s1", Tool: "Bash", Input: strictjson.Raw(`{"command":"deploy"}`), Cwd: "/srv/app",
		Why: "a rule asks", Policy: "sha256:0", Risk: "medium", Kin: "Bash(deploy)", LastsMS: time.Hour.Milliseconds(), WaitMS: time.Minute.Milliseconds(),
		Nonce: line.NewNonce(),
	}
}

type answer struct {
	line.Reply
	err error
}

// ask asks over the socket, beside the test.
func (w *world) ask(h line.Hold) <-chan answer {
	got := make(chan answer, 1)
	go func() {
		reply, err := line.Ask(w.Context(), w.dir, h)
		got <- answer{reply, err}
	}()
	return got
}

// askNow asks for what is known at once.
func (w *world) askNow(h line.Hold) answer {
	h.WaitMS = 0
	return <-w.ask(h)
}

// held waits until so many tickets wait, and returns them.
func (w *world) held(n int) []approval.Ticket {
	w.Helper()
	ctx, stop := context.WithCancel(w.Context())
	defer stop()
	var list []approval.Ticket
	err := w.store.Follow(ctx, 0, nil, func([]approval.Change) {
		all, err := w.store.List(ctx, approval.Query{States: []approval.State{approval.Pending}})
		if err != nil {
			w.Error(err)
		}
		if len(all) >= n {
			list = all
			stop()
		}
	})
	if err != nil {
		w.Fatal(err)
	}
	return list
}

// approve is what a person does.
func (w *world) approve(t approval.Ticket) {
	w.Helper()
	if _, err := w.store.Approve(w.Context(), t.ID, t.Digest, "ana", "fine", nil); err != nil {
		w.Fatal(err)
	}
}

func (w *world) state(id string) approval.State {
	w.Helper()
	t, err := w.store.Find(w.Context(), id)
	if err != nil {
		w.Fatal(err)
	}
	return t.State
}

func (w *world) socket() string { return filepath.Join(w.dir, line.SocketName) }

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
