package shell

import (
	"slices"
	"strings"
)

// changes judges the files that command i changes, by redirections or operands:
// protected paths, raw devices, files that start programs, the system's own.
func (s *inspection) changes(i int) *Finding {
	var worst *Finding
	accesses := s.accessesOf(i)
	for k := range accesses {
		a := &accesses[k]
		if a.Mode == Reads {
			continue
		}
		if s.startsUnnamed(i, a.Path) {
			if path := s.protectedValue(a); path != "" {
				return onFloor(s.at(kindControl, i, 0, protectedText(a.Mode)+" that is named elsewhere: "+shown(path)))
			}
		}
		for _, dir := range dirsOf(&s.Commands[i]) {
			worst = worse(worst, s.change(a, dir))
			if rooted(a.Path) || worst != nil && worst.Floor {
				break
			}
		}
	}
	return worst
}

// mayChange judges what a program that is not known is given through values: it may write the
// protected path that the script says they are. One that stands in the words is judged by the caller.
func (s *inspection) mayChange(i int) *Finding {
	c := &s.Commands[i]
	if c.Surmised() || len(c.Words) == 0 {
		return nil
	}
	names, reads := s.unknownNames(i), c.Stdin.Kind != StdinInherited && c.readsNames(c.knowledge())
	if len(names) == 0 && !reads || !s.saysProtected() {
		return nil
	}
	if path := s.givenProtected(i, names, reads); path != "" {
		return onFloor(s.at(kindControl, i, 0, "may write a protected path that is named elsewhere: "+shown(path)))
	}
	return nil
}

// saysProtected reports whether a protected path stands anywhere in the script, or is listed by it. Most
// scripts say none, so that there is nothing to look for in their values.
func (s *inspection) saysProtected() bool {
	if !s.asked {
		s.asked = true
		s.says = slices.ContainsFunc(s.loops, func(l loop) bool { return saysProtected(l.words) })
		for j := 0; j < len(s.Commands) && !s.says; j++ {
			c := &s.Commands[j]
			s.says = saysProtected(c.Words) || protectedWord(c.Stdin.Text) != "" || s.listedProtected(j) != "" ||
				slices.ContainsFunc(c.Assigns, func(a Assign) bool { return saysProtected([]Word{a.Value}) || saysProtected(a.elements) })
		}
	}
	return s.says
}

func saysProtected(words []Word) bool {
	for i := range words {
		if text := words[i].Text; !namesNone(text) && (anyProtected(text) || protectedWord(text) != "") {
			return true
		}
	}
	return false
}

// unknownNames are the words of command i that are not known, but may name files which it writes.
func (s *inspection) unknownNames(i int) []Word {
	var names []Word
	accesses := s.accessesOf(i)
	for k := range accesses {
		if a := &accesses[k]; a.Possible && namesUnknown(a.Path) {
			names = append(names, Word{Span: a.Span, Split: a.Splits})
		}
	}
	return names
}

// givenProtected is a protected path that such words of command i may be, or, if it reads names, that
// stands in its input; "" if there is none.
func (s *inspection) givenProtected(i int, names []Word, reads bool) string {
	path := ""
	var v valueSearch
	found := func(text string) bool {
		if path = protectedAmong(text); v.whole && path != text {
			path = ""
		}
		return path != ""
	}
	lists := func(j int) bool {
		if s.listsNames(j) {
			path = s.listedProtected(j)
		}
		return path != ""
	}
	for _, word := range names {
		v = valueSearch{s: s, found: found, lists: lists, whole: !word.Split}
		if v.of(i, word.Span); v.done {
			return path
		}
	}
	if v = (valueSearch{s: s, found: found, lists: lists}); reads {
		v.input(i)
	}
	return path
}

// namesUnknown reports whether a value in a text may be the name of a file, or a part of one. In
// prose it is none, unless it stands behind a directory.
func namesUnknown(text string) bool {
	at := strings.IndexByte(text, Unknown)
	return at == 0 || at > 0 && (text[at-1] == '/' || !strings.ContainsAny(text, " \t\n"))
}

