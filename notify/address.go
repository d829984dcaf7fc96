package notify

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"syscall"
)

// reach is who can be behind an address.
type reach uint8

const (
	// nobody: no message belongs there. Multicast, reserved blocks, and link-local addresses,
	// at which clouds hand their keys to whoever asks.
	nobody reach = iota
	// here: this machine.
	here
	// nearby: the networks that this machine is in.
	nearby
	// everywhere: the internet.
	everywhere
)

// block is a range of addresses and who can be behind them.
type block struct {
	prefix netip.Prefix
	reach  reach
}

// blocks are the special ones of the registries of IANA, the narrower before the wider. What
// is in none of them is the internet.
var blocks = func() []block {
	var all []block
	for _, row := range []struct {
		reach    reach
		prefixes string
	}{
		// Metadata services outside of the link-local block: Alibaba, Amazon, Azure, Google,
		// Oracle, Linode, Scaleway.
		{nobody, "100.100.100.200/32 fd00:ec2::/32 168.63.129.16/32 fd20:ce::254/128 fd00:c1::a9fe:a9fe/128 fd00:a9fe:a9fe::1/128 fd00:42::42/128 fd00:100::100:200/128"},
		{here, "127.0.0.0/8 ::1/128"},
		{nearby, "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 198.18.0.0/15 fc00::/7 fec0::/10"},
		{nobody, "0.0.0.0/8 169.254.0.0/16 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4"},
		{nobody, "::/96 ::ffff:0:0:0/96 64:ff9b:1::/48 fe80::/10 ff00::/8 100::/64 2001::/23 2001:db8::/32 3fff::/20 5f00::/16"},
	} {
		for prefix := range strings.FieldsSeq(row.prefixes) {
			all = append(all, block{netip.MustParsePrefix(prefix), row.reach})
		}
	}
	return all
}()

// Networks that carry the addresses of IPv4 inside those of IPv6.
var (
	nat64 = netip.MustParsePrefix("64:ff9b::/96")
	sixTo = netip.MustParsePrefix("2002::/16")
)

// reachOf judges an address, and the one inside it where it carries another.
func reachOf(address netip.Addr) reach {
	address = address.Unmap().WithZone("")
	bytes := address.As16()
	switch {
	case !address.IsValid():
		return nobody
	case nat64.Contains(address):
		return reachOf(netip.AddrFrom4([4]byte(bytes[12:16])))
	case sixTo.Contains(address):
		return reachOf(netip.AddrFrom4([4]byte(bytes[2:6])))
	}
	for _, b := range blocks {
		if b.prefix.Contains(address) {
			return b.reach
		}
	}
	return everywhere
}

// cover is what protects a message on its way.
type cover uint8

const (
	encrypted   cover = iota
	plainNearby       // nothing: it may go as far as the networks of this machine
	plainHere         // nothing: it stays on this machine
)

// refusal is an address that a target may not have.
type refusal struct{ text string }

func (r *refusal) Error() string { return r.text }

// judge is nil for an address that the target may have.
func (t Target) judge(address netip.Addr) error {
	far := reachOf(address)
	switch {
	case far == nobody:
		return &refusal{"leads to an address at which no message belongs"}
	case far != everywhere && !t.private:
		return &refusal{`leads into a private network: if that is meant, say "private": true`}
	case t.cover == plainNearby && far == everywhere:
		return &refusal{"leads to the internet, and nothing would be encrypted: use https"}
	case t.cover == plainHere && far != here:
		return &refusal{`leads to another machine, and nothing would be encrypted: leave out "tls": "none"`}
	}
	return nil
}

// control judges the address that is about to be dialled, after every lookup.
func (t Target) control(_, address string, _ syscall.RawConn) error {
	target, err := netip.ParseAddrPort(address)
	if err != nil {
		return &refusal{"leads to an address that cannot be judged"}
	}
	return t.judge(target.Addr())
}

// checkHost judges a host as it is written in settings. Names are judged when they are
// dialled; spellings of numbers that some resolvers take for an address have no place.
func (t Target) checkHost(host string) error {
	if address, err := netip.ParseAddr(host); err == nil {
		if address.Zone() != "" {
			return errors.New("an address with a zone is one of this machine's links")
		}
		if err := t.judge(address); err != nil {
			return fmt.Errorf("the address %w", err)
		}
		return nil
	}
	if host == "" || len(host) > 253 || strings.ContainsFunc(host, func(r rune) bool {
		return !isName(string(r)) && r != '.'
	}) {
		return errors.New("that is no name of a host (names in other scripts are written as xn--…)")
	}
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	last := strings.ToLower(labels[len(labels)-1])
	if strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x") {
		return errors.New("write the address as four numbers with dots between them, or the name of a host")
	}
	return nil
}
