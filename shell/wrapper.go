package shell

import "strings"

// wrapper is the syntax of a program that runs its arguments.
type wrapper struct {
	names string // the programs, separated by blanks
	// transparent: an allow rule for the inner command holds for the whole.
	transparent bool
	// short lists the one-letter options, ":" behind those with a value; long the
	// long ones, "=" behind those with a value, "?" behind an optional value.
	short, long string
	// glued lists the one-letter options that may have a value, in the same word.
	glued    string
	digits   bool // -5 is an option
	operands int  // words between the options and the command
	assigns  bool // NAME=value may stand before the command
	anyName  bool // and the name need not be one that a shell knows
	// anyValue: a value that is not known but surely one word does no harm.
	anyValue bool
	// value checks the values of options and the operands; a wrapper that would
	// refuse them is not understood. Nil means that any will do.
	value func(text string) bool
}

// wrappers are the programs whose syntax is modelled. It is a table and no map, so
// that it costs nothing until somebody asks.
var wrappers = []wrapper{
	{names: "timeout gtimeout", transparent: true, short: "fpvk:s:", long: "foreground preserve-status verbose kill-after= signal=", operands: 1, value: isDuration},
	{names: "time", transparent: true, short: "pv", long: "portability verbose"},
	{names: "gtime", short: "apqvf:o:", long: "append format= output= portability quiet verbose"},
	{names: "timelimit", short: "pqS:s:T:t:"},
	{names: "choom", short: "n:p:", long: "adjust= pid="},
	{names: "ssh-agent", short: "acDdkst:E:O:P:"},
	{names: "nice", transparent: true, short: "n:", long: "adjustment=", digits: true, value: isInteger},
	{names: "nohup builtin", transparent: true},
	{names: "stdbuf", transparent: true, short: "i:o:e:", long: "input= output= error=", value: isBuffering},
	{names: "command", transparent: true, short: "p"},
	{names: "noglob nocorrect -"},  // of zsh
	{names: "repeat", operands: 1}, // of zsh
	{names: "spawn"},               // of expect
	{names: "shell"},               // of gdb
	{names: "exec", short: "cla:"},
	{names: "setsid", short: "cfw", long: "ctty fork wait"},
	{names: "ionice", short: "c:n:tp:P:u:", long: "class= classdata= ignore pid= pgid= uid="},
	{names: "chrt", short: "abdefiormRT:P:D:v", long: "all-tasks batch deadline fifo idle other rr reset-on-fork verbose", operands: 1},
	{names: "taskset", short: "ac", long: "all-tasks cpu-list", operands: 1},
	{names: "chroot", long: "groups= userspec= skip-chdir", operands: 1},
	{names: "prlimit", short: "v", long: "core? cpu? data? fsize? locks? memlock? msgqueue? nice? nofile? nproc? rss? rtprio? sigpending? stack? as? verbose"},
	{names: "pkexec", long: "user= disable-internal-agent keep-cwd"},
	{names: "gosu su-exec", operands: 1},
	{names: "catchsegv"},
	{names: "chronic", short: "ev"},
	{names: "unbuffer", short: "p"},
	{names: "caffeinate", short: "dimsut:w:"},
	{names: "npx", short: "yp:", long: "yes no package= no-install ignore-existing quiet prefer-offline workspace= workspaces"},
	{names: "bunx", long: "bun"},
}

// looseWrappers run their arguments in a way that is not modelled: every suffix is
// tried.
const looseWrappers = "cross-env corepack xterm gnome-terminal konsole concurrently npm-run-all dotenvx pnpx rtk setarch fakeroot uvx firejail bwrap " +
	"unshare nsenter setpriv capsh strace ltrace gdb lldb valgrind perf rr systemd-run systemd-inhibit run0 cgexec numactl cpulimit " +
	"dbus-run-session dbus-launch xvfb-run eatmydata faketime proxychains proxychains4 torsocks torify rlwrap screen tmux expect entr " +
	"watchexec nodemon hyperfine direnv dotenv doppler op aws-vault mise asdf rbenv pyenv nix guix tini dumb-init s6-setuidgid " +
	"setuidgid softlimit linux32 linux64 arch start-stop-daemon daemonize dtach abduco ip sshpass mosh trickle ts tsp sem chpst " +
	"userdbctl machinectl toolbox distrobox wsl cmd retry bear wait-for-it wait-for-it.sh wait-for proot systemd-nspawn aa-exec runcon nsjail apptainer " +
	"singularity ch-run flatpak-spawn host-spawn distrobox-host-exec logsave run-one run-this-one keep-one-running ifne pee mpirun mpiexec srun salloc " +
	"heaptrack dtruss truss uftrace kcov multitime envdir envuidgid setlock pgrphack env-cmd onchange reflex foreman honcho chruby-exec pueue winpty " +
	"dotenv-cli chamber infisical teller envchain envconsul please pfexec dzdo ksu gksudo kdesu sandbox-exec x-terminal-emulator alacritty kitty urxvt sail flox"

var loose = wrapper{operands: -1}

// wrapperOf is nil for a program that runs nothing it is given.
func wrapperOf(program string) *wrapper {
	for i := range wrappers {
		if listed(wrappers[i].names, program) {
			return &wrappers[i]
		}
	}
	if listed(looseWrappers, program) {
		return &loose
	}
	return nil
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
		case spec.isAssignment(text), spec.anyName && text == "-": // env - is env -i
			j++
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
	for j < len(words) && spec.isAssignment(words[j].Text) {
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
	return value.Known() || spec.anyValue && !value.several() && !value.mayBeMissing()
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
		if strings.IndexByte(spec.glued, text[k]) >= 0 {
			value := Word{Text: text[k+1:], Span: words[j].Span}
			if each != nil {
				each(text[k:k+1], value)
			}
			return 1, spec.readable(value)
		}
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

// isAssignment: the program takes the word for one that stands before the command.
func (spec *wrapper) isAssignment(text string) bool {
	return spec.assigns && (isAssignment(text) || spec.anyName && strings.IndexByte(text, '=') >= 0)
}

func isAssignment(text string) bool {
	end := strings.IndexByte(text, '=')
	return end >= 0 && isName(text[:end])
}