// change judges one path that is changed, from one directory.
func (s *inspection) change(a *Access, dir string) *Finding {
	c := &s.Commands[a.Command]
	var t trail
	if dir != "" && !rooted(a.Path) {
		t.walk(dir)
	}
	t.walk(a.Path)
	kind, text, floor := "", "", false
	switch {
	case t.protected(), t.cut && Protected(behind(dir, a.Path)):
		kind, text, floor = kindControl, protectedText(a.Mode), true
	case a.Mode == Writes && t.device():
		kind, text, floor = kindSystem, "overwrites a device", true
	case t.startsPrograms(c, a.Mode):
		kind, text = kindControl, "changes a file that logs in or starts programs"
	case a.Mode == Writes && t.systemFile(c):
		kind, text = kindSystem, "overwrites a system file"
	case a.Mode == Writes && s.emptiesAll(a, t):
		kind, text, floor = kindRemove, "empties every file", true
	case a.Mode == Writes && t.dataFile() && s.loss(a.Command).empties:
		kind, text = kindSystem, "empties a file of data"
	default:
		return nil
	}
	return &Finding{Kind: kind, Command: a.Command, Span: a.Span, Word: a.Path, Text: text + ": " + shown(a.Path), Floor: floor}
}

// emptiesAll reports whether the command leaves nothing in all the files of a directory that
// must not be deleted.
func (s *inspection) emptiesAll(a *Access, t trail) bool {
	c := &s.Commands[a.Command]
	if a.Redirect && s.appends(c, a) {
		return false
	}
	if t.dropEverything(); t.contents && t.place().ruinous() && s.replacesAll(a) {
		return true
	}
	if !s.onlyNamed(a.Command, a.Path) || !s.replacesAll(a) {
		return false
	}
	fed := removal{s: s, i: a.Command}
	return fed.fed(c) && s.listed(c.Stdin) == listsAll || s.namesEverything(a.Command, a.Span)
}

// replacesAll reports whether the command leaves nothing in the files it writes, or the same in each.
func (s *inspection) replacesAll(a *Access) bool {
	l := s.loss(a.Command)
	return l.empties || l.overwrites || a.Redirect && l.constant
}

// loss is what is lost in the files that a command writes. It is asked for every file.
func (s *inspection) loss(i int) loss {
	if !s.lost.known || s.lost.command != i {
		c := &s.Commands[i]
		s.lost = loss{i, true, c.empties(), c.overwrites(), c.constant()}
	}
	return s.lost
}

// appends reports whether the redirection to a file adds to what the file holds.
func (s *inspection) appends(c *Command, a *Access) bool {
	for k := range c.Redirects {
		r := &c.Redirects[k]
		if at := r.Target.Span; at == a.Span && r.Span.Start < at.Start && int(at.Start) <= len(s.Source) {
			return strings.Contains(s.Source[r.Span.Start:at.Start], ">>")
		}
	}
	return false
}

func protectedText(mode AccessMode) string {
	if mode == Deletes {
		return "deletes a protected path"
	}
	return "writes a protected path"
}

// shown is a path for a person: marks become what they stand for.
func shown(path string) string {
	return strings.ReplaceAll(strings.ReplaceAll(path, unknownMark, "…"), globMark, "*")
}

func (t *trail) protected() bool {
	for i, name := range t.names[:t.n] {
		next := ""
		if i+1 < t.n {
			next = t.names[i+1]
		}
		if protectedName(name, next) {
			return true
		}
	}
	return false
}

