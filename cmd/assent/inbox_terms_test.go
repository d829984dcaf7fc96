package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
)

// The list says what a yes needs, here as at a server, before somebody says one in vain.
func TestA4_TheInboxSaysWhatAYesNeeds(t *testing.T) {
	const all = "needs the yes of 3 people; somebody else than whoever wanted it; a reason"
	const some = "; 1 of 3 people have approved; it waits for the others"
	w := newCounter(t)
	ticket := w.parkedBy("ana@host", permission.Terms{Approvers: 3, Reason: true, NotRequester: true})
	w.run(0, "inbox", "--once")
	w.says(all, "!of 3 people have", "!assent approve", "sign in at the server", "assent deny ID")
	w.yesOf(ticket, "ben", "looked", nil)
	w.run(0, "inbox", "--once")
	w.says(all + some)
	w.run(0, "inbox", "--json")
	w.says(`"approvers": 3`, `"not_requester": true`, `"approvals": 1`, `"requester": "ana@host"`)

	call := func(more string) string {
		return `{"id":"abcdefghjkmn","state":"pending","risk":"medium","sentence":"Run deploy","digest":"sha256:1"` + more + `}`
	}
	listed := ""
	server := httptest.NewServer(knowing(strings.Repeat("t", 40), func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"tickets":[`+listed+`],"next":"","counts":{},"serial":1,"damaged":[],"crowds":[]}`)
	}))
	defer server.Close()
	token := filepath.Join(w.home, "token")
	w.check(os.WriteFile(token, []byte(strings.Repeat("t", 40)), 0o600))
	for more, want := range map[string]string{
		``: "!needs",
		`,"requester":"ana@host","terms":{"approvers":3,"reason":true,"not_requester":true}`:               all,
		`,"requester":"ana@host","terms":{"approvers":3,"reason":true,"not_requester":true},"approvals":1`: all + some,
		`,"terms":{"reason":true}`: "needs a reason",
	} {
		listed = call(more)
		w.run(0, "inbox", "--once", "--server", server.URL, "--token-file", token)
		w.says("Run deploy", want)
		if personal := strings.Contains(more, "not_requester"); personal {
			w.says("!assent approve", "sign in at the server")
		} else {
			w.says("assent approve ID", "!sign in")
		}
	}
	listed = call(``) + "," + call(`,"terms":{"approvers":2}`)
	w.run(0, "inbox", "--once", "--server", server.URL, "--token-file", token)
	w.says("assent approve ID", "sign in at the server")
}
