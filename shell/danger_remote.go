package shell

import (
	"cmp"
	"slices"
	"strings"
)

// origin says where text comes from that somebody else wrote or hid.
type origin uint8

const (
	plainOrigin origin = iota
	hidden             // a constant text that another program changes
	decoded
	downloaded
)

func (o origin) String() string {
	switch o {
	case downloaded:
		return "runs code fetched from the network"
	case decoded, hidden:
		return "runs code that was encoded to hide it"
	case plainOrigin:
	}
	return ""
}

// origin of what the command prints.
func (c *Command) origin() origin {
	name := c.Program()
	switch name {
	case "curl", "wget", "fetch", "aria2c", "axel", "lynx", "links", "elinks", "w3m", "http", "https", "xh", "curlie", "nc", "ncat", "netcat", "telnet", "ftp",
		"tftp", "sftp", "socat", "ssh", "dig", "nslookup", "host", "ipfs", "gsutil", "s3cmd", "rclone", "lwp-request", "GET", "dog":
		if !c.onlyAsks() {
			return downloaded
		}
	case "aws":
		if c.hasWord("s3") || c.hasWord("get-parameter") {
			return downloaded
		}
	case "gh", "glab":
		if c.hasWord("api") || c.hasWord("gist") || c.hasWord("download") {
			return downloaded
		}
	case "git":
		if c.hasWord("archive") && c.has(&plainGrammar, 0, "remote") {
			return downloaded
		}
	case "openssl":
		if c.hasWord("s_client") {
			return downloaded
		}
		if c.hasWord("-d") {
			return decoded
		}
	default:
		if c.decodes(name) {
			return decoded
		}
	}
	if c.opensNetwork() {
		return downloaded
	}
	return plainOrigin
}

// decodes: the program turns text that nobody can read into text that can run.
func (c *Command) decodes(name string) bool {
	switch name {
	case "base64", "base32", "base58", "basenc", "gbase64":
		return c.has(&plainGrammar, 'd', "decode") || c.has(&plainGrammar, 'D', "")
	case "xxd":
		return c.has(&plainGrammar, 'r', "revert")
	case "gzip", "bzip2", "xz", "zstd", "lz4", "brotli", "lzma":
		return c.has(&plainGrammar, 'd', "decompress")
	case "gpg", "gpg2", "age":
		return c.has(&plainGrammar, 'd', "decrypt")
	case "rev", "tr", "uudecode", "gunzip", "zcat", "bunzip2", "bzcat", "unxz", "xzcat", "unzstd", "zstdcat", "ascii85", "qprint", "rot13", "uncompress":
		return true
	}
	return false
}

// changesText: a filter that can turn a harmless constant into a command.
func changesText(name string) bool {
	switch name {
	case "sed", "awk", "gawk", "cut", "perl", "python", "python3", "ruby", "fold", "paste", "column", "colrm", "tac", "sort", "od", "hexdump", "jq":
		return true
	}
	return false
}

// pipedOrigin is the worst origin of what comes through a pipe. A constant counts
// when a filter changes it on the way.
func (s *inspection) pipedOrigin(in Stdin) origin {
	if in.Kind != StdinPipe {
		return plainOrigin
	}
	s.gather()
	worst, fixed, changed := plainOrigin, false, false
	for _, from := range s.sources {
		if from.command >= in.From && from.command < in.To {
			worst = max(worst, from.origin)
		}
	}
	for j := max(in.From, in.To-lookAround); j < in.To && j < len(s.Commands); j++ {
		c := &s.Commands[j]
		name := c.Program()
		fixed = fixed || name == "echo" || name == "printf" || c.Stdin.Kind == StdinText
		changed = changed || changesText(name)
	}
	if fixed && changed {
		worst = max(worst, hidden)
	}
	return worst
}

// insideOrigin is the worst origin of the substitutions in a span.
func (s *inspection) insideOrigin(span Span, i int) origin {
	s.gather()
	worst := plainOrigin
	first, _ := slices.BinarySearchFunc(s.sources, span.Start, func(from source, start int32) int { return cmp.Compare(from.start, start) })
	for _, from := range s.sources[first:] {
		if from.start > span.End {
			break
		}
		if from.command != i && s.within(from.command, span) && s.Commands[from.command].Parent != i {
			worst = max(worst, from.origin)
		}
	}
	return worst
}

// wordOrigin is where the value of a word comes from that is run as code: from the
// substitutions in it, from what a loop or xargs reads, from a variable.
func (s *inspection) wordOrigin(i, at int) origin {
	c := &s.Commands[i]
	word := c.Words[at]
	if word.Known() && !feeds(word) {
		return plainOrigin
	}
	if o := s.insideOrigin(word.Span, i); o != plainOrigin {
		return o
	}
	if o := s.pipedOrigin(c.Stdin); o >= decoded {
		return o
	}
	return s.assignedOrigin(i)
}

