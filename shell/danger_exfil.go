package shell

import "strings"

// sends judges programs that send: a secret file among what they send, in what is
// piped to them, or in a substitution.
func sends(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	if s.sendsHome(c) {
		return nil
	}
	if at := s.sendsFile(i); at > 0 {
		return s.at(kindRemote, i, at, "sends a secret away")
	}
	if in := c.Stdin; in.Kind == StdinPipe {
		for j := max(in.From, in.To-lookAround); j < in.To && j < len(s.Commands); j++ {
			if s.printsSecret(j) {
				return s.at(kindRemote, i, 0, "sends a secret away")
			}
		}
	}
	for k := range c.Redirects {
		if r := &c.Redirects[k]; r.Kind == RedirectRead && secret(pathOf(r.Target, false)) {
			return s.at(kindRemote, i, 0, "sends a secret away")
		}
	}
	for j := range s.inside(c.Span, i) {
		if s.Commands[j].Span != c.Span && s.printsSecret(j) {
			return s.at(kindRemote, i, 0, "sends a secret away")
		}
	}
	if c.anyUnknown() && s.holdsSecret(i) {
		return s.at(kindRemote, i, 0, "sends a secret away")
	}
	return nil
}

func (c *Command) anyUnknown() bool {
	for _, word := range c.Args() {
		if strings.IndexByte(word.Text, Unknown) >= 0 {
			return true
		}
	}
	return false
}

// holdsSecret: a variable was assigned from a secret before command i.
func (s *inspection) holdsSecret(i int) bool {
	for j := max(0, i-lookAround); j < i; j++ {
		for k := range s.Commands[j].Assigns {
			value := s.Commands[j].Assigns[k].Value
			if value.Known() {
				continue
			}
			for inner := range s.inside(value.Span, j) {
				if s.printsSecret(inner) {
					return true
				}
			}
		}
	}
	return false
}

// sendsHome: the only address is this machine.
func (s *inspection) sendsHome(c *Command) bool {
	home := false
	for _, word := range c.Args() {
		if host := urlHost(word.Text); host != "" {
			if !loopback(host) {
				return false
			}
			home = true
		}
	}
	return home
}

// sendsFile is the index of the word that names a secret which is sent.
func (s *inspection) sendsFile(i int) int {
	c := &s.Commands[i]
	switch name := c.Program(); name {
	case "curl", "wget":
		return c.uploads(&about(name).spec.grammar)
	case "scp", "rsync", "sftp":
		return c.copiesAway()
	case "aws", "gsutil", "rclone", "s3cmd", "azcopy", "gh", "http", "https", "xh", "ftp", "lftp", "ncftpput", "croc", "magic-wormhole", "wormhole", "transfer":
		for at := 1; at < len(c.Words); at++ {
			text := c.Words[at].Text
			text = text[strings.LastIndexByte(text, '@')+1:]
			if !isOption(text) && secret(text) {
				return at
			}
		}
	}
	return 0
}

// uploads: curl -T f, -d @f, -F x=@f, wget --post-file=f.
func (c *Command) uploads(g *grammar) int {
	a := c.arguments(g)
	for a.next() {
		if a.operand || a.valueAt == 0 {
			continue
		}
		path := ""
		switch {
		case a.is('T', "upload-file"), a.is(0, "post-file"), a.is(0, "body-file"):
			path = a.value
			if a.whole() {
				path = pathOf(c.Words[a.valueAt], true)
			}
		case a.is('d', "data"), a.is('F', "form"), a.is('H', "header"), a.is(0, "json"), strings.HasPrefix(a.name, "data") && a.long:
			if at := strings.IndexAny(a.value, "@<"); at >= 0 {
				path, _, _ = strings.Cut(a.value[at+1:], ";")
			}
		}
		if path != "" && secret(path) {
			return a.valueAt
		}
	}
	return 0
}

// copiesAway: a secret among the sources while the target is another machine.
func (c *Command) copiesAway() int {
	g := &c.knowledge().spec.grammar
	found, target := 0, ""
	a := c.arguments(g)
	for a.next() {
		if !a.operand {
			continue
		}
		target = a.value
		if found == 0 && !onOtherHost(a.value) && secret(pathOf(c.Words[a.valueAt], false)) {
			found = a.valueAt
		}
	}
	if !onOtherHost(target) {
		return 0
	}
	return found
}

// printsSecret: the command prints a secret file or the environment.
func (s *inspection) printsSecret(j int) bool {
	c := &s.Commands[j]
	switch c.Program() {
	case "env", "printenv":
		return len(c.Words) == 1
	case "set", "export", "declare":
		return len(c.Words) == 1 || c.hasWord("-p") || c.hasWord("-x")
	case "history":
		return len(c.Words) == 1
	case "gpg", "gpg2":
		return c.has(&plainGrammar, 0, "export-secret-keys") || c.has(&plainGrammar, 0, "export-secret-subkeys")
	case "security":
		return c.hasWord("dump-keychain") || c.hasWord("find-generic-password") || c.hasWord("find-internet-password")
	case "echo", "printf", "grep", "ls", "stat", "test", "[", "wc":
		return c.Program() == "grep" && s.readsSecret(j)
	}
	return s.readsSecret(j)
}

func (s *inspection) readsSecret(j int) bool {
	var l accessList
	l.command(s.Script, j)
	for _, a := range l.all {
		if a.Mode == Reads && secret(a.Path) {
			return true
		}
	}
	return false
}

// netRedirect judges a command whose output goes to /dev/tcp.
func (s *inspection) netRedirect(i int) *Finding {
	if s.Commands[i].opensNetwork() && s.printsSecret(i) {
		return s.at(kindRemote, i, 0, "sends a secret away")
	}
	return nil
}

// secret: a file that holds keys, passwords or tokens.
func secret(path string) bool {
	if strings.HasPrefix(path, "/etc/") {
		switch strings.TrimSuffix(path[5:], "-") {
		case "shadow", "passwd", "gshadow", "sudoers", "master.passwd", "krb5.keytab":
			return true
		}
	}
	name := baseName(path)
	if secretName(name) || strings.HasPrefix(path, "/proc/") && name == "environ" {
		return true
	}
	for rest := path; rest != ""; {
		var dir string
		dir, rest, _ = strings.Cut(rest, "/")
		switch dir {
		case ".ssh":
			return !strings.HasSuffix(name, ".pub") && name != "config" && !strings.HasPrefix(name, "known_hosts")
		case ".aws", ".gnupg", ".kube", ".azure", "gcloud", "Keychains", ".password-store":
			return true
		}
	}
	return false
}

func secretName(name string) bool {
	switch name {
	case ".env", ".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".my.cnf", ".git-credentials", "credentials", "credentials.json", "id_rsa", "id_dsa", "id_ecdsa",
		"id_ed25519", ".vault-token", "wallet.dat", "secrets.yml", "secrets.yaml", "secrets.json", "secret.key", "master.key", "shadow", "kubeconfig", ".htpasswd",
		"service-account.json", ".bash_history", ".zsh_history", "hosts.yml", "terraform.tfstate", ".dockercfg", "keystore.jks":
		return true
	}
	if strings.HasPrefix(name, ".env.") {
		return name != ".env.example" && name != ".env.sample" && name != ".env.template" && name != ".env.dist"
	}
	switch name[strings.LastIndexByte(name, '.')+1:] {
	case "pem", "key", "p12", "pfx", "jks", "keystore", "kdbx", "ppk", "asc":
		return strings.Contains(name, ".")
	}
	return false
}
