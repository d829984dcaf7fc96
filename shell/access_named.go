package shell

import "strings"

// argumentFiles are programs that take @file for arguments which stand in that file.
var argumentFiles = wordSet{list: "c++filt readelf strings nm size objdump addr2line ar ranlib ld as strip objcopy gcc g++ cc c++ cpp clang clang++"}

// named adds files that are named the same way by many programs: --some-file=x,
// file:x, the output of a wrapper, and what an archiver removes afterwards.
func (l *accessList) named(program string, known *knowledge) {
	words := l.c.Words
	switch program {
	case "ssh", "scp", "sftp", "autossh", "sshfs", "ssh-copy-id":
		l.sshOptions()
	case "curl":
		l.writeOut()
	case "wget":
		l.wgetSettings()
	case "sqlite3", "sqlite":
		l.sqliteArchive()
	}
	for at := 1; at < len(words); at++ {
		text := words[at].Text
		if strings.HasPrefix(text, "@") && argumentFiles.has(program) {
			l.part(Reads, at, text[1:])
			l.listed(at, text[1:])
			continue
		}
		if text == "" || text[0] != '-' && text[0] != 'f' {
			continue
		}
		if strings.HasPrefix(text, "--") {
			if option, value, glued := strings.Cut(text, "="); glued && strings.HasSuffix(option, "file") {
				l.part(Reads, at, value)
				continue
			}
		}
		switch {
		case strings.HasPrefix(text, "file:") && known.spec.operands == database:
			l.part(Writes, at, uriPath(text))
		case strings.HasPrefix(text, "file:"):
			l.part(Reads, at, strings.TrimPrefix(strings.TrimPrefix(text, "file:"), "//"))
		case known.wrapper != nil && (text == "-o" || text == "--output") && at+1 < len(words):
			l.word(Writes, at+1)
		}
	}
	removes := known.spec.operands == archiver && l.c.has(&plainGrammar, 0, "remove-files") ||
		program == "zip" && l.c.has(&known.spec.grammar, 'm', "move") ||
		known.spec.operands == extractor && l.c.hasWord("-sdel") || program == "rar" && (words[1].Text == "m" || l.c.hasWord("-df"))
	if removes {
		for at := 2; at < len(words); at++ {
			if !isOption(words[at].Text) {
				l.word(Deletes, at)
			}
		}
	}
}
