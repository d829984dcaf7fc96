package rule

import (
	"net/netip"
	"strings"
	"unicode/utf8"
)

// CanonicalHost is the one spelling of a host, for rules and calls alike: lower
// case, no final dot, addresses in their shortest form without a zone, letters
// beyond ASCII in their xn-- form. problem says why a text is not the name of a
// host, or one that programs read differently; "" when it is.
func CanonicalHost(host string) (name, problem string) {
	if plainHost(host) {
		return host, ""
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.WithZone("").Unmap().String(), ""
	}
	labels := strings.Split(host, ".")
	for i, label := range labels {
		if label == "" {
			return "", "has an empty part"
		}
		if labels[i], problem = asciiLabel(label); problem != "" {
			return "", problem
		}
	}
	last := labels[len(labels)-1]
	if strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x") {
		return "", "is a number in an unusual form: write the address as 127.0.0.1"
	}
	return strings.Join(labels, "."), ""
}

// plainHost: nothing about the host has to be changed or looked at closely. It is
// the common case.
func plainHost(host string) bool {
	if host == "" || host[0] == '.' || strings.Contains(host, "..") {
		return false
	}
	for i := range len(host) {
		if !plainByte(host[i]) && host[i] != '.' {
			return false
		}
	}
	top := host[strings.LastIndexByte(host, '.')+1:]
	return top != "" && top[0] >= 'a' && top[0] <= 'z' // else it may be an address
}

func plainByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_'
}

func isAddress(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil
}

// asciiLabel is one part of a name in ASCII.
func asciiLabel(label string) (ascii, problem string) {
	plain := true
	for _, r := range label {
		switch {
		case r < utf8.RuneSelf && plainByte(byte(r)):
		case r < utf8.RuneSelf:
			return "", "holds more than letters, digits, - _ and ."
		case !settled(r):
			return "", "holds letters that programs read differently: write it in its xn-- form"
		default:
			plain = false
		}
	}
	if plain {
		return label, ""
	}
	return "xn--" + punycode([]rune(label)), ""
}

// settled: every version of the rules for international names leaves this small
// letter as it is. What is composed of several characters, and what some versions
// replace by something else, is not.
func settled(r rune) bool {
	switch {
	case r >= 0xe0 && r <= 0xff && r != 0xf7, // à to ÿ
		r >= 0x101 && r <= 0x17e && r != 0x133 && r != 0x140 && r != 0x149,                              // ā to ž, but for ligatures
		r >= 0x3ac && r <= 0x3ce && r != 0x3c2,                                                          // Greek, but for the final sigma
		r >= 0x430 && r <= 0x45f,                                                                        // Cyrillic
		r >= 0x5d0 && r <= 0x5ea,                                                                        // Hebrew
		r >= 0x3041 && r <= 0x3096, r >= 0x30a1 && r <= 0x30fa, r == 0x30fc, r >= 0x4e00 && r <= 0x9fff, // Japanese, Chinese
		r >= 0xac00 && r <= 0xd7a3: // Korean
		return true
	}
	return false
}
