package launch

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/tool"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// slowEnd is a server that takes its time to end, and counts how many sessions do so at
// once.
type slowEnd struct {
	http.Handler
	mu         sync.Mutex
	now, most  int
	everybody  chan struct{} // closed when so many wait
	everyCount int
}

func (s *slowEnd) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodDelete {
		s.Handler.ServeHTTP(w, r)
		return
	}
	s.mu.Lock()
	s.now++
	s.most = max(s.most, s.now)
	if s.now == s.everyCount {
		close(s.everybody)
	}
	s.mu.Unlock()
	select {
	case <-s.everybody:
	case <-r.Context().Done():
	}
	s.mu.Lock()
	s.now--
	s.mu.Unlock()
}

// Servers end side by side: the end of a session takes as long as the slowest of them.
func TestW5_ServersEndSideBySide(t *testing.T) {
	for name, end := range map[string]func(*Session){
		"with the session":     func(*Session) {},
		"when they are others": func(s *Session) { s.SetServers(t.Context(), nil, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			const many = 3
			server := sdk.NewServer(&sdk.Implementation{Name: "slow", Version: "1"}, nil)
			site := &slowEnd{
				Handler:   sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, nil),
				everybody: make(chan struct{}), everyCount: many,
			}
			web := httptest.NewServer(site)
			defer web.Close()
			s := mustOpen(t, options(t))
			var servers []mcp.Server
			for i := range many {
				servers = append(servers, mcp.Server{Name: fmt.Sprint("s", i), Kind: mcp.HTTP, URL: web.URL})
			}
			if changed := s.SetServers(t.Context(), servers, nil); len(changed.Added) != many || len(changed.Failed) != 0 {
				t.Fatalf("%+v", changed)
			}
			end(s)
			mustClose(t, s)
			site.mu.Lock()
			defer site.mu.Unlock()
			if site.most != many {
				t.Errorf("%d of %d ended at once", site.most, many)
			}
		})
	}
}

// A request for servers that is taken back adds none, and ends none if it has not begun.
func TestW5_ServersThatNobodyWantsAnyMore(t *testing.T) {
	s := mustOpen(t, options(t))
	defer mustClose(t, s)
	site := mcp.Server{Name: "site", Kind: mcp.HTTP, URL: website(t)}
	if changed := s.SetServers(t.Context(), []mcp.Server{site}, nil); len(changed.Added) != 1 {
		t.Fatalf("%+v", changed)
	}
	states := func() (list []string) {
		for _, status := range s.ServerStatus() {
			list = append(list, status.Name+" "+status.State.String())
		}
		return list
	}

	ctx, takeBack := context.WithCancel(t.Context())
	asked := make(chan struct{}, 10)
	answers := func(ctx context.Context, _ string, _ []byte) ([]byte, error) {
		asked <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	}
	go func() {
		<-asked
		takeBack()
	}()
	changed := s.AddServers(ctx, HostServers([]string{"desk"}), answers)
	if changed.Failed["desk"] != takenBack {
		t.Errorf("%+v", changed)
	}
	if got := states(); !slices.Equal(got, []string{"site connected"}) {
		t.Errorf("after it was taken back: %v", got)
	}

	changed = s.SetServers(ctx, HostServers([]string{"other"}), answers)
	if len(changed.Added)+len(changed.Removed) != 0 || changed.Failed["other"] != takenBack {
		t.Errorf("%+v", changed)
	}
	if got := states(); !slices.Equal(got, []string{"site connected"}) {
		t.Errorf("after one that was taken back before: %v", got)
	}
}

// The model may still have a tool of a server that the host has removed.
func TestW5_AToolOfARemovedServer(t *testing.T) {
	s := mustOpen(t, options(t))
	defer mustClose(t, s)
	s.SetServers(t.Context(), []mcp.Server{{Name: "site", Kind: mcp.HTTP, URL: website(t)}}, nil)
	tools, _ := offers{s}.Offer()
	s.SetServers(t.Context(), nil, nil)
	if got := tools[0].Run(t.Context(), tool.Job{Input: []byte(`{}`)}); !strings.Contains(got.Text, "it was removed") {
		t.Errorf("it says %q", got.Text)
	}
}
