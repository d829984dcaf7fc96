package permission

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Places are the files that a call reads or writes, with all links followed as they are at
// the moment; none for a call that names no file, and for a nil one. A yes to a call is one
// to these: behind other links lie other files.
func (c *Call) Places() []string {
	if c == nil || c.path.Real == "" {
		return nil
	}
	real := c.path.Real
	if !utf8.ValidString(real) { // what is written down must not become the name of another file
		real = strconv.QuoteToASCII(real)
	}
	return []string{real}
}

// SortedPlaces are places without those that are there twice, in one order.
func SortedPlaces(places []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(places)))
}

// OtherPlaces are those that only the one and only the other of two lists has, as a sentence
// names them; both are empty when the lists are the same. The order does not matter.
func OtherPlaces(was, is []string) (gone, come string) {
	was, is = SortedPlaces(was), SortedPlaces(is)
	if slices.Equal(was, is) {
		return "", ""
	}
	return only(was, is), only(is, was)
}

// only names what is in one list and not in another.
func only(in, notIn []string) string {
	const most = 5
	var names []string
	for _, place := range in {
		if !slices.Contains(notIn, place) {
			names = append(names, place)
		}
	}
	switch n := len(names); {
	case n == 0:
		return "no other file"
	case n > most:
		names = append(names[:most], strconv.Itoa(n-most)+" more")
	}
	return strings.Join(names, ", ")
}
