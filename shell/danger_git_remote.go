package shell

import "strings"

// pushesOver: what the remote has is overwritten or deleted.
func pushesOver(c *Command) string {
	verdict, operands := "", 0
	a := c.arguments(&pushGrammar)
	for a.next() {
		switch {
		case a.is('n', "dry-run"):
			return ""
		case a.operand:
			operands++
			if text := pushedRef(a.value); text != "" && operands > 1 {
				verdict = text
			}
		case a.is('f', "force"), a.long && strings.HasPrefix(a.name, "force-with"):
			verdict = "overwrites the history of the remote"
		case a.is('d', "delete"):
			verdict = "deletes a reference of the remote"
		case a.is(0, "mirror"), a.is(0, "prune"):
			verdict = "makes the remote a copy, deleting what is not here"
		}
	}
	return verdict
}

// pushedRef: "+x" forces, ":x" deletes; ":" alone pushes what both have.
func pushedRef(ref string) string {
	switch {
	case strings.HasPrefix(ref, "+"):
		return "overwrites the history of the remote"
	case len(ref) > 1 && ref[0] == ':':
		return "deletes a reference of the remote"
	}
	return ""
}

// runsTransport: an address or an option that makes git run a program.
func runsTransport(c *Command) string {
	a := c.arguments(&transportGrammar)
	for a.next() {
		switch {
		case a.operand && (strings.HasPrefix(a.value, "ext::") || strings.HasPrefix(a.value, "fd::")):
			return "runs a program as transport"
		case a.is('u', "upload-pack") && a.valueAt > 0 && a.long && baseName(a.value) != "git-upload-pack":
			return "runs a program as transport"
		case a.is('c', "config") && a.valueAt > 0:
			if key, value, ok := strings.Cut(a.value, "="); ok && runsByConfig(key, value) {
				return "configures a program that git runs"
			}
		}
	}
	return ""
}

var transportGrammar = grammar{values: "c b o j u config upload-pack branch origin depth template reference jobs"}

// inlineConfig judges -c key=value before the subcommand.
func inlineConfig(s *inspection, i, sub int) *Finding {
	words := s.Commands[i].Words
	if sub == 0 {
		sub = len(words)
	}
	for j := 1; j < sub; j++ {
		text := words[j].Text
		switch {
		case text == "-c" && j+1 < sub:
			j++
			text = words[j].Text
		case strings.HasPrefix(text, "-c") && len(text) > 2:
			text = text[2:]
		default:
			continue
		}
		if key, value, ok := strings.Cut(text, "="); ok && runsByConfig(key, value) {
			return s.at(kindGit, i, j, "configures a program that git runs: "+shown(key))
		}
	}
	return nil
}

// setsConfig judges git config when it sets a key.
func setsConfig(c *Command) string {
	if !configSets(c) {
		return ""
	}
	key := ""
	a := c.arguments(&configGrammar)
	for a.next() {
		switch {
		case !a.operand:
		case key == "" && (a.value == "set" || a.value == "add"):
		case key == "":
			key = a.value
		default:
			if runsByConfig(key, a.value) {
				return "configures a program that git runs"
			}
			return ""
		}
	}
	return ""
}

var configGrammar = grammar{values: "f file blob type default comment"}

// configSets: it sets a value, rather than prints or removes one.
func configSets(c *Command) bool {
	operands := 0
	a := c.arguments(&configGrammar)
	for a.next() {
		switch {
		case a.operand && operands == 0 && (a.value == "get" || a.value == "list" || a.value == "unset" || a.value == "get-all"):
			return false
		case a.operand:
			operands++
		case a.is('l', "list"), a.long && (strings.HasPrefix(a.name, "get") || strings.HasPrefix(a.name, "unset")):
			return false
		case a.is('e', "edit"):
			return true
		}
	}
	return operands > 1
}

// runsByConfig: git would run the value of this key, and the value is not one of
// those everybody uses.
func runsByConfig(key, value string) bool {
	key = strings.ToLower(key)
	last := key[strings.LastIndexByte(key, '.')+1:]
	switch {
	case strings.HasPrefix(key, "alias."):
		return strings.HasPrefix(value, "!") || strings.HasPrefix(value, unknownMark)
	case strings.HasPrefix(key, "pager."), last == "pager", last == "editor":
		return !usualTool(value)
	case key == "core.fsmonitor":
		return !boolean(value)
	case last == "helper":
		return strings.ContainsAny(value, "!/") || strings.IndexByte(value, Unknown) >= 0
	case strings.HasPrefix(key, "filter."):
		return !strings.HasPrefix(value, "git-lfs ") && !boolean(value)
	case strings.HasPrefix(key, "submodule.") && last == "update":
		return strings.HasPrefix(value, "!")
	case strings.HasPrefix(key, "include"):
		return true
	}
	switch last {
	case "hookspath", "sshcommand", "askpass", "gitproxy", "textconv", "external", "driver", "program", "packobjectshook",
		"uploadpack", "receivepack", "templatedir", "alternaterefscommand", "defaultkeycommand", "cmd", "command", "vcs", "proxycommand":
		return !usualTool(value)
	case "allow":
		return strings.HasPrefix(key, "protocol.ext")
	case "difffilter":
		return !usualTool(value)
	}
	return false
}

func boolean(value string) bool {
	switch strings.ToLower(value) {
	case "true", "false", "yes", "no", "on", "off", "0", "1", "":
		return true
	}
	return false
}

// usualTool: a pager, editor or signing program by its plain name, with options
// but without anything a shell would act on.
func usualTool(value string) bool {
	if strings.ContainsAny(value, ";|&$`<>()!/\\'\"\n") || strings.IndexByte(value, Unknown) >= 0 {
		return false
	}
	name, _, _ := strings.Cut(value, " ")
	switch name {
	case "", "cat", "less", "more", "most", "bat", "delta", "diff-so-fancy", "true", ":", "vim", "vi", "nvim", "nano", "emacs", "emacsclient", "code",
		"subl", "micro", "hx", "helix", "gpg", "gpg2", "ssh", "difft", "colordiff", "false":
		return true
	}
	return false
}
