package inbox

import (
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/people"
)

// visitors are those who try everything, in the order of the columns below.
var visitors = []string{"nobody", "viewer", "approver", "admin", "disabled", "program", "deputy"}

// mayDoWhat says for each of the visitors whether he gets in at a route, or else with which
// status he is refused. The program works for an approver, as a viewer; the deputy is a viewer
// who may answer for one.
var mayDoWhat = map[string]string{
	//                                          nobody viewer approver admin disabled program deputy
	"GET /healthz":                                "in in in in in in in",
	"GET /readyz":                                 "in in in in in in in",
	"GET /api/v1/openapi.json":                    "in in in in in in in",
	"GET /api/v1/sign-in":                         "in in in in in in in",
	"POST /api/v1/sign-in":                        "in in in in in in in",
	"POST /api/v1/proof":                          "in in in in in in in",
	"POST /api/v1/sign-out":                       "401 in in in 401 in in",
	"GET /api/v1/me":                              "401 in in in 401 in in",
	"POST /api/v1/me/password":                    "401 in in in 401 403 in",
	"GET /api/v1/overview":                        "401 in in in 401 in in",
	"GET /api/v1/tickets":                         "401 in in in 401 in in",
	"GET /api/v1/history":                         "401 in in in 401 in in",
	"GET /api/v1/tickets/{id}":                    "401 in in in 401 in in",
	"GET /api/v1/tickets/{id}/audit":              "401 in in in 401 in in",
	"POST /api/v1/tickets/{id}/check":             "401 403 in in 401 403 in",
	"POST /api/v1/tickets/{id}/approve":           "401 403 in in 401 403 in",
	"POST /api/v1/tickets/{id}/deny":              "401 403 in in 401 403 in",
	"POST /api/v1/tickets/{id}/undo":              "401 403 in in 401 403 in",
	"POST /api/v1/tickets/{id}/send":              "401 403 in in 401 403 in",
	"POST /api/v1/tickets/{id}/resolve":           "401 403 in in 401 403 in",
	"POST /api/v1/tickets/{id}/comment":           "401 in in in 401 in in",
	"POST /api/v1/batch":                          "401 403 in in 401 403 in",
	"POST /api/v1/links":                          "401 in in in 401 in in",
	"GET /api/v1/sessions/{id}":                   "401 in in in 401 in in",
	"GET /api/v1/events":                          "401 in in in 401 in in",
	"POST /api/v1/presence":                       "401 in in in 401 in in",
	"GET /api/v1/people":                          "401 403 403 in 401 403 403",
	"POST /api/v1/people":                         "401 403 403 in 401 403 403",
	"POST /api/v1/people/{name}/role":             "401 403 403 in 401 403 403",
	"POST /api/v1/people/{name}/password":         "401 403 403 in 401 403 403",
	"POST /api/v1/people/{name}/disable":          "401 403 403 in 401 403 403",
	"POST /api/v1/people/{name}/enable":           "401 403 403 in 401 403 403",
	"POST /api/v1/people/{name}/sign-out":         "401 403 403 in 401 403 403",
	"GET /api/v1/people/{name}/rules":             "401 403 403 in 401 403 403",
	"GET /api/v1/deputies":                        "401 in in in 401 in in",
	"POST /api/v1/deputies":                       "401 403 403 in 401 403 403",
	"POST /api/v1/deputies/{number}/revoke":       "401 403 403 in 401 403 403",
	"GET /api/v1/tokens":                          "401 in in in 401 in in",
	"POST /api/v1/tokens":                         "401 403 403 in 401 403 403",
	"POST /api/v1/tokens/{number}/revoke":         "401 403 403 in 401 403 403",
	"GET /api/v1/tokens?name=ada":                 "401 403 403 in 401 403 403",
	"POST /api/v1/deputies his own":               "401 in in in 401 403 in",
	"POST /api/v1/tokens his own":                 "401 in in in 401 403 in",
	"POST /api/v1/tokens/{number}/revoke his own": "401 in in in 401 403 in",
}

// attempts are requests that reach what a route is for, and change nothing about calls. The
// last two words of a key say whose it is.
func attempts(own string) map[string]string {
	const person = "POST /api/v1/people/{name}/"
	end := `"until":"` + time.Now().Add(time.Hour).UTC().Format(time.RFC3339) + `"`
	return map[string]string{
		"POST /api/v1/sign-in": `{"name":1}`, "POST /api/v1/proof": `{"key":1}`, "POST /api/v1/sign-out": `{"x":1}`, "POST /api/v1/me/password": `{"old":"x","password":"short"}`,
		"POST /api/v1/tickets/{id}/check": `{"input":{"command":"ls"}}`, "POST /api/v1/tickets/{id}/approve": `{"digest":"x"}`,
		"POST /api/v1/tickets/{id}/deny": `{"digest":"x","reason":"no"}`, "POST /api/v1/tickets/{id}/undo": `{"digest":"x"}`, "POST /api/v1/tickets/{id}/send": `{"digest":"x"}`,
		"POST /api/v1/tickets/{id}/resolve": `{"ran":true}`, "POST /api/v1/tickets/{id}/comment": `{"text":""}`, "POST /api/v1/batch": `{"approve":[]}`,
		"POST /api/v1/links": `{"link":"x"}`, "POST /api/v1/presence": `{"window":"x","ticket":""}`,
		"POST /api/v1/people": `{"name":"","role":"viewer","password":""}`, person + "role": `{"role":"viewer"}`, person + "password": `{"password":"a password that is long"}`,
		person + "disable": `{}`, person + "enable": `{}`, person + "sign-out": `{}`,
		"POST /api/v1/deputies": `{"from":"ada","to":"abe",` + end + `}`, "POST /api/v1/deputies his own": `{"from":"` + own + `","to":"ben",` + end + `}`,
		"POST /api/v1/deputies/{number}/revoke": `{}`,
		"POST /api/v1/tokens":                   `{"name":"ada","label":"x","role":"viewer",` + end + `}`, "POST /api/v1/tokens his own": `{"label":"x","role":"viewer",` + end + `}`,
		"POST /api/v1/tokens/{number}/revoke": `{"name":"ada"}`, "POST /api/v1/tokens/{number}/revoke his own": `{}`,
	}
}

