package inbox

import (
	"net/http"
	"strings"
	"testing"

	"github.com/assent-dev/assent/inbox/proof"
	"github.com/assent-dev/assent/people"
)

// The server proves that it knows a token to everybody who does, and tells nobody else anything.
func TestA1_TheServerProvesItself(t *testing.T) {
	w, c := newWorld(t), newCrowd(t)
	program := c.program("abe", people.Approver)
	nobody := func(r *http.Request) { r.Header.Del("Authorization") }
	for name, test := range map[string]struct {
		at     *world
		token  string
		proves bool
	}{
		"the token of the server":             {w, testToken, true},
		"another token":                       {w, "another-token", false},
		"a person":                            {c.world, c.tokens["abe"], true},
		"a program":                           {c.world, program, true},
		"the token of a server with people":   {c.world, testToken, false},
		"a token that nobody has":             {c.world, "asp_" + strings.Repeat("A", 43), false},
		"a person at a server without people": {w, c.tokens["abe"], false},
	} {
		t.Run(name, func(t *testing.T) {
			digest := proof.Digest(test.token)
			q := proof.Ask(digest)
			text := `{"key":"` + q.Key + `","nonce":"` + q.Nonce + `"}`
			var a, again proof.Answer
			test.at.request("POST", proof.At, text, nobody).into(t, &a)
			test.at.request("POST", proof.At, text, nobody).into(t, &again)
			host := strings.TrimPrefix(test.at.web.URL, "http://")
			if a.Proves(q, digest, host) != test.proves || a == again || len(a.Proof) != len(again.Proof) {
				t.Errorf("%+v, and then %+v", a, again)
			}
		})
	}
}
