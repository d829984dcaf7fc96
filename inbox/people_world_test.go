package inbox

import (
	"testing"
	"time"

	"github.com/assent-dev/assent/people"
)

// crowd is a server with people.
type crowd struct {
	*world
	// tokens are those of the sign-ins, by who has them.
	tokens map[string]string
}

func passwordOf(name string) string { return "the password of " + name }

var operator = people.Operator("olga@test")

// newCrowd is a server at which vera may look, abe and ben may answer, and ada may do
// everything. All of them are signed in.
func newCrowd(t testing.TB) *crowd {
	t.Helper()
	c := newStrangers(t)
	c.add(people.Viewer, "vera")
	c.add(people.Approver, "abe")
	c.add(people.Approver, "ben")
	c.add(people.Admin, "ada")
	return c
}

// newStrangers is a server at which people sign in, and that knows nobody yet.
func newStrangers(t testing.TB) *crowd {
	t.Helper()
	c := &crowd{world: newWorld(t), tokens: map[string]string{}}
	var err error
	c.People, err = people.On(t.Context(), c.Tickets.Database())
	c.must(err)
	return c
}

// add adds a person, and signs him in.
func (c *crowd) add(role people.Role, name string) {
	c.t.Helper()
	c.know(role, name)
	c.signIn(name)
}

// know adds a person, who signs in himself.
func (c *crowd) know(role people.Role, name string) {
	c.t.Helper()
	c.must(c.People.Add(c.t.Context(), operator, people.Person{Name: name, Shown: "Mx " + name, Role: role}, passwordOf(name)))
}

func (c *crowd) signIn(name string) {
	c.t.Helper()
	token, _, err := c.People.SignIn(c.t.Context(), name, passwordOf(name), "127.0.0.1:1")
	c.must(err)
	c.tokens[name] = token
}

// as is the server as somebody sees it.
func (c *crowd) as(name string) *world {
	c.t.Helper()
	token, known := c.tokens[name]
	if !known {
		c.t.Fatalf("%s is not signed in", name)
	}
	w := *c.world
	w.bearer = token
	return &w
}

// promote makes somebody an admin, who signs in anew.
func (c *crowd) promote(name string) {
	c.t.Helper()
	c.must(c.People.SetRole(c.t.Context(), operator, name, people.Admin))
	c.signIn(name)
}

// deputy makes somebody the deputy of a person.
func (c *crowd) deputy(from, to string) {
	c.t.Helper()
	_, err := c.People.Delegate(c.t.Context(), operator, from, to, time.Now().Add(time.Hour), "holidays")
	c.must(err)
}

// program is a token of a program of somebody.
func (c *crowd) program(name string, role people.Role) string {
	c.t.Helper()
	token, _, err := c.People.Issue(c.t.Context(), operator, name, "ci", role, time.Now().Add(time.Hour))
	c.must(err)
	return token
}
