package mcp

import (
	"errors"
	"fmt"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
)

// maxConfig bounds a configuration; maxServers how many servers one may have.
const (
	maxConfig  = 4 << 20
	maxServers = 200
)

// ReadConfig reads a configuration file: an object with the servers under "mcpServers".
// See [ReadServers].
func ReadConfig(data []byte, env func(name string) (string, bool)) ([]Server, []Problem) {
	root, problem := tree(data)
	if problem != nil {
		return nil, []Problem{*problem}
	}
	if root.Member("mcpServers").Kind == 0 {
		return nil, []Problem{{Message: `the object has no key "mcpServers"; write {"mcpServers": {"name": {"command": "…"}}}`}}
	}
	return readServers(root.Member("mcpServers"), env)
}

// ReadServers reads the object of servers by name, in its order. ${VAR} and
// ${VAR:-default} in a command, its arguments and environment, a URL and headers stand
// for variables that env knows. A server that cannot be understood is left out and
// reported; the others count.
func ReadServers(object []byte, env func(name string) (string, bool)) ([]Server, []Problem) {
	root, problem := tree(object)
	if problem != nil {
		return nil, []Problem{*problem}
	}
	return readServers(root, env)
}

func tree(data []byte) (strictjson.Node, *Problem) {
	if len(data) > maxConfig {
		return strictjson.Node{}, &Problem{Message: fmt.Sprintf("the configuration has %d bytes, more than the limit of %d", len(data), maxConfig)}
	}
	root, err := strictjson.Tree(data)
	if err != nil {
		return root, &Problem{Message: err.Error()}
	}
	if root.Kind != '{' {
		return root, &Problem{Message: "want an object"}
	}
	return root, nil
}

func readServers(object strictjson.Node, env func(string) (string, bool)) ([]Server, []Problem) {
	if object.Kind != '{' {
		return nil, []Problem{{Message: `want an object of servers by name: {"name": {"command": "…"}}`}}
	}
	if n := len(object.Members()); n > maxServers {
		return nil, []Problem{{Message: fmt.Sprintf("%d servers are more than the limit of %d", n, maxServers)}}
	}
	var servers []Server
	r := configReader{env: env}
	for _, m := range object.Members() {
		r.name = m.Name.Text()
		if server, ok := r.server(m.Value); ok {
			servers = append(servers, server)
		}
	}
	return servers, r.problems
}

// configReader reads one server after the other and notes what is wrong.
type configReader struct {
	env      func(string) (string, bool)
	name     string
	problems []Problem
	failed   bool // the server at hand is left out
}

func (r *configReader) fail(format string, values ...any) {
	r.failed = true
	r.problems = append(r.problems, Problem{Server: r.name, Effect: LeftOut, Message: fmt.Sprintf(format, values...)})
}

func (r *configReader) ignore(format string, values ...any) {
	r.problems = append(r.problems, Problem{Server: r.name, Effect: Ignored, Message: fmt.Sprintf(format, values...)})
}

func (r *configReader) server(n strictjson.Node) (Server, bool) {
	r.failed = false
	s := Server{Name: r.name}
	if fault := nameFault(r.name); fault != "" {
		r.fail("%s", fault)
	}
	if n.Kind != '{' {
		r.fail("want an object such as {\"command\": \"…\"}")
		return s, false
	}
	if n.Member("disabled").Kind == 't' {
		r.ignore("it is disabled")
		return s, false
	}
	s.Kind = r.kind(n)
	for _, m := range n.Members() {
		r.member(&s, m.Name.Text(), m.Value)
	}
	r.check(&s, n)
	return s, !r.failed
}

// kind is what "type" says or, without it, what the other keys mean.
func (r *configReader) kind(n strictjson.Node) Kind {
	t := n.Member("type")
	switch {
	case t.Kind == 0 && n.Member("url").Kind != 0 && n.Member("command").Kind == 0:
		return HTTP
	case t.Kind == 0:
		return Stdio
	}
	switch t.Text() {
	case "stdio":
		return Stdio
	case "http", "streamable-http":
		return HTTP
	case "sdk":
		return SDK
	case "sse":
		r.fail(`the type "sse" is not supported; use "http", which most servers speak at another path, often /mcp`)
	default:
		r.fail(`unknown type %s; use "stdio", "http" or "sdk"`, t.Raw())
	}
	return Stdio
}

