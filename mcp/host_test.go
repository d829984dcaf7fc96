package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/tool"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// host is a program with official servers inside, as the official SDK for hosts has them.
type host struct {
	t       *testing.T
	deliver func(server string, message []byte)

	mu      sync.Mutex
	servers map[string]*inside
	methods []string // of what it was asked and told
	answers []string // to what its servers have asked
}

// inside is the host's end of one server: a transport that hands answers to who asked.
type inside struct {
	host *host
	name string
	in   chan jsonrpc.Message
	done chan struct{}
	once sync.Once

	mu      sync.Mutex
	waiting map[any]chan []byte
}

func (i *inside) Connect(context.Context) (sdk.Connection, error) { return i, nil }
func (i *inside) SessionID() string                               { return "" }
func (i *inside) Close() error                                    { i.once.Do(func() { close(i.done) }); return nil }

func (i *inside) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-i.in:
		return m, nil
	case <-i.done:
		return nil, errors.New("closed")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (i *inside) Write(_ context.Context, m jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	if response, ok := m.(*jsonrpc.Response); ok {
		i.mu.Lock()
		waiting := i.waiting[response.ID.Raw()]
		i.mu.Unlock()
		waiting <- data
		return nil
	}
	go i.host.deliver(i.name, data)
	return nil
}

// send is what the control protocol carries: one message there, one answer back.
func (h *host) send(ctx context.Context, name string, message []byte) ([]byte, error) {
	m, err := jsonrpc.DecodeMessage(message)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	i := h.servers[name]
	request, isRequest := m.(*jsonrpc.Request)
	if isRequest {
		h.methods = append(h.methods, request.Method)
	} else {
		h.answers = append(h.answers, string(message))
	}
	h.mu.Unlock()
	if i == nil {
		return nil, errors.New("no such server")
	}
	answer := make(chan []byte, 1)
	isCall := isRequest && request.IsCall()
	if isCall {
		i.mu.Lock()
		i.waiting[request.ID.Raw()] = answer
		i.mu.Unlock()
	}
	select {
	case i.in <- m:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if !isCall {
		return []byte(`{"jsonrpc":"2.0","id":0,"result":{}}`), nil
	}
	select {
	case data := <-answer:
		return data, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func newHost(t *testing.T, names ...string) *host {
	h := &host{t: t, servers: map[string]*inside{}}
	for _, name := range names {
		i := &inside{host: h, name: name, in: make(chan jsonrpc.Message), done: make(chan struct{}), waiting: map[any]chan []byte{}}
		h.servers[name] = i
		session, err := newSDKServer().Connect(t.Context(), i, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = session.Close() })
	}
	return h
}

func sdkServers(names ...string) (all []mcp.Server) {
	for _, name := range names {
		all = append(all, mcp.Server{Name: name, Kind: mcp.SDK})
	}
	return all
}

func openInHost(t *testing.T, h *host, options mcp.Options, names ...string) *mcp.Set {
	t.Helper()
	options.Host = h.send
	ready := make(chan *mcp.Set, 1)
	h.deliver = func(server string, message []byte) {
		set := <-ready
		ready <- set
		_ = set.Deliver(t.Context(), server, message)
	}
	set := mcp.Open(t.Context(), sdkServers(names...), options)
	ready <- set
	t.Cleanup(func() { set.Close(context.Background()) })
	set.Wait(t.Context())
	return set
}

func TestServersInsideOfTheHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t, "pay", "ledger")
		asked := 0
		set := openInHost(t, h, mcp.Options{
			Elicit: func(_ context.Context, e mcp.Elicitation) (mcp.Answer, error) {
				asked++
				switch asked {
				case 1:
					return mcp.Answer{Action: mcp.Accept, Content: strictjson.Raw(`{"amount":7}`)}, nil
				case 2:
					return mcp.Answer{}, nil
				}
				return mcp.Answer{}, errors.New("nobody is there")
			},
		}, "pay", "ledger", "nobody")
		if s := status(t, set, "nobody"); s.State != mcp.Failed || !strings.Contains(s.Reason, "no such server") {
			t.Errorf("nobody: %+v", s)
		}
		want(t, run(t.Context(), find(t, set, "mcp__pay__double"), `{"n":4}`), tool.Succeeded, "twice is 8")
		want(t, run(t.Context(), find(t, set, "mcp__ledger__fail"), `{"n":4}`), tool.Failed, "no way")
		for _, answer := range []string{"accept 7", "decline <nil>", "cancel <nil>"} {
			want(t, run(t.Context(), find(t, set, "mcp__pay__ask"), `{"n":1}`), tool.Succeeded, answer)
		}
		if got := h.methods[0] + " " + h.methods[1]; !strings.Contains(got, "initialize") || strings.Contains(strings.Join(h.methods, " "), "discover") {
			t.Errorf("methods %v", h.methods)
		}
	})
}

