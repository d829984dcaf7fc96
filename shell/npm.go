package shell

import "strings"

// npmCommands are the commands of npm. The beginning of one is enough if no other begins like it.
const npmCommands = "access adduser audit bugs cache ci completion config dedupe deprecate diff dist-tag docs doctor edit exec explain explore find-dupes fund get " +
	"help help-search init install install-ci-test install-test link ll login logout ls org outdated owner pack ping pkg prefix profile prune publish query " +
	"rebuild repo restart root run sbom search set shrinkwrap star stars start stop team test token trust undeprecate uninstall unpublish unstar update " +
	"version view whoami"

var npmNames = wordSet{list: npmCommands}

// npmAlias is the command that has another name, "" if it is none. A map would be made at the start of each process.
func npmAlias(name string) string {
	switch name {
	case "author":
		return "owner"
	case "home":
		return "docs"
	case "issues":
		return "bugs"
	case "info", "show", "v":
		return "view"
	case "find", "s", "se":
		return "search"
	case "add", "i", "in", "ins", "inst", "insta", "instal", "isnt", "isnta", "isntal", "isntall":
		return "install"
	case "unlink", "remove", "rm", "r", "un":
		return "uninstall"
	case "c":
		return "config"
	case "t", "tst":
		return "test"
	case "ddp":
		return "dedupe"
	case "up", "upgrade", "udpate":
		return "update"
	case "rb":
		return "rebuild"
	case "list", "la":
		return "ls"
	case "run-script", "rum", "urn":
		return "run"
	case "x":
		return "exec"
	case "create", "innit":
		return "init"
	case "it":
		return "install-test"
	case "cit":
		return "install-ci-test"
	case "clean-install", "ic", "install-clean":
		return "ci"
	case "why":
		return "explain"
	case "verison":
		return "version"
	case "add-user":
		return "adduser"
	}
	return ""
}

// npmSpelling tries a command of npm under its full name, as a rule has it: npm pub is npm publish.
func (w *walker) npmSpelling(i int) {
	words := w.s.Commands[i].Words
	at := 1
	for at < len(words) && isOption(words[at].Text) {
		at++
	}
	if at >= len(words) {
		return
	}
	full := npmCommand(words[at].Text)
	if full != words[at].Text {
		spelled := append([]Word{words[0]}, words[at:]...)
		spelled[1].Text = full
		w.child(i, Guess, spelled)
	}
	w.npmSettings(i, full, words[at:])
}

// pnpmCommands are those of pnpm that npm does not have.
const pnpmCommands = "dlx env store bin patch patch-commit patch-remove licenses fetch import link unlink recursive multi m server setup deploy " +
	"approve-builds ignored-builds catalog self-update cat-file cat-index find-hash node runtime with"

// npmSettings: config set script-shell=program, of npm and of what works like it.
func (w *walker) npmSettings(i int, command string, words []Word) {
	if command == "config" {
		words = words[1:]
	}
	if len(words) < 2 || words[0].Text != "set" {
		return
	}
	for k, word := range words[1:] {
		name, value, glued := strings.Cut(word.Text, "=")
		switch {
		case !listed("script-shell scriptShell shell editor viewer git browser init-module onload-script", name):
		case glued:
			w.codeWord(i, Guess, "npm config", Word{Text: value, Span: word.Span})
		case k+2 < len(words):
			w.codeWord(i, Guess, "npm config", words[k+2])
		}
	}
}

// npmCommand is the command that npm runs for a name, which is the name itself if it has no other.
func npmCommand(name string) string {
	if full := npmAlias(name); full != "" {
		return full
	}
	if name == "" || strings.IndexByte(name, ' ') >= 0 || npmNames.has(name) {
		return name
	}
	found := name
	for rest := npmCommands; ; {
		at := strings.Index(rest, name)
		if at < 0 {
			return found
		}
		begins := len(rest) == len(npmCommands) && at == 0 || at > 0 && rest[at-1] == ' '
		rest = rest[at:]
		command, _, _ := strings.Cut(rest, " ")
		rest = rest[len(command):]
		if !begins {
			continue
		}
		if found != name {
			return name // it may be another one
		}
		found = command
	}
}
