package terminal

import "slices"

// wide are the characters that take two columns: those that Unicode calls wide, up to
// version 17, and a few around them. Terminals do not agree about all of them, so this
// never counts less than any does: a line that is broken early looks odd, one that is
// broken by the terminal goes on in the first column.
var wide = [...]struct{ first, last rune }{
	{0x1100, 0x115f},
	{0x231a, 0x231b},
	{0x2329, 0x232a},
	{0x23e9, 0x23f3},
	{0x25fd, 0x25fe},
	{0x2614, 0x2615},
	{0x2630, 0x2637},
	{0x2648, 0x2653},
	{0x267f, 0x267f},
	{0x268a, 0x268f},
	{0x2693, 0x2693},
	{0x26a1, 0x26a1},
	{0x26aa, 0x26ab},
	{0x26bd, 0x26be},
	{0x26c4, 0x26c5},
	{0x26ce, 0x26ce},
	{0x26d4, 0x26d4},
	{0x26ea, 0x26ea},
	{0x26f2, 0x26f5},
	{0x26fa, 0x26fa},
	{0x26fd, 0x26fd},
	{0x2705, 0x2705},
	{0x270a, 0x270b},
	{0x2728, 0x2728},
	{0x274c, 0x274e},
	{0x2753, 0x2757},
	{0x2795, 0x2797},
	{0x27b0, 0x27b0},
	{0x27bf, 0x27bf},
	{0x2b1b, 0x2b1c},
	{0x2b50, 0x2b55},
	{0x2e80, 0xa4cf},
	{0xa960, 0xa97f},
	{0xac00, 0xd7a3},
	{0xf900, 0xfaff},
	{0xfe10, 0xfe1f},
	{0xfe30, 0xfe6f},
	{0xff01, 0xff60},
	{0xffe0, 0xffe6},
	{0x16fe0, 0x1b2ff},
	{0x1d300, 0x1d37f},
	{0x1f000, 0x1faff},
	{0x20000, 0x3ffff},
}

// cells is how many columns a character takes at most. One that stands on top of another
// takes none on most terminals, and one on some.
func cells(r rune) int {
	if r < wide[0].first {
		return 1
	}
	_, found := slices.BinarySearchFunc(wide[:], r, func(w struct{ first, last rune }, r rune) int {
		switch {
		case w.last < r:
			return -1
		case w.first > r:
			return 1
		}
		return 0
	})
	if found {
		return 2
	}
	return 1
}

func breadth(text string) int {
	n := 0
	for _, r := range text {
		n += cells(r)
	}
	return n
}