// startsPrograms: keys that open a login, and files whose content the system runs.
func (t *trail) startsPrograms(c *Command, mode AccessMode) bool {
	if t.from == '/' {
		for _, dir := range startingDirectories {
			if t.under(dir) > 0 {
				return true
			}
		}
		if t.n > 1 && t.names[0] == "etc" && strings.HasPrefix(t.names[1], "cron") {
			return true
		}
	}
	for i := range t.n {
		switch t.names[i] {
		case ".ssh":
			return t.sshFile(c, mode, i+1)
		case "authorized_keys", "authorized_keys2":
			return true
		case "autostart", "systemd":
			if i > 0 && t.names[i-1] == ".config" {
				return true
			}
		case "LaunchAgents", "LaunchDaemons", ".pam_environment":
			return true
		}
	}
	return false
}

// sshFile: a file below .ssh, unless what is done to it is ordinary care.
func (t *trail) sshFile(c *Command, mode AccessMode, from int) bool {
	switch c.Program() {
	case "chmod", "chown", "chgrp", "mkdir", "touch", "ssh-keygen":
		return false
	}
	return mode == Deletes || from < t.n && !strings.HasPrefix(t.names[from], "known_hosts")
}

var startingDirectories = []string{
	"etc/sudoers", "etc/sudoers.d", "etc/ld.so.preload", "etc/ld.so.conf", "etc/ld.so.conf.d", "etc/systemd", "lib/systemd", "usr/lib/systemd",
	"run/systemd", "etc/pam.d", "etc/pam.conf", "etc/profile", "etc/profile.d", "etc/bash.bashrc", "etc/bashrc", "etc/zshrc", "etc/zshenv",
	"etc/zsh", "etc/rc.local", "etc/init.d", "etc/environment", "etc/inittab", "etc/xdg/autostart", "var/spool/cron", "var/spool/at", "var/at",
	"etc/shells", "etc/ssh", "etc/udev", "Library/LaunchAgents", "Library/LaunchDaemons", "Library/StartupItems", "root/.ssh",
}

// device: a file below /dev that is no stream, terminal or shared memory.
func (t *trail) device() bool {
	if t.from != '/' {
		return false
	}
	names := t.names[:t.n]
	for len(names) > 3 && names[0] == "proc" && names[2] == "root" { // the root of a process
		names = names[3:]
	}
	switch {
	case len(names) < 2:
		return false
	case names[0] == "dev":
		return !harmlessDevice(names[1])
	default:
		return len(names) == 2 && names[0] == "proc" && names[1] == "sysrq-trigger" // stops the machine
	}
}

// Device reports whether writing an absolute path destroys what a device holds.
func Device(path string) bool {
	if !strings.HasPrefix(path, "/dev/") && !strings.HasPrefix(path, "/proc/") {
		return false
	}
	var t trail
	t.walk(path)
	return t.device()
}

func harmlessDevice(name string) bool {
	switch name {
	case "null", "zero", "full", "random", "urandom", "stdin", "stdout", "stderr", "fd", "shm", "pts", "ptmx", "console", "log", "snd", "input",
		"dri", "kvm", "fuse", "net", "tcp", "udp", "mqueue", "cpu_dma_latency":
		return true
	}
	for _, prefix := range [...]string{"tty", "cu.", "video", "gpio", "i2c", "spidev", "lp", "usb", "hidraw", "rtc", "vhost", "pts"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// systemFile: part of the system itself. Making a directory or an empty file there
// destroys nothing.
func (t *trail) systemFile(c *Command) bool {
	if t.from != '/' {
		return false
	}
	switch c.Program() {
	case "mkdir", "touch", "chmod", "chown", "chgrp", "chattr", "setfacl": // judged by what they set
		return false
	}
	if t.n == 0 {
		return true
	}
	switch first := strings.ToLower(t.names[0]); first {
	case "etc", "boot", "lib", "lib32", "lib64", "bin", "sbin", "sys", "efi", "system":
		return true
	case "usr":
		return t.n == 1 || t.names[1] != "local" && t.names[1] != "src"
	case "proc":
		return t.n > 1 && (t.names[1] == "sys" || t.names[1] == "sysrq-trigger")
	case "private":
		return t.n > 1 && t.names[1] == "etc"
	}
	return false
}