// Every route is tried by everybody.
func TestA4_WhoMayDoWhat(t *testing.T) {
	c := newCrowd(t)
	c.add(people.Approver, "dora")
	c.must(c.People.Disable(t.Context(), operator, "dora"))
	c.add(people.Viewer, "dee")
	c.deputy("abe", "dee")
	c.tokens["program"] = c.program("abe", people.Viewer)
	c.tokens["nobody"] = ""
	names := map[string]string{"nobody": "nobody", "viewer": "vera", "approver": "abe", "admin": "ada", "disabled": "dora", "program": "program", "deputy": "dee"}
	ticket := c.park(bash("npm test"))[0]
	before := c.everything()
	var described []string
	for path, operations := range describedMethods(t) {
		for _, method := range operations {
			described = append(described, method+" "+path)
		}
	}
	for route := range mayDoWhat {
		if method, path, _ := strings.Cut(strings.TrimSuffix(route, " his own"), " "); !slices.Contains(described, method+" "+strings.TrimSuffix(path, "?name=ada")) {
			t.Errorf("%s does not exist", route)
		}
	}
	for _, route := range described {
		if mayDoWhat[route] == "" {
			t.Errorf("nobody has said who may %s", route)
		}
	}
	for route, want := range mayDoWhat {
		var got []string
		for _, visitor := range visitors {
			got = append(got, c.try(route, names[visitor], ticket))
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s:\n%s, want\n%s", route, text, want)
		}
	}
	if c.everything() != before {
		t.Error("something has changed")
	}
}

// describedMethods are the methods of the paths that are described.
func describedMethods(t *testing.T) map[string][]string {
	all := map[string][]string{}
	for path, operations := range described(t).Paths {
		for method := range operations {
			all[path] = append(all[path], strings.ToUpper(method))
		}
	}
	return all
}

// try is what becomes of a request of somebody: "in", or the status with which it is refused.
func (c *crowd) try(route, who string, ticket approval.Ticket) string {
	c.t.Helper()
	own, number := who, int64(999999)
	if who == "program" {
		own = "abe"
	}
	method, path, _ := strings.Cut(strings.TrimSuffix(route, " his own"), " ")
	switch path {
	case "/api/v1/events":
		path += "?after=-1"
	case "/api/v1/deputies/{number}/revoke":
		d, err := c.People.Delegate(c.t.Context(), operator, "ada", "ben", time.Now().Add(time.Hour), "")
		c.must(err)
		number = d.Number
	}
	path = strings.NewReplacer("/tickets/{id}", "/tickets/"+ticket.ID, "/sessions/{id}", "/sessions/"+ticket.Session, "{name}", "nobody-here", "{number}", strconv.FormatInt(number, 10)).Replace(path)
	a := c.as(who).request(method, path, attempts(own)[route], func(r *http.Request) {
		if who == "nobody" {
			r.Header.Del("Authorization")
		}
	})
	switch a.status {
	case http.StatusUnauthorized, http.StatusForbidden:
		if a.code() != "forbidden" {
			c.t.Errorf("%s by %s: %d %s", route, who, a.status, a.body)
		}
		return strconv.Itoa(a.status)
	case http.StatusInternalServerError, http.StatusMethodNotAllowed, http.StatusUnsupportedMediaType:
		c.t.Errorf("%s by %s: %d %s", route, who, a.status, a.body)
	}
	return "in"
}

// A route about which nobody has thought is for nobody.
func TestA4_ARouteThatSaysNothingRefuses(t *testing.T) {
	all := &visitor{name: "ada", role: people.Admin, answers: []string{"ada"}, token: "asp_x"}
	if new(route).who.refuses(all) == nil {
		t.Error("an admin gets in")
	}
	for _, a := range []access{closed, seers, answerers, managers, managers + 1} {
		if a.refuses(&visitor{}) == nil {
			t.Errorf("%d lets somebody in who is nobody", a)
		}
	}
	for _, r := range newWorld(t).routes() {
		if (r.who == anybody) != open(r.path) {
			t.Errorf("%s %s: the gate and the table do not agree", r.method, r.path)
		}
		// A yes is looked at once more behind the table, which would hide a mistake in it.
		answers := slices.Contains([]string{"check", "approve", "deny", "undo", "send", "resolve", "batch"}, path.Base(r.path))
		if answers != (r.who == answerers) {
			t.Errorf("%s %s is for %d", r.method, r.path, r.who)
		}
	}
}
