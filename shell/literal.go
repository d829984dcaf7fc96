package shell

import "strings"

// maxLiteral bounds the constants that may be the name of a file.
const maxLiteral = 256

// Literals are the string constants in the program, in another language, that command
// i runs: open('.env') has one. Any of them may be the name of a file. It is empty for
// other commands.
func (s *Script) Literals(i int) []string {
	c := &s.Commands[i]
	if c.Opaque != OpaqueCode {
		return nil
	}
	var out []string
	from := func(text string) {
		p := program{text: text}
		for literal := range p.strings {
			if literal != "" && len(literal) <= maxLiteral && !strings.ContainsAny(literal, "\n\x00") && firstMark(literal) < 0 {
				out = append(out, literal)
				if name := strings.TrimLeft(literal, "<>+| "); name != literal && name != "" { // open F, ">x"
					out = append(out, name)
				}
			}
		}
	}
	for _, word := range c.Args() {
		from(word.Text)
	}
	if c.Stdin.Kind == StdinText || c.Stdin.Kind == StdinUnknown {
		from(c.Stdin.Text)
	}
	if c.Stdin.Kind == StdinPipe && c.Stdin.To > c.Stdin.From && c.Stdin.To <= len(s.Commands) {
		for _, word := range s.Commands[c.Stdin.To-1].Args() { // echo "open('.env')" | python3
			from(word.Text)
		}
	}
	return out
}
