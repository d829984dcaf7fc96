package shell

import "strings"

// wrapper is the syntax of a program that runs its arguments.
type wrapper struct {
	// transparent: an allow rule for the inner command holds for the whole.
	transparent bool
	// short lists the one-letter options, ":" behind those with a value; long the
	// long ones, "=" behind those with a value, "?" behind an optional value.
	short, long string
	digits      bool // -5 is an option
	operands    int  // words between the options and the command
	assigns     bool // NAME=value may stand before the command
	// anyValue: a value that is not known but surely one word does no harm.
	anyValue bool
	// value checks the values of options and the operands; a wrapper that would
	// refuse them is not understood. Nil means that any will do.
	value func(text string) bool
}

// loose is a wrapper whose syntax is not modelled: every suffix is tried.
var loose = wrapper{operands: -1}

var wrappers = map[string]wrapper{
	"timeout":  {transparent: true, short: "fpvk:s:", long: "foreground preserve-status verbose kill-after= signal=", operands: 1, value: isDuration},
	"gtimeout": {transparent: true, short: "fpvk:s:", long: "foreground preserve-status verbose kill-after= signal=", operands: 1, value: isDuration},
	"time":     {transparent: true, short: "pv", long: "portability verbose"},
	"nice":     {transparent: true, short: "n:", long: "adjustment=", digits: true, value: isInteger},
	"nohup":    {transparent: true},
	"stdbuf":   {transparent: true, short: "i:o:e:", long: "input= output= error=", value: isBuffering},
	"command":  {transparent: true, short: "p"},
	"builtin":  {transparent: true},

	"spawn":     {}, // of expect
	"shell":     {}, // of gdb
	"cross-env": loose, "corepack": loose, "xterm": loose, "gnome-terminal": loose, "konsole": loose, "concurrently": loose, "npm-run-all": loose,
	"dotenvx": loose, "pnpx": loose, "rtk": loose,
	"exec":       {short: "cla:"},
	"setsid":     {short: "cfw", long: "ctty fork wait"},
	"ionice":     {short: "c:n:tp:P:u:", long: "class= classdata= ignore pid= pgid= uid="},
	"chrt":       {short: "abdefiormRT:P:D:v", long: "all-tasks batch deadline fifo idle other rr reset-on-fork verbose", operands: 1},
	"taskset":    {short: "ac", long: "all-tasks cpu-list", operands: 1},
	"chroot":     {long: "groups= userspec= skip-chdir", operands: 1},
	"prlimit":    {short: "v", long: "core? cpu? data? fsize? locks? memlock? msgqueue? nice? nofile? nproc? rss? rtprio? sigpending? stack? as? verbose"},
	"setarch":    loose,
	"pkexec":     {long: "user= disable-internal-agent keep-cwd"},
	"gosu":       {operands: 1},
	"su-exec":    {operands: 1},
	"catchsegv":  {},
	"chronic":    {short: "ev"},
	"unbuffer":   {short: "p"},
	"fakeroot":   loose,
	"caffeinate": {short: "dimsut:w:"},
	"npx":        {short: "yp:", long: "yes no package= no-install ignore-existing quiet prefer-offline workspace= workspaces"},
	"bunx":       {long: "bun"},
	"uvx":        loose,
	"firejail":   loose, "bwrap": loose, "unshare": loose, "nsenter": loose, "setpriv": loose, "capsh": loose,
	"strace": loose, "ltrace": loose, "gdb": loose, "lldb": loose, "valgrind": loose, "perf": loose, "rr": loose,
	"systemd-run": loose, "systemd-inhibit": loose, "run0": loose, "cgexec": loose, "numactl": loose, "cpulimit": loose,
	"dbus-run-session": loose, "dbus-launch": loose, "xvfb-run": loose, "eatmydata": loose, "faketime": loose, "proxychains": loose,
	"proxychains4": loose, "torsocks": loose, "torify": loose, "rlwrap": loose, "screen": loose, "tmux": loose, "expect": loose,
	"entr": loose, "watchexec": loose, "nodemon": loose, "hyperfine": loose, "direnv": loose, "dotenv": loose,
	"doppler": loose, "op": loose, "aws-vault": loose, "mise": loose, "asdf": loose, "rbenv": loose, "pyenv": loose, "conda": loose,
	"nix": loose, "guix": loose, "tini": loose, "dumb-init": loose, "s6-setuidgid": loose, "setuidgid": loose, "softlimit": loose,
	"linux32": loose, "linux64": loose, "arch": loose, "start-stop-daemon": loose, "daemonize": loose, "dtach": loose, "abduco": loose,
	"ip": loose, "sshpass": loose, "mosh": loose, "trickle": loose, "pv": loose, "ts": loose, "tsp": loose, "sem": loose,
	"chpst": loose, "userdbctl": loose, "machinectl": loose, "toolbox": loose, "distrobox": loose, "wsl": loose, "cmd": loose,
}

// unwrap finds the command that a wrapper runs.
func (w *walker) unwrap(i int, spec *wrapper) {
	words := w.s.Commands[i].Words
	if words[0].Text == "command" && len(words) > 1 && lookup(words[1]) {
		return
	}
	start, ok := spec.start(words, nil)
	if !ok {
		w.suffixes(i, words[1:])
		return
	}
	link := Wrapped
	if _, ok := systemProgram(words[0].Text); ok && spec.transparent { // ./timeout is some other program
		link = Transparent
	}
	if inner := words[start:]; len(inner) > 0 {
		if at := strings.LastIndexByte(inner[0].Text, '@'); at > 0 { // npx npm@latest
			w.child(i, Guess, append([]Word{{Text: inner[0].Text[:at], Span: inner[0].Span}}, inner[1:]...))
		}
	}
	w.child(i, link, words[start:])
}

