package classify

import (
	"strings"

	"github.com/assent-dev/assent/shell"
)

// shellString judges sh -c with a constant text. What the text runs is part of the
// script and judged there. With -n a shell only looks whether it understands a file.
func (j *scriptJudge) shellString(i int) string {
	c := &j.script.Commands[i]
	if len(c.Words) == 3 && c.Words[1].Text == "-n" && c.Words[2].Known() && !strings.HasPrefix(c.Words[2].Text, "-") {
		return ""
	}
	if len(c.Words) != 3 || c.Words[1].Text != "-c" || !c.Words[2].Known() || !j.runs(i, shell.Code) {
		return "it runs shell commands that are not read here"
	}
	return ""
}

// runs: something that command i runs is known, in this way and in no other.
func (j *scriptJudge) runs(i int, link shell.Link) bool {
	found := false
	for k := range j.script.Commands {
		c := &j.script.Commands[k]
		switch {
		case c.Parent != i || c.Link == shell.Guess:
		case c.Link != link:
			return false
		default:
			found = true
		}
	}
	return found
}

// findExec judges find with -exec. The command that it runs is part of the script and
// judged there; that it is run on files whose names are not known leaves only those
// that read.
func (j *scriptJudge) findExec(i int) string {
	const nothing = "find runs or deletes what is not known here"
	words := j.script.Commands[i].Args()
	for k := 0; k < len(words); k++ {
		if !words[k].Known() {
			return nothing
		}
		switch words[k].Text {
		case "-exec":
			for k++; k < len(words) && words[k].Text != ";" && words[k].Text != "+"; k++ {
			}
			if k == len(words) {
				return nothing
			}
		case "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprint0", "-fprintf", "-fls", "-files0-from":
			return nothing
		}
	}
	if !j.runs(i, shell.Wrapped) {
		return nothing
	}
	for k := range j.script.Commands {
		if c := &j.script.Commands[k]; c.Parent == i && c.Link == shell.Wrapped && j.script.PartReadOnly(k).Text != "" {
			return "find runs a command that does not only read"
		}
	}
	return ""
}

// unfamiliar is what speaks against a program that is not known to make harmless
// changes.
func unfamiliar(name, doubt string) string {
	switch name {
	case "curl", "wget", "ssh", "scp", "sftp", "ftp", "rsync", "nc", "ncat", "netcat", "socat", "telnet", "ping", "dig", "nslookup", "host",
		"http", "https", "aws", "gcloud", "az", "kubectl", "helm", "gh", "glab":
		return "it talks to another machine, and can carry data away"
	case "sudo", "doas", "su", "runuser", "pkexec":
		return "it runs as another user"
	case "npm", "pnpm", "yarn", "bun", "npx", "bunx", "deno", "node", "go", "cargo", "make", "gmake", "cmake", "ninja", "gradle", "mvn", "bazel",
		"python", "python3", "pytest", "tox", "ruby", "rake", "bundle", "perl", "php", "composer", "java", "dotnet", "swift", "docker", "podman":
		return "it runs code of the project, or from elsewhere, that is not read here; a rule can allow it"
	}
	return visible(legible(doubt)) + "; a rule can allow it"
}
