package match

// Nearly reports whether two words differ by one slip of the pen, long ones by two: a
// letter too many, too few, another, or two that changed places.
func Nearly(a, b string) bool {
	slips := 1
	if len(b) >= 12 {
		slips = 2
	}
	if len(a)-len(b) > slips || len(b)-len(a) > slips {
		return false
	}
	return slipsBetween(a, b) <= slips
}

// slipsBetween is the edit distance with transpositions; both words are short.
func slipsBetween(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			other := last[j-1]
			if a[i-1] != b[j-1] {
				other++
			}
			row[j] = min(last[j]+1, row[j-1]+1, other)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
