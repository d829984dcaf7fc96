package rule

import (
	"strings"
)

// domainIndex finds WebFetch rules by host.
type domainIndex struct {
	exact map[string]firsts
	below map[string]firsts // `*.example.com` hangs on "example.com"
	every firsts            // `*`
}

// domainPattern is the content of a WebFetch rule.
type domainPattern struct {
	host string // as CanonicalHost writes it; empty for every host
	// below: the subdomains of host, at any depth, but not host itself.
	below bool
}

func parseDomain(content string) (domainPattern, *fault) {
	host, ok := strings.CutPrefix(content, "domain:")
	if !ok {
		return domainPattern{}, &fault{"the content does not start with domain:", "write WebFetch(domain:example.com)"}
	}
	host = strings.Trim(host, blanks)
	if host == "*" {
		return domainPattern{}, nil
	}
	host, below := strings.CutPrefix(host, "*.")
	name, problem := CanonicalHost(host)
	if problem == "" && below && isAddress(name) {
		problem = "is an address, which has no subdomains"
	}
	if problem != "" {
		return domainPattern{}, &fault{
			"what follows domain: is not the name of a host: it " + problem,
			"write only the name: domain:example.com, or domain:*.example.com for its subdomains",
		}
	}
	return domainPattern{host: name, below: below}, nil
}

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
	found := x.every
	host, problem := CanonicalHost(host)
	if problem != "" {
		return found
	}
	found.merge(x.exact[host])
	for i := 1; i < len(host); i++ {
		if host[i] == '.' {
			found.merge(x.below[host[i+1:]])
		}
	}
	return found
}
