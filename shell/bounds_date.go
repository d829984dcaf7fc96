package shell

import "strings"

// timeStamp is the class of what date prints with these words. What a constant format
// says begins with a letter or a digit, and so is no option. The names of zones, months and
// days come from files if the script says where.
func timeStamp(args []Word, localized bool) *class {
	format, given := "", false
	for i := 0; i < len(args); i++ {
		switch text := args[i].Text; {
		case text == "-u" || text == "--utc":
		case text == "-d" && i+1 < len(args):
			if i++; !isRecent(args[i].Text) {
				return looseClass
			}
			given = true
		case strings.HasPrefix(text, "+") && i == len(args)-1:
			format = text[1:]
		default:
			return looseClass
		}
	}
	if format == "" {
		return looseClass
	}
	stamp := class{kind: nameValue, names: true, empty: given} // a date that cannot be read prints nothing
	for i := 0; i < len(format); i++ {
		c := format[i]
		if c != '%' {
			if i == 0 && !isLetterOrDigit(c) {
				return looseClass
			}
			stamp.blank = stamp.blank || !isLetterOrDigit(c) && strings.IndexByte("-_.:,+=@/", c) < 0
			stamp.far = stamp.far || stamp.blank || c == '/'
			continue
		}
		if i++; i == len(format) || strings.IndexByte(stampParts, format[i]) < 0 {
			return looseClass
		}
		switch c = format[i]; {
		case i == 1 && (strings.IndexByte("zZpP", c) >= 0 || given && c == 's'): // it may be negative, or nothing
			return looseClass
		case localized && strings.IndexByte(stampNames, c) >= 0:
			return looseClass
		case c == 'D':
			stamp.far = true
		case c == 'e' || c == 'k' || c == 'l':
			stamp.far, stamp.blank = true, true
		}
	}
	return &stamp
}

// localized: the script chooses the zone or the language itself.
func (b *bounds) localized() bool {
	for _, name := range [...]string{"TZ", "LC_ALL", "LC_TIME", "LANG", "LANGUAGE"} {
		if b.assigned[name] != nil || b.loose[name] {
			return true
		}
	}
	return b.all
}

// isRecent: a day like yesterday or "7 days ago". Years before the first are negative.
func isRecent(day string) bool {
	digits := 0
	for i := range len(day) {
		switch c := day[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c != ' ' && (lowerByte(c) < 'a' || lowerByte(c) > 'z'):
			return false
		}
	}
	return digits <= 3
}

// stampParts are the parts of a date that are numbers or names.
const stampParts = "YmdHMSsFTjyDRNuVGCeIklz" + stampNames

// stampNames are those that a zone or a language gives.
const stampNames = "BbAapPZ"

func isLetterOrDigit(c byte) bool {
	return c >= '0' && c <= '9' || lowerByte(c) >= 'a' && lowerByte(c) <= 'z'
}
