package inbox

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// Some secrets are known by nothing but their place in a command: by the program that takes
// them, the letter of its option, or the pipe that they go into. For these the text is read
// as a shell would read it, roughly. Which program a command runs is what stands at its own
// place: a word of the same name elsewhere hides nothing, because whoever writes a command
// could choose by it what a person does not see.

// maskWords takes out the secrets that are known by their place in a command.
func maskWords(text string) string {
	if !slices.ContainsFunc(placeSigns(), func(sign string) bool { return strings.Contains(text, sign) }) {
		return text
	}
	var secrets []span
	commands := commandsIn(text)
	for _, c := range commands {
		secrets = append(secrets, c.secrets()...)
		if c.readsSecret() {
			secrets = append(secrets, c.given(text)...)
			if c.fedBy >= 0 {
				secrets = append(secrets, commands[c.fedBy].printed(text)...)
			}
		}
	}
	if len(secrets) == 0 {
		return text
	}
	slices.SortFunc(secrets, func(a, b span) int { return cmp.Or(a.from-b.from, b.to-a.to) })
	var out strings.Builder
	done := 0
	for _, s := range secrets {
		if s.from < done || s.from >= s.to {
			continue
		}
		out.WriteString(text[done:s.from] + masked)
		done = s.to
	}
	return out.String() + text[done:]
}

// spared are the places of a text that nothing is masked in: the arguments of programs that
// work on files and take no secrets. What they do to which file is what a person decides by.
func spared(text string) (all []span) {
	for _, c := range commandsIn(text) {
		if !isFileTool(c.program) {
			continue
		}
		for i, w := range c.args {
			if strings.HasPrefix(w.text, "<<<") || i > 0 && c.args[i-1].text == "<<<" {
				continue // what it is given to read is no file
			}
			if raw := text[w.from:w.to]; !strings.Contains(raw, "$(") && !strings.Contains(raw, "`") {
				all = append(all, w.span)
			}
		}
	}
	slices.SortFunc(all, func(a, b span) int { return a.from - b.from })
	return all
}

// isFileTool: the program works on files, and no option of it takes a secret.
func isFileTool(program string) bool {
	switch program {
	case "rm", "rmdir", "unlink", "shred", "srm", "mv", "cp", "ln", "chmod", "chown", "chgrp", "chattr", "setfacl", "mkdir", "touch", "truncate", "tee", "dd",
		"ls", "stat", "du", "wipefs", "mkfs", "rename", "trash", "gio", "mktemp", "readlink", "realpath", "cd", "pushd", "source", ".":
		return true
	}
	return false
}

// placeSigns are texts of which one occurs wherever a secret is known by its place. Most texts
// have none of them, and are not taken apart.
func placeSigns() []string {
	return []string{
		"curl", "http", "xh", "redis-cli", "sql", "maria", "bcp", "zip", "ldap", "ipmitool", "mongo", "7z", "rar", "sshpass", "htpasswd", "--from-literal",
		"vault", "bao", "secret", "heroku", "-stdin", "-fd", "with-token", "passw", "sudo", "login", "set", "rclone", "nmcli", "token",
		"doppler", "netlify", "put-parameter", "keytool", "jarsigner", "openssl", "ssh-keygen", "twine", "useradd", "usermod", "smbclient", "rpcclient", "mosquitto", "lftp",
	}
}

// secrets are the words of a command that are secrets by their place, or what in them is.
func (c command) secrets() (found []span) {
	if isFileTool(c.program) {
		return nil
	}
	takes := c.options()
	values := false // NAME=VALUE words are secrets
	for i, w := range c.args {
		var next *shellWord
		if i+1 < len(c.args) {
			next = &c.args[i+1]
		}
		values = values || keepsSecrets(c.program, c.args[:i]) && puts(w.text)
		switch {
		case strings.HasPrefix(w.text, "--from-literal="):
			found = append(found, w.behind(strings.TrimPrefix(w.text, "--from-literal=")))
		case w.text == "--from-literal" && next != nil:
			found = append(found, next.behind(next.text))
		case strings.HasPrefix(w.text, "-"):
			for _, o := range takes {
				found = append(found, o.value(w, next)...)
			}
		case values && strings.Contains(w.text, "="):
			found = append(found, w.behind(w.text))
		case next != nil && i > 0 && c.names(i):
			found = append(found, next.span)
		}
	}
	if c.program == "htpasswd" {
		found = append(found, c.passwordOfHtpasswd()...)
	}
	return append(found, c.bareSecrets()...)
}

// behind is what stands behind the first equals sign of a word, given its text or the end of
// it. What names a file, or standard input, is no secret.
func (w shellWord) behind(text string) span {
	name, value, ok := strings.Cut(text, "=")
	if !ok || value == "" || value == "-" || strings.HasPrefix(value, "@") || strings.HasPrefix(value, "$") {
		return span{}
	}
	// The marks of quotation may stand before the name or behind it.
	from := w.from + strings.Index(w.text, text) + len(name) + 1
	return span{min(from, w.to), w.to}
}

// keepsSecrets: the program keeps secrets, or does so with these words behind it.
func keepsSecrets(program string, words []shellWord) bool {
	switch program {
	case "vault", "bao", "heroku", "doppler", "infisical":
		return true
	case "fly", "flyctl", "gh", "glab", "wrangler", "gcloud", "docker", "podman", "kubectl", "oc", "supabase", "convox", "nomad", "npx", "pnpm", "bunx", "yarn":
		return slices.ContainsFunc(verbs(words), func(w shellWord) bool { return w.text == "secret" || w.text == "secrets" })
	}
	return false
}

