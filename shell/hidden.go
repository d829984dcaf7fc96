package shell

// Hidden is the first command of which the text does not say what it runs: its program is
// known only to bash, or its code comes from a variable, a pipe or a file. It is nil when
// there is none. A program or script that is named is not hidden, whatever it may do.
func (s *Script) Hidden() *Command {
	for i := range s.Commands {
		if c := &s.Commands[i]; c.Opaque == OpaqueShell || c.Opaque == OpaqueCode && c.codeIsHidden() {
			return c
		}
	}
	return nil
}

// codeIsHidden: the program that an interpreter is to run does not stand in the text.
func (c *Command) codeIsHidden() bool {
	code := inlineCode(c)
	if code.stdin {
		return c.Stdin.Kind != StdinText
	}
	return code.at > 0 && code.at < len(c.Words) && !c.Words[code.at].Known()
}