func TestWithoutAPersonQuestionsAreDeclined(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t, "pay")
		set := openInHost(t, h, mcp.Options{}, "pay")
		// The official server does not even ask who has not said that it can answer.
		want(t, run(t.Context(), find(t, set, "mcp__pay__ask"), `{"n":1}`), tool.Failed, "elicitation")
		err := set.Deliver(t.Context(), "pay", []byte(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"m"}}`))
		if err != nil {
			t.Error(err)
		}
		for _, bad := range []string{`{`, `{"jsonrpc":"2.0","id":1,"result":{}}`} {
			if set.Deliver(t.Context(), "pay", []byte(bad)) == nil {
				t.Errorf("%s was delivered", bad)
			}
		}
		if set.Deliver(t.Context(), "other", []byte(`{"jsonrpc":"2.0","method":"x"}`)) == nil {
			t.Error("delivered to nobody")
		}
		synctest.Wait()
		if len(h.answers) != 1 || !strings.Contains(h.answers[0], `"id":"q"`) || !strings.Contains(h.answers[0], `"action":"decline"`) {
			t.Errorf("answers %s", h.answers)
		}
	})
}

func TestServersMayAskForTheDirectories(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t, "pay")
		directories := []string{"/work dir"}
		set := openInHost(t, h, mcp.Options{Roots: func() []string { return directories }}, "pay")
		for range 2 {
			if err := set.Deliver(t.Context(), "pay", []byte(`{"jsonrpc":"2.0","id":5,"method":"roots/list"}`)); err != nil {
				t.Error(err)
			}
			synctest.Wait()
			directories = append(directories, "/more")
		}
		if len(h.answers) != 2 || !strings.Contains(h.answers[0], `[{"name":"work dir","uri":"file:///work%20dir"}]`) || !strings.Contains(h.answers[1], `"file:///more"`) {
			t.Errorf("answers %s", h.answers)
		}
	})
}

func TestACallInTheHostEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t, "pay")
		set := openInHost(t, h, mcp.Options{Limits: mcp.Limits{Call: time.Minute}}, "pay")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		want(t, run(ctx, find(t, set, "mcp__pay__wait"), `{"n":1}`), tool.Interrupted)
		synctest.Wait()
		if last := h.methods[len(h.methods)-1]; last != "notifications/cancelled" {
			t.Errorf("the host heard %s last", last)
		}
		began := time.Now()
		want(t, run(t.Context(), find(t, set, "mcp__pay__wait"), `{"n":1}`), tool.Failed, "did not answer within 1m0s")
		if took := time.Since(began); took != time.Minute {
			t.Errorf("it took %v", took)
		}
		synctest.Wait() // until the server has heard of it
	})
}

func TestAPersonTakesTheTimeTheyNeed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := openInHost(t, newHost(t, "pay"), mcp.Options{
			Limits: mcp.Limits{Call: time.Minute},
			Elicit: func(ctx context.Context, _ mcp.Elicitation) (mcp.Answer, error) {
				select {
				case <-time.After(time.Hour + time.Second):
				case <-ctx.Done():
				}
				return mcp.Answer{}, ctx.Err()
			},
		}, "pay")
		want(t, run(t.Context(), find(t, set, "mcp__pay__ask"), `{"n":1}`), tool.Succeeded, "decline")
	})
}

func TestAChangedListIsPickedUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := openInHost(t, newHost(t, "pay"), mcp.Options{}, "pay")
		before := len(set.Tools())
		want(t, run(t.Context(), find(t, set, "mcp__pay__grow"), `{"n":1}`), tool.Succeeded)
		time.Sleep(time.Second) // of the test's own clock: the server tells in a moment
		synctest.Wait()
		if len(set.Tools()) != before {
			t.Error("the list has changed by itself")
		}
		set.Refresh(t.Context())
		if len(set.Tools()) != before+1 {
			t.Errorf("%d tools, were %d", len(set.Tools()), before)
		}
		want(t, run(t.Context(), find(t, set, "mcp__pay__grown"), `{}`), tool.Succeeded, "hello")
	})
}

func TestAHostThatAnswersNonsense(t *testing.T) {
	for _, reply := range []string{``, `{`, `null`, `[]`, `{"jsonrpc":"2.0","id":99,"result":{}}`, `{"jsonrpc":"2.0","method":"x"}`} {
		synctest.Test(t, func(t *testing.T) {
			set := mcp.Open(t.Context(), sdkServers("pay"), mcp.Options{Host: func(context.Context, string, []byte) ([]byte, error) { return []byte(reply), nil }})
			set.Wait(t.Context())
			if s := status(t, set, "pay"); s.State != mcp.Failed || !strings.Contains(s.Reason, "the host's answer") {
				t.Errorf("%s: %+v", reply, s)
			}
			set.Close(t.Context())
		})
	}
}

func TestAHostThatDoesNotAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := mcp.Open(t.Context(), sdkServers("pay"), mcp.Options{Host: func(ctx context.Context, _ string, _ []byte) ([]byte, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}})
		began := time.Now()
		set.Wait(t.Context())
		if s := status(t, set, "pay"); s.State != mcp.Failed || !strings.Contains(s.Reason, "did not answer within 30s") || time.Since(began) > 40*time.Second {
			t.Errorf("%+v after %v", s, time.Since(began))
		}
		set.Close(t.Context())
	})
}

func TestResultsOfManyKinds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := openInHost(t, newHost(t, "pay"), mcp.Options{}, "pay")
		got := run(t.Context(), find(t, set, "mcp__pay__mixed"), `{}`)
		want(t, got, tool.Succeeded, "look", `type "image/tiff" cannot be shown`, "3 bytes of audio", "[resource a at file:///a] the first", "[resource file:///b]\ninside", "file:///c: 3 bytes")
		if len(got.Blocks) != 7 || string(got.Blocks[1]) != `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}` {
			t.Errorf("blocks %s", got.Blocks)
		}
		if string(got.Data) != fmt.Sprintf("[%s]", join(got.Blocks)) {
			t.Errorf("data %s", got.Data)
		}
		want(t, run(t.Context(), find(t, set, "mcp__pay__structured"), `{}`), tool.Succeeded, `{"a":1}`)
		nothing := run(t.Context(), find(t, set, "mcp__pay__nothing"), `{}`)
		want(t, nothing, tool.Succeeded, "returned nothing")
		if string(nothing.Data) != "[]" {
			t.Errorf("data %s", nothing.Data)
		}
	})
}

func join(blocks []strictjson.Raw) string {
	parts := make([]string, len(blocks))
	for i, b := range blocks {
		parts[i] = string(b)
	}
	return strings.Join(parts, ",")
}
