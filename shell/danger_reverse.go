package shell

import "strings"

// opensShell judges a shell or interpreter that is connected to the network, so
// that somebody else types its commands.
func (s *inspection) opensShell(i int) *Finding {
	c := &s.Commands[i]
	if c.opensNetwork() {
		return s.at(kindRemote, i, 0, "opens a shell to the network")
	}
	if !c.takesCommands() {
		return nil
	}
	if s.gather(); s.network < i {
		return s.at(kindRemote, i, 0, "opens a shell to the network")
	}
	return nil
}

// takesCommands: a shell without code or script of its own.
func (c *Command) takesCommands() bool {
	if c.Opaque == OpaqueShell {
		return true
	}
	for _, word := range c.Args() {
		if word.Text == "-i" {
			return true
		}
	}
	return false
}

// connects judges nc, ncat and telnet: a program that is given to the other side,
// or a shell whose output goes there.
func connects(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	a := c.arguments(&netcatOptions)
	for a.next() {
		switch {
		case a.is('e', ""), a.is(0, "exec"), a.is(0, "sh-exec"), a.is(0, "lua-exec"):
			return s.at(kindRemote, i, a.at, "gives a shell to the network")
		case a.is('c', "") && c.Program() != "telnet" && (strings.Contains(a.value, "sh") || strings.Contains(a.value, "/")):
			return s.at(kindRemote, i, a.at, "gives a shell to the network")
		}
	}
	return s.shellInto(i)
}

var netcatOptions = grammar{values: "e c p s w i q X x I O P T exec sh-exec lua-exec"}

// shellInto: a shell that takes commands stands on the left of the pipe.
func (s *inspection) shellInto(i int) *Finding {
	in := s.Commands[i].Stdin
	if in.Kind != StdinPipe {
		return nil
	}
	for j := max(in.From, in.To-lookAround); j < in.To && j < len(s.Commands); j++ {
		switch s.Commands[j].Program() {
		case "sh", "bash", "dash", "zsh", "ksh", "ash", "python", "python3", "perl", "ruby", "node", "php":
			if s.Commands[j].takesCommands() || s.Commands[j].Opaque == OpaqueCode && inlineCode(&s.Commands[j]).stdin {
				return s.at(kindRemote, i, 0, "gives a shell to the network")
			}
		}
	}
	return nil
}

// relays judges socat: EXEC and SYSTEM addresses run a program.
func relays(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	for at := 1; at < len(c.Words); at++ {
		if text := c.Words[at].Text; hasFold(text, "exec:") || hasFold(text, "system:") || hasFold(text, "shell:") {
			return s.at(kindRemote, i, at, "gives a shell to the network")
		}
	}
	return s.shellInto(i)
}
