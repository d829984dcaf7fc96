package shell

import "strings"

// checkFormat is check for the subcommands of git that print what a format asks for.
func (spec *optionSpec) checkFormat(words []Word, first int) Doubt {
	if doubt := spec.check(words, first); doubt.Text != "" {
		return doubt
	}
	s := scanOptions(spec, words, first)
	for s.next() {
		switch s.option {
		case "format", "pretty", "sort":
			switch {
			case !s.value.Known():
				s.stop("the format is only known when it runs, and may ask for a check of signatures, which starts another program")
			case verifies(s.value.Text):
				s.stop("the format asks for a check of signatures, which starts another program")
			}
		}
	}
	return s.doubt
}

// verifies reports whether a format has %G? or one of its kind in it, or one for references, or a
// key to sort them by, asks for a signature. Behind the percent sign may stand a character that
// says what to do with an empty value.
func verifies(format string) bool {
	key := strings.TrimLeft(format, "-*")
	if strings.HasPrefix(key, "signature") || strings.Contains(format, "(signature") || strings.Contains(format, "(*signature") {
		return true
	}
	for i := 0; i+1 < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		i++
		if strings.HasPrefix(strings.TrimLeft(format[i:], "+- "), "G") {
			return true
		}
	}
	return false
}
