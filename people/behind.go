package people

import (
	"strings"

	"github.com/assent-dev/assent/internal/room"
)

// behind stands between the address of a proxy and the one for which it says that it acts.
const behind = " for "

// Behind is where somebody comes from whose request a proxy has passed on: the address of the
// connection, and the last one of X-Forwarded-For, which that proxy has written. Anybody can
// write such a header, so it frees nobody: it only tells those apart who have one address, and
// what is counted for that address is counted all the same. What is no address is left out.
func Behind(address, forwarded string) string {
	if forwarded = strings.TrimSpace(forwarded); room.Network(forwarded) == room.Nowhere {
		return address
	}
	return address + behind + forwarded
}

// placeOf is where somebody comes from, and proxy the part of it that the connection says.
func placeOf(from string) (place, proxy string) {
	address, forwarded, _ := strings.Cut(from, behind)
	proxy = room.Network(address)
	if client := room.Network(forwarded); client != room.Nowhere {
		return proxy + behind + client, proxy
	}
	return proxy, proxy
}
