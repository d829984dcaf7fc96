package rule

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// domainIndex finds WebFetch rules by host.
type domainIndex struct {
	exact map[string]firsts
	below map[string]firsts // `*.example.com` hangs on "example.com"
	every firsts            // `*`
}

// domainPattern is the content of a WebFetch rule.
type domainPattern struct {
	host string // in lower case, without a final dot; empty for every host
	// below: the subdomains of host, at any depth, but not host itself.
	below bool
}

func parseDomain(content string) (domainPattern, *fault) {
	host, ok := strings.CutPrefix(content, "domain:")
	if !ok {
		return domainPattern{}, &fault{"the content does not start with domain:", "write WebFetch(domain:example.com)"}
	}
	host = foldHost(strings.Trim(host, blanks))
	if host == "*" {
		return domainPattern{}, nil
	}
	name, below := strings.CutPrefix(host, "*.")
	if !isHost(name) {
		return domainPattern{}, &fault{
			"what follows domain: is not the name of a host",
			"write only the name: domain:example.com, or domain:*.example.com for its subdomains",
		}
	}
	return domainPattern{host: name, below: below}, nil
}

// isHost is a check of shape: it keeps out URLs, ports and stray stars.
func isHost(name string) bool {
	if strings.Count(name, ":") > 1 { // an IPv6 address
		return strings.Trim(name, "0123456789abcdef:.") == ""
	}
	return !strings.ContainsFunc(name, notInHost) && !strings.Contains("."+name+".", "..")
}

func notInHost(r rune) bool {
	return r < utf8.RuneSelf && !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' && r != '.'
}

// foldHost brings a host into the form that is compared.
func foldHost(host string) string { return strings.ToLower(strings.TrimSuffix(host, ".")) }

func (x *domainIndex) add(p domainPattern, b Behavior, rule int32) {
	switch {
	case p.host == "":
		x.every.put(b, rule)
	case p.below:
		put(&x.below, p.host, b, rule)
	default:
		put(&x.exact, p.host, b, rule)
	}
}

func (x *domainIndex) find(host string) firsts {
	host = foldHost(host)
	found := x.every
	found.merge(x.exact[host])
	for i := 1; i < len(host); i++ {
		if host[i] == '.' {
			found.merge(x.below[host[i+1:]])
		}
	}
	return found
}
