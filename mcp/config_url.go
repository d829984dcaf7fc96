package mcp

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
)

// checkURL: what goes to a server may be secret, so it is encrypted unless it stays on
// this machine.
func checkURL(text string) error {
	if text == "" {
		return errors.New(`"url" is missing`)
	}
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return errors.New("the url cannot be read; write https://host/path")
	case u.Hostname() == "":
		return errors.New("the url has no host; write https://host/path")
	case u.User != nil:
		return errors.New("the url has a user or password, which would show up in messages; use headers")
	case u.Fragment != "":
		return errors.New("the url has a fragment (#…), which is never sent; remove it")
	case u.Scheme == "https":
		return nil
	case u.Scheme != "http":
		return fmt.Errorf("the url has the scheme %q; want https", u.Scheme)
	case !isLoopback(u.Hostname()):
		return fmt.Errorf("http to %s is not encrypted; use https (http is for this machine only)", u.Host)
	}
	return nil
}

// checkPage: a page that a person is to open is encrypted, also on this machine. Who asks
// them to is a stranger, and what listens here may take a click for an order.
func checkPage(text string) error {
	if err := checkURL(text); err != nil {
		return err
	}
	if !strings.HasPrefix(strings.ToLower(text), "https:") {
		return errors.New("the page is not encrypted")
	}
	return nil
}

func isLoopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback() || strings.EqualFold(host, "localhost")
}

// checkHeader refuses what could end the header and start another.
func checkHeader(h Pair) error {
	if h.Name == "" || strings.IndexFunc(h.Name, notHeaderRune) >= 0 {
		return fmt.Errorf("%q is no name of a header", h.Name)
	}
	if strings.IndexFunc(h.Value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) >= 0 {
		return fmt.Errorf("the header %s contains a line break or another control character", h.Name)
	}
	return nil
}

func notHeaderRune(r rune) bool {
	return notNameRune(r) && !strings.ContainsRune("!#$%&'*+.^`|~", r)
}