func (r *configReader) member(s *Server, key string, n strictjson.Node) {
	switch key {
	case "type", "disabled":
	case "name": // SDK servers repeat it
		if s.Kind == SDK && n.Text() != s.Name {
			r.fail("its name is also given as %s; write the same", n.Raw())
		}
	case "command":
		s.Command = r.text(n, key)
	case "args":
		s.Args = r.texts(n, key)
	case "env":
		s.Env = r.pairs(n, key)
	case "url":
		s.URL = r.text(n, key)
	case "headers":
		s.Headers = r.pairs(n, key)
	case "tools":
		r.policies(s, n)
	default:
		r.ignore("the key %q has no meaning here", key)
	}
}

// policies reads what is said about single tools. A restriction that cannot be understood
// must not get lost.
func (r *configReader) policies(s *Server, n strictjson.Node) {
	const want = `tools: want a list such as [{"name": "refund", "permission_policy": "always_ask"}]`
	if n.Kind != '[' {
		r.fail(want)
	}
	for e := range n.Elements() {
		name, policy := e.Member("name"), e.Member("permission_policy")
		if e.Kind != '{' || name.Kind != '"' || name.Text() == "" || policy.Kind != 0 && policy.Kind != '"' {
			r.fail(want)
			return
		}
		s.Restrictions.Add(s.Name, name.Text(), policy.Text())
	}
}

// check says what is missing for the kind, and what cannot belong to it.
func (r *configReader) check(s *Server, n strictjson.Node) {
	if r.failed {
		return
	}
	strange := func(keys ...string) {
		for _, key := range keys {
			if n.Member(key).Kind != 0 {
				r.fail("a server of type %q has no %q", s.Kind, key)
			}
		}
	}
	switch s.Kind {
	case Stdio:
		strange("url", "headers")
		if s.Command == "" {
			r.fail(`"command" is missing: name the program to start, or a "url" for a server of type "http"`)
		}
		r.checkProgram(s)
	case HTTP:
		strange("command", "args", "env")
		if err := checkURL(s.URL); err != nil {
			r.fail("%v", err)
		}
		for _, h := range s.Headers {
			if err := checkHeader(h); err != nil {
				r.fail("%v", err)
			}
		}
	case SDK:
		strange("command", "args", "env", "url", "headers")
	}
}

// checkProgram refuses what no system can pass on to a program.
func (r *configReader) checkProgram(s *Server) {
	for _, text := range append([]string{s.Command}, s.Args...) {
		if strings.ContainsRune(text, 0) {
			r.fail("the command contains a NUL character")
		}
	}
	for _, p := range s.Env {
		if p.Name == "" || strings.ContainsAny(p.Name, "=\x00") || strings.ContainsRune(p.Value, 0) {
			r.fail("%q is no name or value of an environment variable", p.Name)
		}
	}
}

func (r *configReader) text(n strictjson.Node, what string) string {
	if n.Kind != '"' {
		r.fail("%s: want a string", what)
		return ""
	}
	text, err := expand(n.Text(), r.env)
	if err != nil {
		r.fail("%s: %v", what, err)
	}
	return text
}

func (r *configReader) texts(n strictjson.Node, what string) []string {
	if n.Kind != '[' {
		r.fail("%s: want a list of strings", what)
	}
	var all []string
	for e := range n.Elements() {
		all = append(all, r.text(e, what))
	}
	return all
}

func (r *configReader) pairs(n strictjson.Node, what string) []Pair {
	if n.Kind != '{' {
		r.fail("%s: want an object of strings", what)
	}
	var all []Pair
	for _, m := range n.Members() {
		name := m.Name.Text()
		all = append(all, Pair{Name: name, Value: r.text(m.Value, what+" "+name)})
	}
	return all
}

// expand replaces ${VAR} and ${VAR:-default}. A variable that is not set and has no
// default is an error: an empty token or path would be a riddle later. What is put in is
// not looked at again.
func expand(text string, env func(string) (string, bool)) (string, error) {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${")
		out.WriteString(before)
		if !found {
			return out.String(), nil
		}
		inner, after, closed := strings.Cut(rest, "}")
		if !closed {
			return "", errors.New(`"${" without "}"`)
		}
		name, fallback, hasDefault := strings.Cut(inner, ":-")
		if !isVariable(name) {
			return "", fmt.Errorf("%q is no name of a variable; write ${VAR} or ${VAR:-default}", name)
		}
		value, set := "", false
		if env != nil {
			value, set = env(name)
		}
		switch {
		case set && (value != "" || !hasDefault):
			out.WriteString(value)
		case hasDefault:
			out.WriteString(fallback)
		default:
			return "", fmt.Errorf("the variable %s is not set; set it, or write ${%s:-default}", name, name)
		}
		text = after
	}
}

func isVariable(name string) bool {
	return name != "" && strings.IndexFunc(name, func(r rune) bool { return notNameRune(r) || r == '-' }) < 0
}
