package foreign

import "strings"

// obeyed: what a line does when the guard fails is a "no" to the agent.
func obeyed(a Agent, p Program, end string) bool {
	end = strings.TrimSpace(end)
	switch {
	case end == "":
		return p.otherwise(a) == ""
	case end == strings.TrimSpace(Program{}.otherwise(a)):
		return true
	case a == Codex, a == Gemini: // neither obeys a status alone
		return false
	}
	rest, ok := strings.CutPrefix(end, "||")
	return ok && exits2(strings.TrimSpace(rest))
}

// exits2: a command that ends with status 2 and does nothing else but say why. Only
// three forms are known to: exit 2, (exit 2), and { echo WORD… >&2; exit 2; }.
func exits2(command string) bool {
	if strings.ContainsAny(command, "$`\\\n") { // what that does is not known
		return false
	}
	if inner, ok := strings.CutPrefix(command, "("); ok {
		inner, ok = strings.CutSuffix(inner, ")")
		return ok && isExit2(inner)
	}
	inner, ok := strings.CutPrefix(command, "{ ")
	if !ok {
		return isExit2(command)
	}
	if inner, ok = cutEnd(inner, "}"); !ok {
		return false
	}
	if inner, ok = cutEnd(inner, ";"); !ok {
		return false
	}
	words, end, closed := splitLine(inner)
	if !closed || len(words) == 0 || words[0].text != "echo" {
		return isExit2(inner)
	}
	rest := strings.TrimSpace(strings.TrimPrefix(inner[end:], ">&2"))
	last, ok := strings.CutPrefix(rest, ";")
	return ok && isExit2(last)
}

func isExit2(command string) bool {
	words, end, closed := splitLine(command)
	return closed && end == len(command) && len(words) == 2 && words[0].text == "exit" && words[1].text == "2"
}

// cutEnd takes a sign from the end of a text, with the blanks around it.
func cutEnd(text, sign string) (before string, found bool) {
	before, found = strings.CutSuffix(strings.TrimSpace(text), sign)
	return strings.TrimSpace(before), found
}
