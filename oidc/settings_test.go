package oidc

import (
	"reflect"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/secret"
	"github.com/assent-dev/assent/people"
)

func TestParse(t *testing.T) {
	got, err := Parse([]byte(`{"issuer": "https://login.example.com", "clientId": "assent", "secret": {"env": "SECRET"}, "name": "Example",
		"scopes": ["profile", "groups"], "nameClaim": "upn", "groupsClaim": "roles", "roles": {"ops": "approver", "admins": "admin"}, "default": "viewer", "arrival": "create"}`))
	if err != nil {
		t.Fatal(err)
	}
	want := Settings{
		Issuer: "https://login.example.com", ClientID: "assent", Secret: &secret.Place{Env: "SECRET"}, Name: "Example",
		Scopes: []string{"openid", "profile", "groups"}, NameClaim: "upn", GroupsClaim: "roles",
		Roles: map[string]people.Role{"ops": people.Approver, "admins": people.Admin}, Default: people.Viewer, Arrival: people.Create,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got, err = Parse([]byte(minimal)); err != nil {
		t.Fatal(err)
	}
	want = Settings{
		Issuer: "https://login.example.com", ClientID: "assent", Name: "Example", Scopes: []string{"openid", "profile", "email"},
		NameClaim: "preferred_username", GroupsClaim: "groups", Roles: map[string]people.Role{"ops": people.Approver}, Default: people.NoRole, Arrival: people.OnlyKnown,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

const minimal = `{"issuer": "https://login.example.com", "clientId": "assent", "name": "Example", "roles": {"ops": "approver"}}`

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"no JSON", "{", "", "JSON"},
		{"a key that nobody knows", `"name"`, `"role": {}, "name"`, "role"},
		{"a key twice", `"name"`, `"clientId": "x", "name"`, "twice"},
		{"no issuer", `"issuer": "https://login.example.com", `, "", "issuer"},
		{"an open way", "https://login", "http://login", "not encrypted"},
		{"an open way that looks near", "https://login.example.com", "http://127.0.0.1.example.com", "not encrypted"},
		{"a way with a name in it", "https://login", "https://me@login", "issuer"},
		{"a way with more", "example.com", "example.com?x", "issuer"},
		{"no way", "https://login.example.com", "login", "issuer"},
		{"no client", `"clientId": "assent", `, "", "clientId"},
		{"no name", `"name": "Example", `, "", "name"},
		{"a name of two lines", `"Example"`, `"a\nb"`, "name"},
		{"the secret itself", `"name"`, `"secret": "hunter2", "name"`, "never the secret"},
		{"the secret in a key", `"name"`, `"secret": {"hunter2": ""}, "name"`, "never the secret"},
		{"no place", `"name"`, `"secret": {}, "name"`, "secret"},
		{"a scope that is two", `"name"`, `"scopes": ["a b"], "name"`, "scopes"},
		{"an unknown role", "approver", "boss", "boss"},
		{"no role at all", `{"ops": "approver"}`, "{}", "nobody would be let in"},
		{"an unknown default", `"name"`, `"default": "boss", "name"`, "boss"},
		{"an unknown arrival", `"name"`, `"arrival": "all", "name"`, "arrival"},
		{"no claim for names", `"name"`, `"nameClaim": "", "name"`, "nameClaim"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(minimal, c.old, c.new, 1)
			if text == minimal {
				t.Fatal("nothing is changed")
			}
			_, err := Parse([]byte(text))
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("got the error %v, want one with %q", err, c.want)
			}
		})
	}
	for _, near := range []string{"http://127.0.0.1:4000", "http://[::1]:4000", "http://localhost:4000/realm"} {
		if _, err := Parse([]byte(strings.Replace(minimal, "https://login.example.com", near, 1))); err != nil {
			t.Errorf("%s: %v", near, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(minimal))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := Parse(text)
		if err != nil {
			return
		}
		if people.CheckIssuer(s.Issuer) != nil || s.Name == "" || s.ClientID == "" || s.Default == people.NoRole && len(s.Roles) == 0 {
			t.Errorf("taken: %+v", s)
		}
	})
}
