package shell

import "strings"

// stopsMachine judges shutdown, reboot and their kind.
func stopsMachine(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	if c.onlyAsks() {
		return nil
	}
	switch c.Program() {
	case "shutdown":
		if c.hasWord("-c") || c.hasWord("-k") || c.hasWord("--show") {
			return nil // cancels, only warns, shows
		}
	case "init", "telinit":
		if len(c.Words) < 2 || c.Words[1].Text != "0" && c.Words[1].Text != "6" && c.Words[1].Text != "1" && c.Words[1].Known() {
			return nil
		}
	case "halt", "poweroff", "reboot":
		if c.hasWord("-w") || c.hasWord("--wtmp-only") {
			return nil // only writes the record
		}
	}
	return s.at(kindSystem, i, 0, "stops or restarts the machine")
}

// servesSystem judges systemctl and loginctl.
func servesSystem(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	a := c.arguments(&systemctlOptions)
	for a.next() {
		if !a.operand {
			continue
		}
		switch a.value {
		case "poweroff", "reboot", "halt", "kexec", "emergency", "rescue", "soft-reboot", "exit", "suspend", "hibernate", "hybrid-sleep":
			return s.at(kindSystem, i, a.valueAt, "stops or restarts the machine")
		case "isolate":
			return s.at(kindSystem, i, a.valueAt, "stops most services")
		case "stop", "disable", "mask", "kill":
			return s.stopsGuard(i)
		}
		return nil
	}
	return nil
}

var systemctlOptions = grammar{values: "t p n o s H M type property lines output signal host machine root state job-mode"}

// stopsGuard: a service that keeps people in or others out.
func (s *inspection) stopsGuard(i int) *Finding {
	for at, word := range s.Commands[i].Words {
		switch strings.TrimSuffix(word.Text, ".service") {
		case "ssh", "sshd", "firewalld", "ufw", "iptables", "nftables", "auditd", "apparmor", "systemd-journald", "dbus", "NetworkManager":
			return s.at(kindSystem, i, at, "stops a service the system depends on")
		}
	}
	return nil
}

// killsAll judges kill, pkill and killall: every process, or the first one.
func killsAll(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	switch c.Program() {
	case "killall5":
		return s.at(kindSystem, i, 0, "kills every process")
	case "kill":
		return killsGroup(s, i)
	}
	a := c.arguments(&killOptions)
	for a.next() {
		switch {
		case a.is('u', "user") && (a.value == "root" || a.value == "0"):
			return s.at(kindSystem, i, a.valueAt, "kills the processes of root")
		case a.operand && a.value != "" && strings.Trim(a.value, ".*^$") == "":
			return s.at(kindSystem, i, a.valueAt, "kills every process")
		case a.operand && (a.value == "init" || a.value == "systemd" || a.value == "launchd"):
			return s.at(kindSystem, i, a.valueAt, "kills the first process")
		}
	}
	return nil
}

var killOptions = grammar{values: "s u U g G P t signal user"}

// killsGroup reads kill's own syntax: a signal first, then processes, of which -1
// means all and 1 is the first.
func killsGroup(s *inspection, i int) *Finding {
	words := s.Commands[i].Words
	signal := false // a signal was given, so "-1" is a process
	for at := 1; at < len(words); at++ {
		text := words[at].Text
		switch {
		case text == "-l" || text == "-L" || text == "--list" || text == "-0":
			return nil
		case text == "-s" || text == "-n" || text == "--signal":
			signal = true
			at++
			if at < len(words) && words[at].Text == "0" {
				return nil
			}
		case text == "--":
			signal = true
		case text == "-1" && (signal || at > 1 && at == len(words)-1):
			return s.at(kindSystem, i, at, "kills every process")
		case text == "1":
			return s.at(kindSystem, i, at, "kills the first process")
		case strings.HasPrefix(text, "-"):
			signal = true
		}
	}
	return nil
}

// accounts judges userdel and its kind.
func accounts(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	if c.onlyAsks() || len(c.Words) < 2 && c.Program() != "chpasswd" {
		return nil
	}
	switch c.Program() {
	case "passwd":
		if c.has(&plainGrammar, 'd', "delete") || c.has(&plainGrammar, 'l', "lock") {
			return s.at(kindSystem, i, 0, "opens or locks an account")
		}
		return nil
	case "chpasswd":
		return s.at(kindSystem, i, 0, "changes passwords")
	case "dscl":
		if !c.hasWord("-delete") && !c.hasWord("delete") {
			return nil
		}
	}
	return s.at(kindSystem, i, 0, "deletes an account")
}

// cron judges crontab: -r deletes the table, a file or standard input replaces it.
func cron(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	if c.onlyAsks() {
		return nil
	}
	operand, list := 0, false
	a := c.arguments(&cronOptions)
	for a.next() {
		switch {
		case a.is('r', ""):
			return s.at(kindSystem, i, a.at, "deletes the crontab")
		case a.is('l', ""):
			list = true
		case a.is('e', ""):
			operand = a.at
		case a.operand:
			operand = a.valueAt
		}
	}
	if list || operand == 0 && c.Stdin.Kind == StdinInherited {
		return nil
	}
	return s.at(kindControl, i, operand, "replaces the crontab")
}

var cronOptions = grammar{values: "u"}

// firewall judges what takes the rules of the firewall away.
func firewall(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	switch c.Program() {
	case "iptables", "ip6tables", "ebtables":
		if c.has(&plainGrammar, 'F', "flush") || c.has(&plainGrammar, 'X', "delete-chain") || c.hasWord("-P") && c.hasWord("DROP") {
			return s.at(kindSystem, i, 0, "drops the rules of the firewall")
		}
	case "nft":
		if c.hasWord("flush") {
			return s.at(kindSystem, i, 0, "drops the rules of the firewall")
		}
	case "ufw":
		if c.hasWord("disable") || c.hasWord("reset") {
			return s.at(kindSystem, i, 0, "switches the firewall off")
		}
	case "pfctl":
		if c.has(&plainGrammar, 'd', "") || c.has(&plainGrammar, 'F', "") {
			return s.at(kindSystem, i, 0, "switches the firewall off")
		}
	case "setenforce":
		if c.hasWord("0") || c.hasWord("Permissive") {
			return s.at(kindSystem, i, 0, "switches access control off")
		}
	}
	return nil
}

// forgets judges history: -c clears it.
func forgets(s *inspection, i int) *Finding {
	if s.Commands[i].has(&cronOptions, 'c', "") {
		return s.at(kindSystem, i, 0, "clears the command history")
	}
	return nil
}
