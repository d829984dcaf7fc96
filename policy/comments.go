package policy

// blankComments replaces comments and trailing commas with blanks, so that what is
// left is JSON with every value at its old place.
func blankComments(text []byte) []byte {
	out := make([]byte, len(text))
	copy(out, text)
	comma := -1 // a comma that nothing has followed yet
	for i := 0; i < len(out); i++ {
		switch c := out[i]; c {
		case '"':
			comma = -1
			if end := stringEnd(out, i); end >= 0 {
				i = end
			}
		case '/':
			if end := commentEnd(out, i); end > i {
				blank(out[i:end])
				i = end - 1
			} else {
				comma = -1
			}
		case ',':
			comma = i
		case ']', '}':
			if comma >= 0 && follows(out, comma) {
				out[comma] = ' '
			}
			comma = -1
		case ' ', '\t', '\r', '\n':
		default:
			comma = -1
		}
	}
	return out
}

// follows: a value stands before the comma, so that removing it leaves a list as
// it was meant.
func follows(text []byte, comma int) bool {
	for i := comma - 1; i >= 0; i-- {
		switch text[i] {
		case ' ', '\t', '\r', '\n':
		case '[', '{', ',', ':':
			return false
		default:
			return true
		}
	}
	return false
}

// commentEnd is where the comment at i ends, or i.
func commentEnd(text []byte, i int) int {
	if i+1 >= len(text) {
		return i
	}
	switch text[i+1] {
	case '/':
		for end := i + 2; end < len(text); end++ {
			if text[end] == '\n' {
				return end
			}
		}
		return len(text)
	case '*':
		for end := i + 3; end < len(text); end++ {
			if text[end-1] == '*' && text[end] == '/' {
				return end + 1
			}
		}
	}
	return i
}

// blank keeps line breaks, so that lines keep their numbers.
func blank(text []byte) {
	for i := range text {
		if text[i] != '\n' {
			text[i] = ' '
		}
	}
}