// lookup: command -v and -V only look a name up.
func lookup(option Word) bool {
	return option.Known() && strings.HasPrefix(option.Text, "-") && strings.ContainsAny(option.Text, "vV")
}

// start is the index of the first word of the inner command. It is not ok when an
// option is not understood or a word before the command is not known. each is told
// every option with its value.
func (spec *wrapper) start(words []Word, each func(name string, value Word)) (int, bool) {
	if spec.operands < 0 {
		return 0, false
	}
	j := 1
	for j < len(words) {
		word := words[j]
		if !word.Known() {
			if mayBeOption(word) {
				return 0, false
			}
			return spec.skipOperands(words, j)
		}
		switch text := word.Text; {
		case text == "--":
			return spec.skipOperands(words, j+1)
		case spec.assigns && isAssignment(text):
			j++
		case strings.HasPrefix(text, "--"):
			n, ok := spec.longOption(words, j, each)
			if !ok {
				return 0, false
			}
			j += n
		case len(text) > 1 && text[0] == '-':
			n, ok := spec.cluster(words, j, each)
			if !ok {
				return 0, false
			}
			j += n
		default:
			return spec.skipOperands(words, j)
		}
	}
	return j, true
}

// mayBeOption: an unknown word is an operand only if its known start says so.
func mayBeOption(word Word) bool {
	return word.Split || word.Text[0] == Unknown || word.Text[0] == Glob || word.Text[0] == '-'
}

func (spec *wrapper) skipOperands(words []Word, j int) (int, bool) {
	for range spec.operands {
		if j < len(words) && (!spec.readable(words[j]) || spec.value != nil && !spec.value(words[j].Text)) {
			return 0, false
		}
		j++
	}
	for spec.assigns && j < len(words) && isAssignment(words[j].Text) {
		j++
	}
	return min(j, len(words)), true
}

// longOption reads --name, --name=value or --name value; it returns how many words
// that took.
func (spec *wrapper) longOption(words []Word, j int, each func(string, Word)) (int, bool) {
	name, value, glued := strings.Cut(words[j].Text[2:], "=")
	full, ok := abbreviated(name, spec.long)
	if !ok {
		return 0, false
	}
	word, size := Word{Text: value, Span: words[j].Span}, 1
	if strings.HasSuffix(full, "=") && !glued {
		if j+1 >= len(words) {
			return 1, true
		}
		word, size = words[j+1], 2
	}
	if each != nil {
		each(strings.TrimRight(full, "=?"), word)
	}
	return size, spec.readable(word) && (size == 1 && !glued || spec.plausible(word))
}

// readable: the value is known, or need not be.
func (spec *wrapper) readable(value Word) bool {
	return value.Known() || spec.anyValue && !value.several()
}

func (spec *wrapper) plausible(value Word) bool { return spec.value == nil || spec.value(value.Text) }

// isDuration is what timeout takes, and the names and numbers of signals.
func isDuration(text string) bool {
	digits := strings.TrimRight(text, "smhd")
	return digits != "" && strings.Trim(digits, "0123456789.") == "" || isSignal(text)
}

func isSignal(text string) bool {
	name := strings.TrimPrefix(strings.ToUpper(text), "SIG")
	switch name {
	case "TERM", "KILL", "INT", "HUP", "QUIT", "USR1", "USR2", "ABRT", "ALRM", "STOP", "CONT":
		return true
	}
	return false
}

func isInteger(text string) bool {
	digits := strings.TrimLeft(text, "+-")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

func isBuffering(text string) bool {
	return text == "L" || text != "" && strings.Trim(strings.TrimRight(text, "KMGTBkmgtb"), "0123456789") == ""
}

// abbreviated finds the one long option that starts with name.
func abbreviated(name, options string) (string, bool) {
	found := ""
	for option := range strings.FieldsSeq(options) {
		bare := strings.TrimRight(option, "=?")
		if bare == name {
			return option, true
		}
		if strings.HasPrefix(bare, name) {
			if found != "" {
				return "", false
			}
			found = option
		}
	}
	return found, found != "" && name != ""
}

// cluster reads -abc, where the first option with a value takes the rest.
func (spec *wrapper) cluster(words []Word, j int, each func(string, Word)) (int, bool) {
	text := words[j].Text[1:]
	if spec.digits && strings.Trim(text, "-0123456789") == "" {
		return 1, true
	}
	for k := 0; k < len(text); k++ {
		at := strings.IndexByte(spec.short, text[k])
		if at < 0 || text[k] == ':' {
			return 0, false
		}
		takes := at+1 < len(spec.short) && spec.short[at+1] == ':'
		if !takes {
			if each != nil {
				each(text[k:k+1], Word{Span: words[j].Span})
			}
			continue
		}
		value, size := Word{Text: text[k+1:], Span: words[j].Span}, 1
		if value.Text == "" {
			if j+1 >= len(words) {
				return 1, true
			}
			value, size = words[j+1], 2
		}
		if each != nil {
			each(text[k:k+1], value)
		}
		return size, spec.readable(value) && spec.plausible(value)
	}
	return 1, true
}

func isAssignment(text string) bool {
	name, _, ok := strings.Cut(text, "=")
	return ok && isName(name)
}
