package manpage

import "strings"

// body sets a text: paragraphs are filled, indented lines stay as they are.
func body(text string) string {
	var s strings.Builder
	asIs := false
	for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		indented := strings.HasPrefix(line, " ")
		switch {
		case line == "" && !asIs:
			s.WriteString(".PP\n")
			continue
		case indented && !asIs:
			s.WriteString(".nf\n")
			asIs = true
		case !indented && line != "" && asIs:
			s.WriteString(".fi\n")
			asIs = false
		}
		s.WriteString(escape(line) + "\n")
	}
	if asIs {
		s.WriteString(".fi\n")
	}
	return s.String()
}

// escapes keep characters what they are in a shell: roff would make a typographic one of
// the hyphen and the quotes.
var escapes = strings.NewReplacer(`\`, `\e`, `-`, `\-`, `'`, `\(aq`, "`", `\(ga`, `^`, `\(ha`, `~`, `\(ti`, "\"", `\(dq`, "…", "...", "’", `\(aq`)

// escape keeps roff from reading a line as its own.
func escape(line string) string {
	line = escapes.Replace(line)
	if strings.HasPrefix(line, ".") {
		line = `\&` + line
	}
	return line
}