// assignedOrigin is the worst origin of a value that the script has assigned to a
// variable before command i. Which variable is used is not known here.
func (s *inspection) assignedOrigin(i int) origin {
	s.gather()
	for o := downloaded; o > plainOrigin; o-- {
		if s.taken[o] < i {
			return o
		}
	}
	return plainOrigin
}

// inputOrigin is where standard input comes from: a pipe, or a substitution that
// is redirected into it.
func (s *inspection) inputOrigin(i int) origin {
	c := &s.Commands[i]
	worst := s.pipedOrigin(c.Stdin)
	for k := range c.Redirects {
		if r := &c.Redirects[k]; r.Kind != RedirectWrite {
			worst = max(worst, s.insideOrigin(r.Span, i))
		}
	}
	return worst
}

// runsUnknown judges a command whose program is not known before it runs.
func (s *inspection) runsUnknown(i int) *Finding {
	c := &s.Commands[i]
	if c.Opaque != OpaqueShell || len(c.Words) == 0 || c.Words[0].Known() {
		return nil
	}
	f := worse(worse(s.splits(i), s.looksLikeRemoval(i)), s.opensShell(i))
	if o := s.wordOrigin(i, 0); o != plainOrigin {
		f = worse(f, s.at(kindRemote, i, 0, o.String()))
	}
	return f
}

// looksLikeRemoval: an unknown program with the options of rm and the root for its
// operand can be little else.
func (s *inspection) looksLikeRemoval(i int) *Finding {
	c := &s.Commands[i]
	if len(c.Words) < 3 || !c.has(&plainGrammar, 'f', "force") || !c.removesTrees() {
		return nil
	}
	if f := removes(s, i); f != nil && f.Floor {
		return f
	}
	return nil
}

// splits reads a program word that falls apart where its variables are blanks:
// rm${IFS}-rf${IFS}/.
func (s *inspection) splits(i int) *Finding {
	word := s.Commands[i].Words[0]
	blank := strings.ReplaceAll(word.Text, unknownMark, " ")
	if !word.Split || strings.TrimSpace(blank) == "" || !strings.Contains(strings.TrimSpace(blank), " ") {
		return nil
	}
	return s.nested(i, 0, blank)
}

// evaluates judges eval, source and trap: their words are code.
func evaluates(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	last := len(c.Words) - 1
	if name := c.Program(); name == "source" || name == "." {
		last = min(last, 1)
	}
	for at := 1; at <= last; at++ {
		if o := s.wordOrigin(i, at); o != plainOrigin {
			return s.at(kindRemote, i, at, o.String())
		}
	}
	if last == 1 && feeds(c.Words[1]) {
		return s.fedBy(i)
	}
	return nil
}

// fedBy judges a program that runs what it reads.
func (s *inspection) fedBy(i int) *Finding {
	if o := s.inputOrigin(i); o != plainOrigin {
		return s.at(kindRemote, i, 0, o.String())
	}
	return nil
}

// shells judges sh, bash and their kin: code from standard input, behind -c, or in
// a script that is a substitution.
func shells(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	f := s.opensShell(i)
	if c.Opaque != OpaqueShell {
		return worse(f, s.runsWritten(i))
	}
	if input, ok := s.inputText(i); ok && c.Stdin.Kind == StdinPipe {
		f = worse(f, s.nested(i, 0, input))
	}
	for at := 1; at < len(c.Words); at++ {
		if o := s.wordOrigin(i, at); o != plainOrigin {
			f = worse(f, s.at(kindRemote, i, at, o.String()))
		}
	}
	return worse(f, s.fedBy(i))
}

// interpreters judges python, perl and others: the same for their code, and what
// the code itself does.
func interpreters(s *inspection, i int) *Finding {
	code := inlineCode(&s.Commands[i])
	f := s.opensShell(i)
	if code.stdin {
		f = worse(f, s.fedBy(i))
	} else if code.at > 0 {
		if o := s.wordOrigin(i, code.at); o != plainOrigin {
			f = worse(f, s.at(kindRemote, i, code.at, o.String()))
		}
	}
	return worse(f, s.judgeCode(i, code))
}

// sshRuns judges ssh with a shell at the other end that is fed by a download.
func sshRuns(s *inspection, i int) *Finding {
	for at, word := range s.Commands[i].Words[1:] {
		switch baseName(firstField(word.Text)) {
		case "sh", "bash", "zsh", "sudo", "python", "python3":
			if o := s.pipedOrigin(s.Commands[i].Stdin); o != plainOrigin {
				return s.at(kindRemote, i, at+1, o.String())
			}
		}
	}
	return nil
}

func firstField(text string) string {
	field, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	return field
}
