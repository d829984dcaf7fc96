package classify

import (
	"strconv"
	"strings"

	"github.com/assent-dev/assent/shell"
)

// sedLoses says why a script of sed -i may throw away the lines of a file, "" if it only
// replaces text, adds lines, or deletes lines that it names. What the script runs or
// writes besides is judged by the danger analysis.
func sedLoses(args []shell.Word) string {
	const why = "it is not known to leave the other lines of the file as they are"
	found, options := false, true
	for k := 0; k < len(args); k++ {
		text, script := args[k].Text, ""
		switch {
		case options && text == "--":
			options = false
			continue
		case options && strings.HasPrefix(text, "-"):
			var more, ok bool
			if script, more, ok = sedExpression(text); !ok {
				continue
			}
			if more {
				if k++; k == len(args) {
					return why
				}
				script = args[k].Text
			}
		case found:
			continue // a file
		default:
			script = text
		}
		found = true
		if !args[k].Known() || !sedKeeps(script) {
			return why
		}
	}
	return ""
}

// sedExpression is the script in an option; more means that the next word is it.
func sedExpression(text string) (script string, more, ok bool) {
	if long, is := strings.CutPrefix(text, "--"); is {
		name, value, valued := strings.Cut(long, "=")
		return value, !valued, name == "expression"
	}
	letters := strings.TrimLeft(text[1:], "Ers")
	if letters == "" || letters[0] != 'e' {
		return "", false, false
	}
	return letters[1:], letters == "e", true
}

// sedKeeps: every command of the script is a substitution, adds a line, or deletes lines
// by their numbers or by a text.
func sedKeeps(script string) bool {
	for {
		if script = strings.TrimLeft(script, " \t\n;"); script == "" {
			return true
		}
		address, rest := sedAddress(script)
		if rest == "" || address == strange {
			return false
		}
		switch rest[0] {
		case 's':
			var ok bool
			if script, ok = substitution(rest[1:]); !ok {
				return false
			}
			continue
		case 'd':
			if address == none {
				return false
			}
			script = rest[1:]
		case 'p':
			script = rest[1:]
		case 'i', 'a':
			_, script, _ = strings.Cut(rest, "\n")
			continue
		default:
			return false
		}
		if script = strings.TrimLeft(script, " \t"); script != "" && script[0] != ';' && script[0] != '\n' {
			return false
		}
	}
}

// addressed is which lines a command of sed is for.
type addressed uint8

const (
	none    addressed = iota // all
	named                    // by number, or by a text in them
	strange                  // anything else
)

func sedAddress(script string) (address addressed, rest string) {
	switch c := script[0]; {
	case c == '$':
		address, rest = named, script[1:]
	case c >= '1' && c <= '9':
		address, rest = named, strings.TrimLeft(script, "0123456789")
		if to, ok := strings.CutPrefix(rest, ","); ok {
			from := script[:len(script)-len(rest)]
			if rest = strings.TrimLeft(to, "0123456789"); rest == to || !fewLines(from, to[:len(to)-len(rest)]) {
				return strange, rest
			}
		}
	case c == '/':
		text, after, ok := strings.Cut(script[1:], "/")
		text = strings.TrimSuffix(strings.TrimPrefix(text, "^"), "$")
		if !ok || len(text) < leastText || strings.ContainsAny(text, `\.*[]^$+?{}()|`) {
			return strange, after
		}
		address, rest = named, after
	default:
		return none, script
	}
	return address, strings.TrimLeft(rest, " \t")
}

// mostLines is how many lines may be deleted by their numbers: a range that is longer
// than the file is all of it.
const mostLines = 50

func fewLines(from, to string) bool {
	first, err := strconv.Atoi(from)
	if err != nil {
		return false
	}
	last, err := strconv.Atoi(to)
	return err == nil && last-first < mostLines
}

// substitution reads the rest of s/pattern/text/flags.
func substitution(text string) (rest string, ok bool) {
	if text == "" || text[0] == '\\' || text[0] == '\n' {
		return "", false
	}
	mark := text[0]
	pattern, text, ok := upTo(text[1:], mark)
	if !ok {
		return "", false
	}
	if _, text, ok = upTo(text, mark); !ok {
		return "", false
	}
	flags := text
	text = strings.TrimLeft(text, "gpiI0123456789 \t")
	flags = flags[:len(flags)-len(text)]
	if !sparing(pattern, strings.Contains(flags, "g")) {
		return "", false
	}
	return text, text == "" || text[0] == ';' || text[0] == '\n'
}

// upTo is a text up to a mark that no backslash stands before.
func upTo(text string, mark byte) (before, after string, found bool) {
	for k := 0; k < len(text); k++ {
		switch text[k] {
		case '\\':
			k++
		case mark:
			return text[:k], text[k+1:], true
		}
	}
	return text, "", false
}
