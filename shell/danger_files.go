package shell

import (
	"slices"
	"strings"
)

// empties: the command leaves nothing in the file it writes.
func (c *Command) empties() bool {
	switch c.Program() {
	case "", ":", "true":
		return len(c.Words) <= 1
	case "echo", "printf":
		for _, word := range c.Args() {
			if word.Text != "" && word.Text != "-n" {
				return false
			}
		}
		return true
	case "tee", "sponge":
		return c.Stdin.Kind == StdinFile && slices.ContainsFunc(c.Redirects, func(r Redirect) bool { return r.Kind == RedirectNull })
	case "sed", "gsed":
		return c.hasWord("d") || c.hasWord("1,$d")
	case "cat", "cp", "dd", "install":
		return c.hasWord("/dev/null") || c.hasWord("if=/dev/null") || c.hasWord("if=/dev/zero") || c.hasWord("if=/dev/urandom")
	case "truncate":
		return c.cutsToNothing()
	}
	return false
}

// overwrites: each file that the command writes holds the same text afterwards.
func (c *Command) overwrites() bool {
	switch c.Program() {
	case "tee":
		return !c.hasWord("-a") && !c.hasWord("--append")
	case "echo", "printf":
		return !slices.ContainsFunc(c.Args(), func(word Word) bool { return !word.Known() })
	}
	return false
}

// cutsToNothing: truncate -s 0; a relative size (+1K) keeps what is there.
func (c *Command) cutsToNothing() bool {
	for a := c.arguments(&truncateOptions); a.next(); {
		if a.is('r', "reference") && a.value == "/dev/null" {
			return true
		}
		if a.is('s', "size") {
			return !strings.HasPrefix(a.value, "+") && !strings.HasPrefix(a.value, "<") && !strings.HasPrefix(a.value, ">")
		}
	}
	return false
}

var truncateOptions = grammar{values: "s r size reference"}

// dataFile: a database, or a log of the system.
func (t *trail) dataFile() bool {
	if t.n == 0 {
		return false
	}
	if t.from == '/' && (t.under("var/log") > 0 || t.under("var/lib") > 0) {
		return true
	}
	return holdsData(t.names[t.n-1])
}
