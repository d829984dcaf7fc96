package shell

import "strings"

// awkOptions has no one-letter option without a value: the awk of macOS reads no
// clusters, so that "-bv x=1 prog" means something else there.
var awkOptions = optionSpec{
	posix: true, short: "F:v:",
	long: "posix traditional re-interval sandbox characters-as-bytes bignum csv version help",
	harm: "-f --file -E --exec -e --source: runs a program from elsewhere; -i --include -l --load: loads code; " +
		"-d --dump-variables -o --pretty-print -p --profile: writes a file; -D --debug: starts a debugger",
}

// doubtAwk reads the program: awk can write files and run programs from it.
func doubtAwk(words []Word) Doubt {
	s := scanOptions(&awkOptions, words, 1)
	program := false
	for s.next() {
		switch {
		case s.option != "":
		case !program:
			program = true
			if s.value.Split || !s.value.Known() {
				s.stop("the program is only known when it runs")
			} else if why := awkProgram(s.value.Text); why != "" {
				s.stop(why)
			}
		case mayBeSocket(&s.value):
			s.stop("a name that is only known when it runs may be a network connection of gawk (write \"./$x\" for $x)")
		}
	}
	return s.doubt
}

// mayBeSocket: gawk opens /inet/… as a network connection.
func mayBeSocket(w *Word) bool {
	if startsWithHome(w) {
		return false
	}
	const socket = "/inet"
	mark := firstMark(w.Text)
	switch {
	case w.Split:
		return true
	case mark < 0 || mark >= len(socket):
		return strings.HasPrefix(w.Text, socket)
	case mark == 0 && w.Text[0] == Glob:
		return false // no file name pattern without "/" is an absolute path
	}
	return strings.HasPrefix(socket, w.Text[:mark])
}
