package room

import "net/netip"

// Nowhere is the network of what is no address.
const Nowhere = "unknown"

// Network is an address without its port. A client with one address of IPv6 has all of the same
// network.
func Network(text string) string {
	address, err := netip.ParseAddr(text)
	if withPort, bad := netip.ParseAddrPort(text); bad == nil {
		address, err = withPort.Addr(), nil
	}
	if err != nil {
		return Nowhere
	}
	address = address.Unmap().WithZone("")
	if address.Is6() {
		const network = 64
		prefix, _ := address.Prefix(network) // an address of IPv6 has so many bits
		return prefix.String()
	}
	return address.String()
}
