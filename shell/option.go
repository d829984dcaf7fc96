package shell

import "strings"

// optionSpec is what is known about the options of a program. The lists are plain
// text in the notation of getopt, so that a program is one line of a table and
// nothing has to be built when the process starts.
type optionSpec struct {
	// short lists the harmless one-letter options. ":" after a letter means that
	// it takes a value (glued or the next word), "::" that it may have a glued one.
	short string
	// long lists the harmless long options without dashes. "=" after a name means
	// that it takes a value (glued or the next word), "?" that it may have a glued one.
	long string
	// harm lists the options that do more than read and what they do:
	// "-o --output: writes a file; --pre: runs a program". They are listed with
	// the others so that an abbreviation is never taken for a harmless one.
	harm string
	// loose: no argument whatever can do harm, so words that are not known before
	// the command runs are fine anywhere.
	loose bool
	// exact: the program does not accept abbreviated long options.
	exact bool
	// posix: the first operand ends the options.
	posix bool
	// most is the greatest number of operands that is harmless.
	most operandLimit
}

// operandLimit is a number of operands; zero means any number.
type operandLimit int8

const noOperands operandLimit = -1

// arity says what an option takes.
type arity uint8

const (
	notListed arity = iota
	takesNothing
	takesValue // glued, or the next word
	mayTakeValue
)

// shortArity looks a letter up in a list such as "ab:c::".
func shortArity(list string, letter byte) arity {
	i := strings.IndexByte(list, letter)
	switch {
	case i < 0 || letter == ':':
		return notListed
	case strings.HasPrefix(list[i+1:], "::"):
		return mayTakeValue
	case strings.HasPrefix(list[i+1:], ":"):
		return takesValue
	}
	return takesNothing
}

// longArity looks a full name up in a list such as "all color? width=".
func longArity(list, name string) arity {
	if name == "" {
		return notListed
	}
	for i := range len(name) {
		if c := name[i]; c == ' ' || c == '=' || c == '?' {
			return notListed
		}
	}
	for from := 0; ; {
		i := strings.Index(list[from:], name)
		if i < 0 {
			break
		}
		start, end := from+i, from+i+len(name)
		if start == 0 || list[start-1] == ' ' {
			switch {
			case end == len(list) || list[end] == ' ':
				return takesNothing
			case list[end] == '=':
				return takesValue
			case list[end] == '?':
				return mayTakeValue
			}
		}
		from = end
	}
	return notListed
}

// completions counts the names of a list that start with prefix and returns the
// last of them.
func completions(list, prefix string) (name string, takes arity, count int) {
	for rest := list; rest != ""; {
		var field string
		field, rest, _ = strings.Cut(rest, " ")
		if field == "" || !strings.HasPrefix(field, prefix) {
			continue
		}
		count++
		switch name, takes = field, takesNothing; field[len(field)-1] {
		case '=':
			name, takes = field[:len(field)-1], takesValue
		case '?':
			name, takes = field[:len(field)-1], mayTakeValue
		}
	}
	return name, takes, count
}

// option resolves a long name as the program would. A name that is, or could be
// meant as, a harmful option is not resolved, nor is an ambiguous one.
func (spec *optionSpec) option(name string) (full string, takes arity) {
	if takes = longArity(spec.long, name); takes != notListed {
		return name, takes
	}
	if spec.exact || name == "" || spec.harmOfLong(name) != "" {
		return "", notListed
	}
	full, takes, count := completions(spec.long, name)
	if count != 1 {
		return "", notListed
	}
	return full, takes
}

// harmOfShort says what a harmful one-letter option does, "" when it is none.
func (spec *optionSpec) harmOfShort(letter byte) string {
	return harmOf(spec.harm, letter, "")
}

// harmOfLong says what the harmful option does that name is or abbreviates.
func (spec *optionSpec) harmOfLong(name string) string {
	return harmOf(spec.harm, 0, name)
}

// harmOf looks for the letter or, when it is 0, for names that start with name.
func harmOf(list string, letter byte, name string) string {
	for list != "" {
		var entry string
		entry, list, _ = strings.Cut(list, "; ")
		spellings, does, _ := strings.Cut(entry, ": ")
		for spellings != "" {
			var spelling string
			spelling, spellings, _ = strings.Cut(spellings, " ")
			isLetter := len(spelling) == 2
			if isLetter && letter != 0 && spelling[1] == letter || !isLetter && letter == 0 && strings.HasPrefix(spelling[2:], name) {
				return does
			}
		}
	}
	return ""
}

// harmIn says what a word would do if the program took it for an option. It is
// asked of values and of words after "--": programs of one name differ in which
// options take a value, and a mistake there must not hide an option.
func (spec *optionSpec) harmIn(text string) string {
	if len(text) < 2 || text[0] != '-' || spec.harm == "" {
		return ""
	}
	if text[1] == '-' {
		name, _, _ := strings.Cut(text[2:], "=")
		if name == "" || longArity(spec.long, name) != notListed {
			return ""
		}
		return spec.harmOfLong(name)
	}
	for i := 1; i < len(text); i++ {
		if harm := spec.harmOfShort(text[i]); harm != "" {
			return harm
		}
		if takes := shortArity(spec.short, text[i]); takes != takesNothing {
			break
		}
	}
	return ""
}
