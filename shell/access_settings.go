package shell

import (
	"strconv"
	"strings"
)

// Some options carry a language of their own, in which files are named: settings of ssh, what
// curl prints at the end, archives of sqlite3, and the addresses of its files.

// sshWrites are settings of ssh that name files which it writes, in small letters.
var sshWrites = wordSet{list: "userknownhostsfile controlpath"}

// sshReads are those that name files which it reads.
var sshReads = wordSet{list: "identityfile certificatefile globalknownhostsfile revokedhostkeys"}

// sshOptions adds the files in ssh -o UserKnownHostsFile=x.
func (l *accessList) sshOptions() {
	for at := 1; at < len(l.c.Words); at++ {
		setting, found := strings.CutPrefix(l.c.Words[at].Text, "-o")
		if !found {
			continue
		}
		if setting == "" && at+1 < len(l.c.Words) {
			at++
			setting = l.c.Words[at].Text
		}
		setting = strings.TrimSpace(setting)
		end := strings.IndexAny(setting, "= \t")
		if end < 0 {
			continue
		}
		mode := AccessMode(0)
		switch key := strings.ToLower(setting[:end]); {
		case sshWrites.has(key):
			mode = Writes
		case sshReads.has(key):
			mode = Reads
		}
		for file := range strings.FieldsSeq(strings.TrimLeft(setting[end:], "= \t")) {
			l.part(mode, at, strings.Trim(file, `"`))
		}
	}
}

// writeOut adds the files in curl -w '%output{x}'.
func (l *accessList) writeOut() {
	for at := 1; at < len(l.c.Words); at++ {
		for text := l.c.Words[at].Text; ; {
			_, rest, found := strings.Cut(text, "%output{")
			if !found {
				break
			}
			file, after, _ := strings.Cut(rest, "}")
			l.part(Writes, at, strings.TrimPrefix(file, ">>"))
			text = after
		}
	}
}

// wgetSettings adds the files in wget -e output_document=x.
func (l *accessList) wgetSettings() {
	for at := 1; at < len(l.c.Words); at++ {
		text := l.c.Words[at].Text
		if strings.HasPrefix(text, "--exe") {
			_, text, _ = strings.Cut(text, "=")
		}
		key, value, found := strings.Cut(text, "=")
		key = strings.TrimSpace(strings.TrimPrefix(key, "-e"))
		switch strings.ReplaceAll(strings.ToLower(key), "_", "") {
		case "outputdocument", "logfile", "dirprefix", "hstsfile", "savecookies", "rejectedlog":
			if found {
				l.part(Writes, at, strings.TrimSpace(value))
			}
		case "input", "postfile", "bodyfile", "loadcookies", "certificate", "cacertificate", "privatekey", "config":
			if found {
				l.part(Reads, at, strings.TrimSpace(value))
			}
		}
	}
}

// sqliteArchive adds the members that sqlite3 -Ax extracts.
func (l *accessList) sqliteArchive() {
	archive, extracts := false, false
	for at := 1; at < len(l.c.Words); at++ {
		switch text := l.c.Words[at].Text; {
		case strings.HasPrefix(text, "-A"):
			archive, extracts = true, extracts || strings.Contains(text, "x")
		case text == "-x" || text == "--extract":
			extracts = true
		case archive && extracts && !isOption(text):
			l.word(Writes, at)
		}
	}
}

// uriPath is the file in an address such as file:x?mode=rwc.
func uriPath(uri string) string {
	path, _, _ := strings.Cut(strings.TrimPrefix(uri, "file:"), "?")
	if path, _, _ = strings.Cut(path, "#"); strings.HasPrefix(path, "//") {
		if path = path[2:]; path != "" && path[0] != '/' { // a host
			path = path[max(strings.IndexByte(path, '/'), 0):]
		}
	}
	var b strings.Builder
	for at := 0; at < len(path); at++ {
		if path[at] == '%' && at+2 < len(path) {
			if n, err := strconv.ParseUint(path[at+1:at+3], 16, 8); err == nil {
				b.WriteByte(byte(n))
				at += 2
				continue
			}
		}
		b.WriteByte(path[at])
	}
	return b.String()
}
