package rule

import (
	"bytes"
	"cmp"
	"strconv"
)

// decimal is a number as it is written, compared exactly whatever its size: as a binary
// fraction 9007199254740993 would be 9007199254740992.
type decimal struct {
	negative bool
	digits   []byte // from the first that is not 0, perhaps with a point among them; empty for zero
	point    int    // the place of the decimal point, counted from before the first digit
	plain    bool   // no exponent, no zeros at the end of a fraction, no -0
}

// parseDecimal reads a number in the way of JSON. It is false for other texts, and where
// the exponent is beyond any sense.
func parseDecimal(text []byte) (d decimal, ok bool) {
	d.digits, d.negative = bytes.CutPrefix(text, []byte("-"))
	power, exponent := 0, bytes.IndexAny(d.digits, "eE")
	if exponent >= 0 {
		var err error
		if power, err = strconv.Atoi(string(d.digits[exponent+1:])); err != nil || power > 1<<30 || power < -1<<30 {
			return decimal{}, false
		}
		d.digits = d.digits[:exponent]
	}
	whole, fraction, pointed := bytes.Cut(d.digits, []byte("."))
	if !onlyDigits(whole) || pointed && !onlyDigits(fraction) {
		return decimal{}, false
	}
	d.point = len(whole) + power
	if pointed {
		d.digits = bytes.TrimRight(d.digits, "0")
	}
	d.plain = exponent < 0 && !(pointed && fraction[len(fraction)-1] == '0')
	for len(d.digits) > 0 && (d.digits[0] == '0' || d.digits[0] == '.') {
		if d.digits[0] == '0' {
			d.point--
		}
		d.digits = d.digits[1:]
	}
	if len(d.digits) == 0 {
		d.plain = d.plain && !d.negative
		d.negative, d.point = false, 0
	}
	return d, true
}

func onlyDigits(text []byte) bool {
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(text) > 0
}

// compare is less than, equal to or greater than 0 as d is to e.
func (d decimal) compare(e decimal) int {
	switch {
	case d.negative && !e.negative:
		return -1
	case e.negative && !d.negative:
		return 1
	case d.negative:
		return e.size(d)
	}
	return d.size(e)
}

// size compares without the signs.
func (d decimal) size(e decimal) int {
	if len(d.digits) == 0 || len(e.digits) == 0 {
		return cmp.Compare(len(d.digits), len(e.digits))
	}
	if d.point != e.point {
		return cmp.Compare(d.point, e.point)
	}
	a, b := d.digits, e.digits
	for len(a) > 0 || len(b) > 0 {
		var x, y byte
		x, a = firstDigit(a)
		y, b = firstDigit(b)
		if x != y {
			return cmp.Compare(x, y)
		}
	}
	return 0
}

// firstDigit cuts the first digit off, which is 0 behind the last one.
func firstDigit(digits []byte) (digit byte, rest []byte) {
	if len(digits) > 0 && digits[0] == '.' {
		digits = digits[1:]
	}
	if len(digits) == 0 {
		return '0', nil
	}
	return digits[0], digits[1:]
}
