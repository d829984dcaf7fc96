package shell

import "strings"

// amazon judges aws: the operation says in its name that it deletes.
func amazon(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	if c.rehearses() || c.asksForHelp() || c.hasWord("help") {
		return nil
	}
	operands := 0
	storage := false
	for at := 1; at < len(c.Words); at++ {
		text := c.Words[at].Text
		switch {
		case isOption(text):
			continue
		case operands == 0:
			storage = text == "s3"
		case storage && (text == "rb" || text == "rm"):
			return s.at(kindInfra, i, at, "deletes cloud storage")
		case storage && text == "sync" && c.hasAny("delete"):
			return s.at(kindInfra, i, at, "deletes cloud storage")
		case deletesByName(text):
			return s.at(kindInfra, i, at, "deletes cloud resources")
		case text == "s3":
			storage = true
		}
		operands++
	}
	return nil
}

// deletesByName: delete-x, terminate-x and others that cannot be taken back.
func deletesByName(operation string) bool {
	for _, prefix := range [...]string{
		"delete-", "terminate-", "purge-", "batch-delete-", "deregister-", "destroy-", "release-", "admin-delete-", "remove-permission", "reset-",
	} {
		if strings.HasPrefix(operation, prefix) {
			return true
		}
	}
	switch operation {
	case "schedule-key-deletion", "empty-bucket", "force-delete", "delete":
		return true
	}
	return strings.HasSuffix(operation, "-deletion") && strings.HasPrefix(operation, "schedule-")
}

// requests judges curl, wget and http: a DELETE to another machine.
func requests(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	at := c.deleteRequest()
	if at == 0 || c.onlyAsks() {
		return nil
	}
	for _, word := range c.Args() {
		if host := urlHost(word.Text); host != "" && loopback(host) {
			return nil
		}
	}
	return s.at(kindInfra, i, at, "sends a request that deletes")
}

// deleteRequest is the index of the word that makes it a DELETE request.
func (c *Command) deleteRequest() int {
	name := c.Program()
	switch name {
	case "http", "https", "xh", "httpie", "curlie":
		for at := 1; at < len(c.Words); at++ {
			if text := c.Words[at].Text; !isOption(text) {
				if strings.EqualFold(text, "DELETE") {
					return at
				}
				return 0
			}
		}
		return 0
	}
	g := &requestOptions
	if name == "curl" || name == "wget" {
		g = &about(name).spec.grammar
	}
	a := c.arguments(g)
	for a.next() {
		if (a.is('X', "request") || a.is(0, "method")) && strings.EqualFold(a.value, "DELETE") {
			return a.valueAt
		}
	}
	return 0
}

var requestOptions = grammar{values: "X F f H method field raw-field header"}

// urlHost is the host of a URL, "" when the text is none.
func urlHost(text string) string {
	_, rest, ok := strings.Cut(text, "://")
	if !ok {
		rest = text
		if first := firstName(text); !strings.Contains(first, ":") && first != "localhost" && first != "127.0.0.1" {
			return ""
		}
	}
	host := firstName(rest)
	host = host[strings.LastIndexByte(host, '@')+1:]
	if strings.HasPrefix(host, "[") {
		host, _, _ = strings.Cut(host[1:], "]")
		return host
	}
	host, _, _ = strings.Cut(host, ":")
	return host
}

// loopback: the host is this machine.
func loopback(host string) bool {
	switch host {
	case "localhost", "::1", "0.0.0.0", "host.docker.internal":
		return true
	}
	return strings.HasPrefix(host, "127.") || strings.HasSuffix(host, ".localhost")
}
