package custom

import (
	"strings"
	"unicode"
)

// Command is a prompt in a file.
type Command struct {
	// Name is what is typed behind the slash: "ship", or "team:ship" for a file in a
	// directory.
	Name string
	// Description and ArgumentHint are for people.
	Description, ArgumentHint string
	// Model is the one to ask; empty means the session's.
	Model string
	// Allow is the list allowed-tools; an entry may be a list itself.
	Allow []Entry
	// Body is the prompt.
	Body string
	// File is where it stands, Sum stands for its text; empty when that cannot be read.
	File, Sum string
	// Fault is why it cannot be used.
	Fault *Fault
}

func readCommand(f file) Command {
	c := Command{Name: f.name, File: f.at, Fault: f.fault}
	if c.Fault != nil {
		return c
	}
	c.Sum = sum(f.text)
	if c.Fault = c.understand(f.text); c.Fault != nil {
		c.Fault.File = f.at
	}
	return c
}

func (c *Command) understand(text string) *Fault {
	head, body, line, f := split(text)
	if f != nil {
		return f
	}
	if c.Allow, f = head.list("allowed-tools"); f != nil {
		return f
	}
	// Hints stand in brackets mostly, and are one text all the same.
	if f = head.texts([]string{"description", "argument-hint", "model"}, &c.Description, &c.ArgumentHint, &c.Model); f != nil {
		return f
	}
	c.Model = ownModel(c.Model)
	if c.Body = strings.TrimSpace(body); c.Body == "" {
		return fault(line, "there is no prompt behind the front matter")
	}
	return nil
}

// ownModel is the model that somebody named; "inherit" names none.
func ownModel(name string) string {
	if name == "inherit" {
		return ""
	}
	return name
}

// Called takes a prompt apart that names a command: "/name" and what follows. A name is
// made of letters, digits, "-", "_" and ":", so that most paths are none.
func Called(prompt string) (name, arguments string, ok bool) {
	rest, ok := strings.CutPrefix(prompt, "/")
	if !ok {
		return "", "", false
	}
	name, arguments = rest, ""
	if i := strings.IndexFunc(rest, unicode.IsSpace); i >= 0 {
		name, arguments = rest[:i], strings.TrimSpace(rest[i:])
	}
	if name == "" || strings.Trim(name, nameLetters+":") != "" {
		return "", "", false
	}
	return name, arguments, true
}

// Expand is the prompt with arguments in it: $ARGUMENTS is all of them, $1 to $9 are
// single ones, which quotes keep together. A prompt that mentions none gets them at its
// end. What arguments say is not looked at again.
func (c *Command) Expand(arguments string) string {
	var b strings.Builder
	single, used := words(arguments), false
	for rest := c.Body; rest != ""; {
		i := strings.IndexByte(rest, '$')
		if i < 0 {
			b.WriteString(rest)
			break
		}
		b.WriteString(rest[:i])
		rest = rest[i:]
		text, length := argument(rest, arguments, single)
		if length == 0 {
			text, length = "$", 1
		} else {
			used = true
		}
		b.WriteString(text)
		rest = rest[length:]
	}
	if !used && arguments != "" {
		b.WriteString("\n\nArguments: " + arguments)
	}
	return b.String()
}

// argument is what stands for the placeholder at the start of text, and how long that is.
func argument(text, all string, single []string) (value string, length int) {
	if strings.HasPrefix(text, "$ARGUMENTS") {
		return all, len("$ARGUMENTS")
	}
	isDigit := func(i int) bool { return i < len(text) && text[i] >= '0' && text[i] <= '9' }
	if !isDigit(1) || text[1] == '0' || isDigit(2) {
		return "", 0
	}
	if n := int(text[1] - '0'); n <= len(single) {
		value = single[n-1]
	}
	return value, 2
}

// words are the arguments one by one.
func words(text string) []string {
	var all []string
	var word strings.Builder
	quote, begun := rune(0), false
	end := func() {
		if begun {
			all = append(all, word.String())
		}
		word.Reset()
		begun = false
	}
	for _, c := range text {
		switch {
		case c == quote:
			quote = 0
		case quote == 0 && !begun && (c == '"' || c == '\''):
			quote, begun = c, true
		case quote == 0 && unicode.IsSpace(c):
			end()
		default:
			begun = true
			word.WriteRune(c)
		}
	}
	end()
	return all
}
