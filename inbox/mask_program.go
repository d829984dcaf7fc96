package inbox

import (
	"path"
	"regexp"
	"strings"
	"sync"
)

// commandsOf finds the program of a command: what comes behind assignments, the words of the
// shell, redirections, and programs that run another one. Where such a program runs several
// these are commands of their own, and the last is what is fed and has a text behind it.
func commandsOf(words []shellWord) []command {
	for i := 0; i < len(words); i++ {
		text := words[i].text
		name := path.Base(text)
		switch {
		case text == "\n" || text == "" || isKeyword(text) || isAssignment(text):
		case isRedirection(text):
			if strings.Trim(text, "<>&|0123456789-") == "" {
				i++ // the file is the next word
			}
		case wraps(name) != nil:
			i = behindOptions(words, i+1, wraps(name)) - 1
			if name == "timeout" || name == "flock" || name == "chroot" {
				i++
			}
		case finds(name):
			return found(words, i)
		case name == "ssh":
			return sent(words, i)
		case carries(name):
			return carried(words, i)
		default:
			return []command{commandAt(words, i)}
		}
	}
	return []command{{before: words}}
}

// commandAt is the command whose program stands at a place.
func commandAt(words []shellWord, at int) command {
	return command{program: path.Base(words[at].text), before: words[:at], args: words[at+1:]}
}

func isKeyword(word string) bool {
	switch word {
	case "if", "then", "else", "elif", "do", "while", "until", "!", "{", "time":
		return true
	}
	return false
}

func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && strings.Trim(strings.TrimSuffix(name, "+"), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}

func isRedirection(word string) bool {
	rest := strings.TrimLeft(word, "0123456789&")
	return rest != "" && (rest[0] == '<' || rest[0] == '>')
}

// wraps are the options with values of a program that runs the command behind it; nil when it
// is none. Letters stand for themselves.
func wraps(program string) []string {
	switch program {
	case "sudo", "doas":
		return []string{"ugpCDRTUrth", "user", "group", "prompt", "close-from", "chdir", "chroot", "command-timeout", "other-user", "role", "type", "host"}
	case "env":
		return []string{"uC", "unset", "chdir"}
	case "nice", "ionice":
		return []string{"ncp", "adjustment", "class", "classdata"}
	case "timeout":
		return []string{"sk", "signal", "kill-after"}
	case "xargs":
		return []string{"InPLdEsa", "max-args", "max-procs", "max-lines", "delimiter", "arg-file", "max-chars"}
	case "stdbuf":
		return []string{"ioe", "input", "output", "error"}
	case "exec":
		return []string{"a"}
	case "flock":
		return []string{"wE", "timeout"}
	case "nohup", "setsid", "command", "builtin", "busybox", "chronic", "unbuffer", "caffeinate", "chroot":
		return []string{""}
	}
	return nil
}

// behindOptions is where the options of a program end.
func behindOptions(words []shellWord, at int, valued []string) int {
	for ; at < len(words) && strings.HasPrefix(words[at].text, "-"); at++ {
		text := words[at].text
		if text == "--" {
			return at + 1
		}
		if name, long := strings.CutPrefix(text, "--"); long {
			for _, v := range valued[1:] {
				if name == v {
					at++
				}
			}
		} else if n := strings.IndexAny(text, valued[0]); n > 0 && n == len(text)-1 {
			at++
		}
	}
	return at
}

// secretOption are options of a program whose values are secrets.
type secretOption struct {
	letters string   // those of one letter
	names   []string // those with a name, behind one dash or two
	// sign is in the value if it is one; 0 means that every value is.
	sign byte
	// attached: the value stands in the same word.
	attached bool
	// part: only what stands behind the sign is secret.
	part bool
}

