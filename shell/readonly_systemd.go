package shell

import "strings"

var systemdOptions = optionSpec{
	short: "ahln:o:p:P:qrt:", long: "all after before full no-pager no-legend legend= lines= output= plain property= " +
		"quiet recursive reverse show-types state= failed type= user system value with-dependencies help version",
	harm: "-H --host: goes to another machine; -M --machine --root --image: opens another system; -f --force --now --runtime: changes the system",
}

// doubtSystemd allows the subcommands that show.
func doubtSystemd(words []Word) Doubt {
	s := scanOptions(&systemdOptions, words, 1)
	subcommand, at, chosen := "", 0, false
	for s.next() {
		switch s.option {
		case "":
			if at == 0 {
				subcommand, at = s.value.Text, s.word
			}
		case "p", "P", "property":
			if chosen = true; !s.value.Known() || strings.Contains(strings.ToLower(s.value.Text), "env") {
				s.stop(showsEnvironment)
			}
		}
	}
	switch {
	case s.doubt.Text != "" || at == 0:
		return s.doubt
	case subcommand == "show-environment", subcommand == "cat", subcommand == "show" && !chosen:
		// All that is known of a unit has its environment in it, and so does its file.
		return doubtOf(words, at, showsEnvironment)
	case !showsSystemd(subcommand):
		return doubtOf(words, at, "the subcommand "+subcommand+" is not known to only read")
	}
	return Doubt{}
}

func showsSystemd(subcommand string) bool {
	switch subcommand {
	case "status", "show", "is-active", "is-enabled", "is-failed", "is-system-running", "list-units", "list-unit-files",
		"list-timers", "list-sockets", "list-dependencies", "list-jobs", "list-machines", "get-default",
		"list-timezones", "timesync-status", "list-locales", "list-sessions", "list-users", "list-seats",
		"session-status", "user-status", "show-session", "show-user":
		return true
	}
	return false
}
