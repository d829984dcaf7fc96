package shell

// steadySubcommands are subcommands of programs that can also destroy things, for
// which "this subcommand with any arguments" is a sensible thing to allow.
func steadySubcommands(program string) string {
	switch program {
	case "git":
		return "add commit fetch status log diff show blame init describe ls-files rev-parse"
	case "npm":
		return "test ci install run ls view outdated audit"
	case "pnpm":
		return "test install run ls list"
	case "yarn":
		return "test install run list"
	case "bun":
		return "test install run"
	case "go":
		return "build test vet fmt list mod doc version env"
	case "cargo":
		return "build test check clippy fmt doc tree metadata"
	case "docker":
		return "ps logs images inspect version info stats top"
	case "kubectl":
		return "get describe logs version explain top"
	case "terraform", "tofu":
		return "plan validate fmt show version output"
	case "helm":
		return "list status template lint version history"
	case "gh":
		return "pr issue"
	case "pip", "pip3":
		return "list show freeze check"
	}
	return ""
}

// Prefix is how many leading words make a rule prefix that is no broader than a
// person would expect: 2 for `go test ./…`, 3 for `npm run build`. It is 0 where
// only the exact command should be allowed: the program can do great harm with
// other arguments, or runs what it is given.
func (c *Command) Prefix() int {
	if len(c.Words) < 2 || !c.Words[0].Known() || !plainWord(c.Words[1].Text) || c.Opaque != Clear {
		return 0
	}
	name := c.Program()
	if steady := steadySubcommands(name); steady != "" {
		if !listed(steady, c.Words[1].Text) {
			return 0
		}
		if c.Words[1].Text == "run" || name == "gh" {
			if len(c.Words) < 3 || !plainWord(c.Words[2].Text) || name == "gh" && c.Words[2].Text != "view" && c.Words[2].Text != "list" {
				return 0
			}
			return 3
		}
		return 2
	}
	if runsOthers(name) || endangers(name) || about(name).spec != unlisted {
		return 0
	}
	if c.Words[1].Text == "run" || c.Words[1].Text == "exec" {
		return 0 // what it runs matters more than that it runs something
	}
	return 2
}

// runsOthers: the program runs what it is given, so a prefix would cover anything.
func runsOthers(name string) bool {
	switch name {
	case "sh", "bash", "dash", "zsh", "ksh", "fish", "eval", "source", ".", "exec", "env", "sudo", "doas", "su", "runuser", "xargs", "find",
		"parallel", "watch", "script", "flock", "ssh", "scp", "rsync", "tar", "awk", "gawk", "mawk", "sed", "vim", "vi", "nvim", "ex", "ed",
		"busybox", "toybox", "at", "batch", "trap", "alias", "make", "gmake", "curl", "wget", "nc", "ncat", "socat", "fd", "npx", "bunx":
		return true
	}
	if _, ok := interpreterFlags(name); ok {
		return true
	}
	known := about(name)
	return known.wrapper != nil || known.subcommands
}

// plainWord looks like a subcommand: letters, digits, "-", "_", ":".
func plainWord(text string) bool {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if (lowerByte(c) < 'a' || lowerByte(c) > 'z') && (i == 0 || c != '-' && c != '_' && c != ':' && (c < '0' || c > '9')) {
			return false
		}
	}
	return text != ""
}

// endangers: some use of the program is known to be dangerous.
func endangers(name string) bool {
	return len(about(name).danger.all) > 0
}
