package client_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/assent-dev/assent/inbox/client"
)

func TestTheTokenIsOnlySentWhereItIsSafe(t *testing.T) {
	for address, ok := range map[string]bool{
		"http://127.0.0.1:8722": true, "http://127.8.0.1": true, "http://[::1]:7777": true, "http://localhost:7777": true, "https://inbox.example": true, "https://inbox.example/": true,
		"http://inbox.example": false, "http://10.0.0.1": false, "http://localhost.example": false, "http://127.0.0.1.example": false, "http://0.0.0.0": false, "ftp://127.0.0.1": false,
		"127.0.0.1:8722": false, "": false, "http://": false, "http://x@127.0.0.1": false, "http://127.0.0.1/path": false, "http://127.0.0.1/#token=x": false, "http://127.0.0.1?x=1": false,
	} {
		if _, err := client.New(address, "t"); (err == nil) != ok {
			t.Errorf("%s: %v", address, err)
		}
	}
	if _, err := client.NewWith("http://10.0.0.1", "t", client.Options{Trust: client.AnyNetwork}); err != nil {
		t.Error(err)
	}
	for _, token := range []string{"", "a b", "a\nb", "ä"} {
		if _, err := client.New("http://127.0.0.1", token); err == nil {
			t.Errorf("the token %q", token)
		}
	}
}

// A redirect is not followed: it could lead anywhere, with the token.
func TestTheTokenGoesNowhereElse(t *testing.T) {
	asked := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer other.Close()
	server := httptest.NewServer(knows("t", http.RedirectHandler(other.URL, http.StatusTemporaryRedirect)))
	defer server.Close()
	c, err := client.New(server.URL, "t")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.List(t.Context(), client.Query{}); err == nil || asked {
		t.Errorf("%v, asked: %v", err, asked)
	}
}

func TestAnswersThatAreNone(t *testing.T) {
	var answer string
	status := 200
	server := httptest.NewServer(knows("t", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	})))
	defer server.Close()
	c, err := client.New(server.URL, "t")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		status       int
		answer, want string
	}{
		{200, "<html>", "cannot be read"},
		{200, `{"tickets":1}`, "cannot be read"},
		{500, "oops", "is no inbox of assent"},
		{409, `{"error":{"code":"answered","message":"somebody was faster"}}`, "somebody was faster"},
	} {
		status, answer = test.status, test.answer
		if _, err := c.List(t.Context(), client.Query{}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%d %s: %v", test.status, test.answer, err)
		}
	}
	status, answer = 200, ": connected\n\nevent: change\nid: 3\ndata: {\"serial\":3,\"to\":\"approved\"}\n\n: ping\n\n"
	var got []int64
	var last error
	for e, err := range c.Events(t.Context(), 0) {
		if last = err; err == nil {
			got = append(got, e.Serial)
		}
	}
	if len(got) != 1 || got[0] != 3 || !errors.Is(last, io.ErrUnexpectedEOF) {
		t.Errorf("%v, %v", got, last)
	}
	answer = "data: nonsense\n\n"
	for _, err := range c.Events(t.Context(), 0) {
		if err == nil || !strings.Contains(err.Error(), "cannot be read") {
			t.Error(err)
		}
	}
}

func TestAServerThatIsNotThere(t *testing.T) {
	server := httptest.NewServer(nil)
	address := server.URL
	server.Close()
	c, err := client.New(address, "t")
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Detail(context.Background(), "abcdefghijkm")
	if err == nil || !strings.Contains(err.Error(), "assent serve") || strings.Count(err.Error(), "abcdefghijkm") != 0 {
		t.Error(err)
	}
}
