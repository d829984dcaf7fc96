package people

import (
	"net/netip"
	"strings"
)

// behind stands between the address of a proxy and the one for which it says that it acts.
const behind = " for "

// Behind is where somebody comes from whose request a proxy has passed on: the address of the
// connection, and the last one of X-Forwarded-For, which that proxy has written. Anybody can
// write such a header, so it frees nobody: it only tells those apart who have one address, and
// what is counted for that address is counted all the same. What is no address is left out.
func Behind(address, forwarded string) string {
	if forwarded = strings.TrimSpace(forwarded); networkOf(forwarded) == unknownPlace {
		return address
	}
	return address + behind + forwarded
}

// placeOf is where somebody comes from, and proxy the part of it that the connection says.
func placeOf(from string) (place, proxy string) {
	address, forwarded, _ := strings.Cut(from, behind)
	proxy = networkOf(address)
	if client := networkOf(forwarded); client != unknownPlace {
		return proxy + behind + client, proxy
	}
	return proxy, proxy
}

// unknownPlace is where somebody is whose address is none.
const unknownPlace = "unknown"

// networkOf is an address without its port. Whoever has one of IPv6 has all of the same network.
func networkOf(text string) string {
	address, err := netip.ParseAddr(text)
	if withPort, bad := netip.ParseAddrPort(text); bad == nil {
		address, err = withPort.Addr(), nil
	}
	if err != nil {
		return unknownPlace
	}
	address = address.Unmap().WithZone("")
	if address.Is6() {
		const network = 64
		prefix, _ := address.Prefix(network) // an address of IPv6 has so many bits
		return prefix.String()
	}
	return address.String()
}