// verbs are the first words of a command, which tell its program what to do.
func verbs(words []shellWord) []shellWord { return words[:min(len(words), 8)] }

// puts: behind this word of a command values are put there, each NAME=VALUE.
func puts(verb string) bool {
	switch verb {
	case "put", "patch", "write", "set", "create", "add", "import", "config:set":
		return true
	}
	return false
}

// names: the word says that the next one is a secret, as in `config set NAME VALUE`. Programs
// that are not known for it need a value that looks like one: the same words make sentences.
func (c command) names(at int) bool {
	word, before, next := c.args[at].text, c.args[at-1].text, c.args[at+1].text
	if !secretName().MatchString(word) || strings.Contains(word, "=") || strings.HasPrefix(next, "-") {
		return false
	}
	switch c.program {
	case "rclone", "nmcli":
		return slices.ContainsFunc(verbs(c.args[:at]), func(w shellWord) bool {
			return puts(w.text) || w.text == "update" || w.text == "modify" || w.text == "connect"
		})
	case "aws", "npm", "pnpm", "yarn", "pip", "pip3", "gcloud", "gh", "glab", "composer", "poetry", "bundle", "conda", "git", "stripe", "snyk":
		return before == "set" || before == "config" || before == "--global"
	}
	return before == "set" && looksSecret(next)
}

// bareSecrets are arguments that are secrets without a word that says so.
func (c command) bareSecrets() []span {
	var bare []shellWord
	for _, w := range c.args {
		if !strings.HasPrefix(w.text, "-") && !isRedirection(w.text) {
			bare = append(bare, w)
		}
	}
	after := func(word string, n int) []span {
		i := slices.IndexFunc(bare, func(w shellWord) bool { return strings.EqualFold(w.text, word) })
		if i < 0 || i+n >= len(bare) || strings.HasPrefix(bare[i+n].text, "$") || strings.Contains(bare[i+1].text, "=") {
			return nil
		}
		return []span{bare[i+n].span}
	}
	switch c.program {
	case "vault", "bao":
		return after("login", 1)
	case "mysqladmin":
		return after("password", 1)
	case "redis-cli": // AUTH PASSWORD, or AUTH USER PASSWORD
		if len(bare) > 0 && slices.ContainsFunc(bare[:len(bare)-1], func(w shellWord) bool { return strings.EqualFold(w.text, "auth") }) {
			return []span{bare[len(bare)-1].span}
		}
		return after("requirepass", 1)
	case "ngrok":
		return append(after("add-authtoken", 1), after("authtoken", 1)...)
	case "doppler", "infisical":
		return after("set", 2)
	case "netlify":
		return append(after("env:set", 2), after("set", 2)...)
	}
	return nil
}

// passwordOfHtpasswd is the last word of an htpasswd that takes the password from its
// arguments.
func (c command) passwordOfHtpasswd() []span {
	asks := true
	var plain []span
	for _, w := range c.args {
		if isShort(w.text) {
			asks = asks && !strings.Contains(w.text, "b")
		} else {
			plain = append(plain, w.span)
		}
	}
	if asks || len(plain) < 2 {
		return nil
	}
	return plain[len(plain)-1:]
}

// readsSecret: the command reads a secret from its standard input.
func (c command) readsSecret() bool {
	if c.program == "chpasswd" {
		return true
	}
	for i, w := range c.args {
		name := strings.TrimLeft(w.text, "-")
		option := len(name) < len(w.text)
		switch {
		case option && (strings.HasSuffix(name, "-stdin") || strings.HasSuffix(name, "-fd")) && strings.Contains(name, "pass"),
			option && name == "with-token",
			option && (name == "token-stdin" || name == "key-stdin" || name == "secret-stdin"),
			w.text == "--stdin" && c.program == "passwd",
			puts(w.text) && keepsSecrets(c.program, c.args[:i]):
			return true
		}
	}
	sudo := false
	for _, w := range c.before {
		if sudo && isShort(w.text) && strings.Contains(w.text, "S") {
			return true
		}
		sudo = sudo || path.Base(w.text) == "sudo"
	}
	return false
}

// given is what a command is given to read in its own text.
func (c command) given(text string) (all []span) {
	words := slices.Concat(c.before, c.args)
	for i, w := range words {
		switch {
		case w.text == "<<<" && i+1 < len(words):
			w = words[i+1]
		case strings.HasPrefix(w.text, "<<<"):
			w = shellWord{span{w.from + 3, w.to}, w.text[3:]}
		default:
			continue
		}
		if !strings.HasPrefix(strings.TrimLeft(text[w.from:w.to], `"`), "$") {
			all = append(all, w.span)
		}
	}
	return append(all, c.body)
}

// printed is what echo and printf print, and what cat is given to print.
func (c command) printed(text string) (all []span) {
	if c.program != "echo" && c.program != "printf" {
		return c.given(text)
	}
	for _, w := range c.args {
		if isShort(w.text) || strings.HasPrefix(w.text, "$") || strings.HasPrefix(w.text, "%") {
			continue
		}
		all = append(all, w.span)
	}
	return all
}
