package inbox

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/link"
	"github.com/assent-dev/assent/permission"
)

// requestsOfPeople are the bodies that are only sent where there are people, or notifications.
var requestsOfPeople = []string{
	"SignInRequest", "OwnPasswordRequest", "NothingRequest", "AddPersonRequest", "RoleRequest", "PasswordRequest", "DeputyRequest", "TokenRequest", "RevokeTokenRequest", "LinkRequest",
}

// Real answers about people are as the description says.
func TestAnswersAboutPeopleAreAsDescribed(t *testing.T) {
	c := newCrowd(t)
	var err error
	c.Links, err = link.On(t.Context(), c.Tickets.Database())
	c.must(err)
	s := newSchemas(t)
	status := func(want int, who, method, route, path, body string) answer {
		t.Helper()
		a := c.as(who).request(method, path, body)
		s.answer(method, route, a)
		if a.status != want {
			t.Errorf("%s %s: %d %s", method, path, a.status, a.body)
		}
		if body != "" && a.status == 200 {
			s.valid("the body of "+route, s.doc.Paths[route]["post"].RequestBody.schema(), body)
		}
		return a
	}
	do := func(who, method, route, path, body string) answer {
		t.Helper()
		return status(200, who, method, route, path, body)
	}
	const v1 = "/api/v1"
	same := func(who, method, path, body string) answer { t.Helper(); return do(who, method, path, path, body) }
	until := time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
	same("ada", "GET", v1+"/sign-in", "")
	same("ada", "POST", v1+"/sign-in", `{"name":"ben","password":"`+passwordOf("ben")+`"}`)
	status(401, "ada", "POST", v1+"/sign-in", v1+"/sign-in", `{"name":"ben","password":"wrong"}`)
	same("vera", "GET", v1+"/me", "")
	same("ada", "GET", v1+"/people", "")
	same("ada", "POST", v1+"/people", `{"name":"carl","shown":"Carl","email":"c@example.org","role":"approver","password":"a password that is long"}`)
	status(409, "ada", "POST", v1+"/people", v1+"/people", `{"name":"carl","role":"approver","password":"a password that is long"}`)
	person := func(what, body string) {
		t.Helper()
		do("ada", "POST", v1+"/people/{name}/"+what, v1+"/people/carl/"+what, body)
	}
	person("role", `{"role":"viewer"}`)
	person("password", `{"password":"another one that is long"}`)
	person("disable", `{}`)
	person("enable", `{}`)
	person("sign-out", `{}`)
	do("ada", "GET", v1+"/people/{name}/rules", v1+"/people/carl/rules", "")
	status(404, "ada", "POST", v1+"/people/{name}/disable", v1+"/people/nobody-here/disable", `{}`)
	status(409, "ada", "POST", v1+"/people/{name}/disable", v1+"/people/ada/disable", `{}`)
	var made deputyView
	same("abe", "POST", v1+"/deputies", `{"from":"abe","to":"ben","until":"`+until+`","reason":"holidays"}`).into(t, &made)
	same("abe", "GET", v1+"/deputies", "")
	do("abe", "POST", v1+"/deputies/{number}/revoke", v1+"/deputies/"+strconv.FormatInt(made.Number, 10)+"/revoke", `{}`)
	var token tokenView
	same("abe", "POST", v1+"/tokens", `{"label":"ci","role":"viewer","until":"`+until+`"}`).into(t, &token)
	same("abe", "GET", v1+"/tokens", "")
	do("abe", "POST", v1+"/tokens/{number}/revoke", v1+"/tokens/"+strconv.FormatInt(token.Number, 10)+"/revoke", `{"name":"abe"}`)
	c.terms, c.requester = permission.Terms{Approvers: 2, Reason: true, NotRequester: true}, "vera@desk"
	ticket := c.park(bash("npm test"))[0]
	one, path := v1+"/tickets/{id}", v1+"/tickets/"+ticket.ID
	do("abe", "POST", one+"/approve", path+"/approve", `{"digest":"`+ticket.Digest+`","reason":"it is tested"}`)
	status(400, "ben", "POST", one+"/approve", path+"/approve", `{"digest":"`+ticket.Digest+`"}`)
	if a := do("ben", "GET", one, path, ""); !strings.Contains(a.body, `"same":true`) || !strings.Contains(a.body, `"kind":"vote"`) {
		t.Error(a.body)
	}
	do("abe", "POST", one+"/undo", path+"/undo", `{"digest":"`+ticket.Digest+`"}`)
	status(409, "abe", "POST", one+"/send", path+"/send", `{"digest":"`+ticket.Digest+`"}`)
	status(410, "abe", "POST", v1+"/links", v1+"/links", `{"link":"x"}`)
	same("abe", "POST", v1+"/links", `{"link":"`+c.linkTo(ticket)+`"}`)
	same("vera", "POST", v1+"/me/password", `{"old":"`+passwordOf("vera")+`","password":"a new one that is long"}`)
	same("abe", "POST", v1+"/sign-out", `{}`)
	text, err := strictjson.Marshal(changeView{Serial: 1, Ticket: "t", From: "pending", To: "pending", Who: "abe", At: time.Now(), Kind: "vote"})
	c.must(err)
	s.valid("an event of a vote", "ChangeEvent", string(text))
	for _, name := range requestsOfPeople {
		if !s.used[name] {
			t.Errorf("no body was checked against %s", name)
		}
	}
	if _, err := c.People.Find(t.Context(), "carl"); err != nil {
		t.Error(err)
	}
}
