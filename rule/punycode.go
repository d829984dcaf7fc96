package rule

import "unicode/utf8"

// The parameters of RFC 3492 for names of hosts.
const (
	punyBase = 36
	punyMin  = 1
	punyMax  = 26
	punySkew = 38
	punyDamp = 700
	punyBias = 72
)

// punycode writes a label with letters beyond ASCII in the way of RFC 3492: the
// ASCII ones first, then, for each other one in the order of their numbers, how far
// it is from the one before.
func punycode(label []rune) string {
	var out []byte
	for _, r := range label {
		if r < utf8.RuneSelf {
			out = append(out, byte(r))
		}
	}
	done := len(out)
	first := done
	if done > 0 {
		out = append(out, '-')
	}
	n, delta, bias := rune(utf8.RuneSelf), 0, punyBias
	for done < len(label) {
		next := nextRune(label, n)
		delta += int(next-n) * (done + 1)
		for _, r := range label {
			if r < next {
				delta++
			}
			if r == next {
				out = appendPuny(out, delta, bias)
				bias = adaptBias(delta, done+1, done == first)
				delta = 0
				done++
			}
		}
		n = next + 1
		delta++
	}
	return string(out)
}

// nextRune is the smallest rune that is not below n.
func nextRune(label []rune, n rune) rune {
	next := rune(utf8.MaxRune)
	for _, r := range label {
		if r >= n {
			next = min(next, r)
		}
	}
	return next
}

// appendPuny writes a number in digits whose weight depends on the bias.
func appendPuny(out []byte, number, bias int) []byte {
	const digits = "abcdefghijklmnopqrstuvwxyz0123456789"
	for k := punyBase; ; k += punyBase {
		t := min(max(k-bias, punyMin), punyMax)
		if number < t {
			return append(out, digits[number])
		}
		out = append(out, digits[t+(number-t)%(punyBase-t)])
		number = (number - t) / (punyBase - t)
	}
}

// adaptBias makes the bias follow how large the numbers are.
func adaptBias(delta, count int, first bool) int {
	if first {
		delta /= punyDamp
	} else {
		delta /= 2
	}
	delta += delta / count
	k := 0
	for ; delta > (punyBase-punyMin)*punyMax/2; k += punyBase {
		delta /= punyBase - punyMin
	}
	return k + (punyBase-punyMin+1)*delta/(delta+punySkew)
}