// secretOptions are the options of a program whose values are secrets.
func secretOptions(program string) []secretOption {
	switch program {
	case "curl": // cookies without a value are the name of a file
		return []secretOption{{letters: "b", sign: '='}, {letters: "uU", names: []string{"user", "proxy-user"}, sign: ':', part: true}}
	case "http", "https", "xh", "xhs", "redis-cli":
		return []secretOption{{letters: "a"}}
	case "sqlcmd", "bcp", "osql", "isql", "tsql", "zip", "unzip", "zipcloak", "mosquitto_pub", "mosquitto_sub", "mosquitto_rr":
		return []secretOption{{letters: "P"}}
	case "ldapsearch", "ldapadd", "ldapmodify", "ldapdelete", "ldappasswd", "ldapwhoami", "ipmitool":
		return []secretOption{{letters: "w"}}
	case "mongo", "mongosh", "mongodump", "mongorestore", "7z", "7za", "7zz", "rar", "unrar", "sshpass", "twine", "useradd", "usermod":
		return []secretOption{{letters: "p"}}
	case "mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlshow", "mysqlcheck", "mysqlsh", "mysqlbinlog", "mariadb", "mariadb-dump", "mariadb-admin":
		return []secretOption{{letters: "p", attached: true}} // alone it makes the program ask
	case "ssh-keygen":
		return []secretOption{{letters: "NP"}}
	case "smbclient", "rpcclient", "smbget":
		return []secretOption{{letters: "U", names: []string{"user"}, sign: '%', part: true}}
	case "lftp":
		return []secretOption{{letters: "u", sign: ',', part: true}}
	case "keytool", "jarsigner":
		return []secretOption{{names: []string{"storepass", "keypass", "srcstorepass", "deststorepass", "srckeypass", "destkeypass", "new"}}}
	case "openssl":
		return []secretOption{{names: []string{"k", "K"}}}
	}
	return nil
}

// options are those of the command whose values are secrets.
func (c command) options() []secretOption {
	takes := secretOptions(c.program)
	word := func(i int) string {
		if i < len(c.args) {
			return c.args[i].text
		}
		return ""
	}
	switch {
	case word(0) == "login" || word(1) == "login" && (word(0) == "registry" || word(0) == "auth" || word(0) == "account"):
		takes = append(takes, secretOption{letters: "p"})
	case c.program == "twine" && word(0) != "upload" && word(0) != "register":
		return nil
	case (c.program == "gh" || c.program == "glab") && keepsSecrets(c.program, c.args):
		takes = append(takes, secretOption{letters: "b", names: []string{"body", "value"}})
	case c.program == "aws" && word(0) == "ssm" && word(1) == "put-parameter":
		takes = append(takes, secretOption{names: []string{"value"}})
	}
	return takes
}

// value is the value of an option, which follows in the same word or in the next one.
func (o secretOption) value(w shellWord, next *shellWord) []span {
	value := w
	name, given, together := strings.Cut(strings.TrimLeft(w.text, "-"), "=")
	switch at := strings.IndexAny(w.text, o.letters); {
	case o.named(name) && together:
		value.from, value.text = w.to-len(given), given
		if n := strings.IndexByte(w.text, '='); w.from+n+1 < w.to {
			value.from = w.from + n + 1
		}
	case o.named(name) && next != nil:
		value = *next
	case !isShort(w.text) || at < 1 || strings.Trim(w.text[1:at], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789#") != "":
		return nil
	case at+1 < len(w.text) && at == 1:
		value.from, value.text = w.from+2, w.text[2:]
	case at+1 == len(w.text) && next != nil && !o.attached:
		value = *next
	default: // the letter is one of another option's value
		return nil
	}
	if o.sign == 0 {
		return []span{value.span}
	}
	n := strings.IndexByte(value.text, o.sign)
	switch {
	case n < 0:
		return nil
	case o.part: // the marks of quotation may make it longer, and stay
		from := min(value.from+n+1, value.to)
		return []span{{from, value.to}}
	}
	return []span{value.span}
}

func (o secretOption) named(name string) bool {
	for _, n := range o.names {
		if n == name {
			return true
		}
	}
	return false
}

// secretName is how the name of a secret looks.
var secretName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential|pwd|\bpsk$|\bpass$)[a-z0-9_.-]*$`)
})

// looksSecret: it is no word of a sentence.
func looksSecret(text string) bool {
	return len(text) >= 6 && strings.ContainsAny(text, "0123456789") && strings.Trim(text, "0123456789.,:%") != ""
}
