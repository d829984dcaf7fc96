package shell

import "strings"

// downloads judges curl, wget and their kin: a file that is fetched and then run
// by the same script.
func downloads(s *inspection, i int) *Finding {
	if i+1 >= len(s.Commands) {
		return nil
	}
	end := min(len(s.Commands), i+lookAround)
	var saved accessList
	saved.command(s.Script, i)
	for j := i + 1; j < end; j++ {
		if in := s.Commands[j].Stdin; in.Kind == StdinPipe && in.From <= i && i < in.To {
			saved.command(s.Script, j) // curl … | tee install.sh
		}
	}
	for _, file := range saved.all {
		if file.Mode != Writes {
			continue
		}
		name := baseName(file.Path)
		if name == "" || name == "." {
			continue
		}
		for j := i + 1; j < end; j++ {
			if s.Commands[j].Parent == i {
				continue // a reading of the same words
			}
			if at := s.Commands[j].runsFile(name); at >= 0 {
				return s.at(kindRemote, j, at, "runs a file fetched from the network")
			}
		}
	}
	return nil
}

// runsFile is the index of the word by which the command runs a file of this name,
// or -1.
func (c *Command) runsFile(name string) int {
	if len(c.Words) == 0 {
		return -1
	}
	program := c.Words[0].Text
	if baseName(program) == name && (strings.Contains(program, "/") || program[0] == Unknown) {
		return 0
	}
	if !runsScripts(c.Program()) {
		return -1
	}
	for at := 1; at < len(c.Words); at++ {
		if text := c.Words[at].Text; !isOption(text) && baseName(text) == name {
			return at
		}
	}
	return -1
}

// runsScripts: the program runs a file that it is given.
func runsScripts(program string) bool {
	if program == "." {
		return true
	}
	switch unversioned(program) {
	case "sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "csh", "tcsh", "source", "python", "pypy", "perl", "ruby", "node", "nodejs", "php", "lua",
		"deno", "bun", "Rscript", "osascript", "pwsh", "java", "exec", "tclsh", "expect", "make", "awk", "gawk":
		return true
	}
	return false
}

// runsAddress: some interpreters take the address of a program instead of a file.
func runsAddress(s *inspection, i int) *Finding {
	for at, word := range s.Commands[i].Words {
		if at == 0 || isOption(word.Text) || word.Text == "run" {
			continue
		}
		if strings.HasPrefix(word.Text, "https://") || strings.HasPrefix(word.Text, "http://") {
			return s.at(kindRemote, i, at, "runs a program from the network")
		}
		return nil // the first operand is what runs
	}
	return nil
}
