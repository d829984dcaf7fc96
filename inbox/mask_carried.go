package inbox

import (
	"path"
	"slices"
)

// Some programs run commands that are words of their own. Each of those is a command as any:
// what it works on is seen, and what it is given as a secret is not.

// carries: the program runs a command elsewhere, whose place among its words depends on it.
func carries(program string) bool {
	switch program {
	case "docker", "podman", "nerdctl", "docker-compose", "podman-compose", "kubectl", "oc", "nsenter", "lxc", "vagrant", "parallel", "strace", "git":
		return true
	}
	return false
}

// carried is the command that another one, whose program stands at own, runs elsewhere, or
// that one itself. A program that works on files is what counts, wherever it stands: what
// happens to them must be seen. What stands before it may be a program that takes secrets.
func carried(words []shellWord, own int) []command {
	takes := own
	for i := own + 1; i < len(words); i++ {
		name := path.Base(words[i].text)
		if isFileTool(name) && name != "." && name != "source" {
			if takes > own {
				return []command{commandAt(words[:i], takes), commandAt(words, i)}
			}
			return []command{commandAt(words, i)}
		}
		if takes == own && len(secretOptions(name)) > 0 {
			takes = i
		}
	}
	return []command{commandAt(words, takes)}
}

// sent are the commands of an ssh. The shell of the other machine reads its words once more,
// so that those which are signs part commands there.
func sent(words []shellWord, own int) []command {
	parts := func(w shellWord) bool {
		switch w.text {
		case ";", "&&", "||", "|", "&":
			return true
		}
		return false
	}
	at := slices.IndexFunc(words[own:], parts)
	if at < 0 {
		return carried(words, own)
	}
	all := carried(words[:own+at], own)
	for rest := words[own+at+1:]; len(rest) > 0; {
		end := slices.IndexFunc(rest, parts)
		if end < 0 {
			return append(all, commandsOf(rest)...)
		}
		all = append(all, commandsOf(rest[:end])...)
		rest = rest[end+1:]
	}
	return all
}

// finds: the program looks for files, and runs commands on them.
func finds(program string) bool { return program == "find" || program == "fd" || program == "fdfind" }

// found are the commands of a find, with its own one at the end.
func found(words []shellWord, own int) (all []command) {
	rest := len(words) // from where on nothing of it is its own
	for i := own + 1; i < len(words); i++ {
		switch words[i].text {
		case "-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch":
		default:
			continue
		}
		rest = min(rest, i)
		end := i + 1
		for end < len(words) && words[end].text != ";" && words[end].text != "+" {
			end++
		}
		all = append(all, commandsOf(words[i+1:end])...)
		i = end
	}
	return append(all, commandAt(words[:rest], own))
}
