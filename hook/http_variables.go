package hook

import "strings"

// variables are the names of the environment variables in the value of a header.
func variables(value string) []string {
	var names []string
	expandVariables(value, func(name string) string {
		names = append(names, name)
		return ""
	})
	return names
}

// expandVariables replaces $NAME and ${NAME}. Any other dollar sign is itself: a value
// with "$5" or "${a b}" holds no variable.
func expandVariables(value string, lookup func(name string) string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(value, "$")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		name, after := variableName(rest)
		if name == "" {
			b.WriteByte('$')
			value = rest
			continue
		}
		b.WriteString(lookup(name))
		value = after
	}
}

// variableName reads what follows a dollar sign; "" when that is no variable.
func variableName(text string) (name, after string) {
	if inner, ok := strings.CutPrefix(text, "{"); ok {
		name, after, closed := strings.Cut(inner, "}")
		if !closed || nameEnd(name) != len(name) {
			return "", text
		}
		return name, after
	}
	end := nameEnd(text)
	return text[:end], text[end:]
}

// nameEnd is how many bytes of text are a name.
func nameEnd(text string) int {
	for i := range len(text) {
		c := text[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return i
		}
	}
	return len(text)
}
