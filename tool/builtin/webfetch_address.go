package builtin

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"
	"time"
)

// namedHost is what the host of a URL says about where the page may come from. The
// addresses that a name stands for are not known before the connection is made, and may
// be others than a moment ago; so every address is looked at when it is dialled.
type namedHost struct {
	name string
	// literal is the address when the host is written as one.
	literal netip.Addr
	local   bool // it is written "localhost"
}

func newNamedHost(host string) namedHost {
	h := namedHost{name: strings.ToLower(strings.TrimSuffix(host, "."))}
	if addr, err := netip.ParseAddr(h.name); err == nil {
		h.literal = addr
	}
	h.local = h.name == "localhost"
	return h
}

// plainHTTP: the host is this machine or was named by its address, which is how
// servers without a certificate are reached.
func (h namedHost) plainHTTP() bool { return h.local || h.literal.IsValid() }

// reach is how far an address is from here.
type reach uint8

const (
	// reachNever: link-local addresses, where clouds hand out credentials, and those
	// that are no single machine.
	reachNever reach = iota
	// reachNear: this machine and private networks.
	reachNear
	reachPublic
)

// addressError is an address that is not fetched from.
type addressError struct {
	host string
	addr netip.Addr
	why  reach
}

func (e *addressError) Error() string {
	if e.why == reachNever {
		return fmt.Sprintf("%s is a link-local or reserved address (%s), from which nothing is fetched", e.host, e.addr)
	}
	return fmt.Sprintf("%s leads to %s, an address of this machine or of a private network, which is only fetched from when the URL itself names the address or localhost", e.host, e.addr)
}

// check says whether an address may be dialled for the host.
func (h namedHost) check(addr netip.Addr) error {
	addr = addr.Unmap()
	switch far := reachOf(addr.WithZone("")); {
	case far == reachNever:
		return &addressError{h.name, addr, far}
	case far == reachPublic, h.local && addr.IsLoopback(), h.literal.IsValid() && h.literal.Unmap() == addr:
		return nil
	default:
		return &addressError{h.name, addr, far}
	}
}

// reachOf sorts an address. IPv6 addresses that carry an IPv4 one are what they carry.
func reachOf(addr netip.Addr) reach {
	switch {
	case addr.IsUnspecified(), addr.IsMulticast(), addr.IsLinkLocalUnicast(), within(addr, "0.0.0.0/8"), within(addr, "255.255.255.255/32"),
		within(addr, "64:ff9b:1::/48"), within(addr, "2001::/32"), // NAT64 of a site and Teredo: nobody can tell where they lead
		servesCredentials(addr):
		return reachNever
	}
	if inner, ok := carried(addr); ok {
		return min(reachOf(inner), reachNear) // a detour that nobody takes on purpose
	}
	switch {
	case addr.IsLoopback(), addr.IsPrivate(), within(addr, "100.64.0.0/10"), within(addr, "192.0.0.0/24"), within(addr, "198.18.0.0/15"), within(addr, "240.0.0.0/4"),
		within(addr, "fec0::/10"):
		return reachNear
	}
	return reachPublic
}

func within(addr netip.Addr, prefix string) bool { return netip.MustParsePrefix(prefix).Contains(addr) }

// servesCredentials tells the addresses at which clouds hand them out and which are not
// link-local, as the others are.
func servesCredentials(addr netip.Addr) bool {
	return within(addr, "168.63.129.16/32") || // Azure
		within(addr, "100.100.100.200/32") || // Alibaba
		within(addr, "192.0.0.192/32") || // Oracle
		within(addr, "fd00:ec2::/32") || // Amazon
		within(addr, "fd20:ce::/32") || // Google
		within(addr, "fd00:42::/32") // Scaleway
}

// carried is the IPv4 address that an IPv6 one leads to: whoever has such addresses set
// up sends packets for them on to the one inside.
func carried(addr netip.Addr) (netip.Addr, bool) {
	b := addr.As16()
	isatap := b[8]&^2 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe // in any network
	switch {
	case !addr.Is6(), addr.IsLoopback(), addr.IsUnspecified():
	case isatap, within(addr, "::/96"), within(addr, "::ffff:0:0:0/96"), within(addr, "64:ff9b::/96"): // the others: compatible, SIIT, NAT64
		return netip.AddrFrom4([4]byte(b[12:16])), true
	case within(addr, "2002::/16"): // 6to4
		return netip.AddrFrom4([4]byte(b[2:6])), true
	}
	return netip.Addr{}, false
}

// transport connects to one host, once for each request, and leaves nothing open. It
// uses no proxy: behind one, nobody could tell where a name leads.
func (h namedHost) transport(resolver *net.Resolver) *http.Transport {
	dialer := net.Dialer{
		Timeout:  10 * time.Second,
		Resolver: resolver,
		ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
			at, err := netip.ParseAddrPort(address)
			if err != nil {
				return err
			}
			return h.check(at.Addr())
		},
	}
	return &http.Transport{
		DialContext: dialer.DialContext, DisableKeepAlives: true, MaxResponseHeaderBytes: 256 << 10,
		TLSHandshakeTimeout: 10 * time.Second,
	}
}
