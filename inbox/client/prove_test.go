package client_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/assent-dev/assent/inbox/client"
	"github.com/assent-dev/assent/inbox/proof"
	"github.com/assent-dev/assent/internal/strictjson"
)

// knows is a server that proves that it knows a token, and is the next one otherwise.
func knows(token string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != proof.At {
			next.ServeHTTP(w, r)
			return
		}
		var q proof.Question
		data, _ := io.ReadAll(r.Body)
		_ = strictjson.Unmarshal(data, &q)
		digest := proof.Digest(token)
		text, _ := strictjson.Marshal(q.Prove(digest[:], r.Host))
		_, _ = w.Write(text)
	})
}

// impostor answers in the place of a server, and keeps everything that it is sent.
type impostor struct {
	mu     sync.Mutex
	heard  strings.Builder
	answer http.Handler
}

func (i *impostor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	_ = r.Header.Write(&i.heard)
	i.mu.Unlock()
	i.answer.ServeHTTP(w, r)
}

const secretToken = "the-token-of-the-server-that-is-down"

func TestA1_AnImpostorNeverGetsTheToken(t *testing.T) {
	say := func(status int, text string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, text)
		})
	}
	elsewhere := httptest.NewServer(knows(secretToken, say(200, `{}`)))
	defer elsewhere.Close()
	passOn := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { // to the server, which is at another port by now
		resp, err := http.Post(elsewhere.URL+r.URL.Path, "application/json", r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		defer resp.Body.Close()
		_, _ = io.Copy(w, resp.Body)
	})
	for name, answer := range map[string]http.Handler{
		"it knows another token":    knows("a guess", say(200, `{}`)),
		"it says yes to everything": say(200, `{}`),
		"it knows no proofs":        say(404, `{"error":{"code":"not_found","message":"there is nothing"}}`),
		"it is no inbox":            say(200, "<html>"),
		"it cannot":                 say(500, "oops"),
		"it sends people elsewhere": http.RedirectHandler(elsewhere.URL+proof.At, http.StatusTemporaryRedirect),
		"it asks the server":        passOn,
		"it says too much":          say(200, strings.Repeat(" ", 1<<20)),
	} {
		t.Run(name, func(t *testing.T) {
			stranger := &impostor{answer: answer}
			server := httptest.NewServer(stranger)
			defer server.Close()
			c, err := client.New(server.URL, secretToken)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := c.List(t.Context(), client.Query{}); err == nil {
				t.Error("it was believed")
			}
			for _, err := range c.Events(t.Context(), 0) {
				if err == nil {
					t.Error("it was followed")
				}
			}
			if heard := stranger.heard.String(); strings.Contains(heard, "Authorization") || strings.Contains(heard, secretToken) || !strings.Contains(heard, "Content-Type") {
				t.Errorf("it has heard %s", heard)
			}
		})
	}
}

// The server is there, goes away, and somebody else takes its port: the next connection is
// proved like the first one.
func TestA1_AnImpostorAfterTheServer(t *testing.T) {
	server := httptest.NewServer(knows(secretToken, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+secretToken {
			t.Error("the server that has proved itself does not get the token")
		}
		_, _ = io.WriteString(w, `{"tickets":[]}`)
	})))
	c, err := client.New(server.URL, secretToken)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := c.List(t.Context(), client.Query{}); err != nil {
			t.Fatal(err)
		}
	}
	address := server.Listener.Addr().String()
	server.Close()
	stranger := &impostor{answer: knows("a guess", http.NotFoundHandler())}
	taken := httptest.NewUnstartedServer(stranger)
	taken.Listener.Close()
	if taken.Listener, err = net.Listen("tcp", address); err != nil {
		t.Skip("somebody else was faster: ", err)
	}
	taken.Start()
	defer taken.Close()
	_, err = c.List(t.Context(), client.Query{})
	if refused, ok := errors.AsType[*client.Error](err); !ok || refused.Code != client.Forbidden || !strings.Contains(refused.Message, "was not sent") {
		t.Error(err)
	}
	if heard := stranger.heard.String(); strings.Contains(heard, "Authorization") || heard == "" {
		t.Errorf("it has heard %s", heard)
	}
}
