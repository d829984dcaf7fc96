package shell

import "strings"

// packages judges package managers that remove what the system stands on.
func packages(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	if c.asksForHelp() || c.simulates() || !c.removesPackages() {
		return nil
	}
	for at, word := range c.Words[1:] {
		if essential(word.Text) {
			return s.at(kindSystem, i, at+1, "removes a package the system stands on")
		}
	}
	return nil
}

func (c *Command) simulates() bool {
	for _, word := range c.Args() {
		switch word.Text {
		case "-s", "--simulate", "--dry-run", "--just-print", "--no-act", "--recon", "--assumeno", "--test", "--print":
			return true
		}
	}
	return false
}

func (c *Command) removesPackages() bool {
	for _, word := range c.Args() {
		switch text := word.Text; text {
		case "remove", "purge", "autoremove", "erase", "del", "uninstall", "rm", "--remove", "--purge", "--erase", "delete", "autopurge", "full-remove", "-P":
			return true
		default:
			switch c.Program() {
			case "pacman", "yay", "paru":
				if strings.HasPrefix(text, "-R") {
					return true
				}
			case "rpm":
				if strings.HasPrefix(text, "-e") {
					return true
				}
			case "dpkg":
				if text == "-r" {
					return true
				}
			}
		}
	}
	return false
}

// essential: removing the package leaves a machine that does not start, log in or
// run programs.
func essential(name string) bool {
	name, _, _ = strings.Cut(name, ":")
	name, _, _ = strings.Cut(name, "=")
	switch strings.TrimRight(name, "-0123456789.") {
	case "libc", "libc-bin", "glibc", "glibc-common", "musl", "libstdc++", "libgcc", "libgcc-s", "libssl", "openssl-libs",
		"zlib", "zlib1g", "coreutils", "bash", "dash",
		"systemd", "systemd-sysv", "init", "sysvinit", "openrc", "sudo", "dpkg", "apt", "rpm", "yum", "dnf", "pacman", "apk-tools", "util-linux",
		"login", "passwd", "shadow", "base-files", "base", "filesystem", "mount", "e2fsprogs", "python", "perl", "perl-base", "busybox", "alpine-baselayout",
		"openssh-server", "network-manager", "NetworkManager", "netplan.io", "kernel", "linux", "grub", "grub-pc", "shim", "udev", "dbus", "ca-certificates",
		"ubuntu-minimal", "ubuntu-desktop", "gnupg", "tar", "gzip", "findutils", "sed", "grep", "hostname", "ncurses-base", "*":
		return true
	}
	for _, prefix := range [...]string{"linux-image", "linux-headers", "kernel-", "grub-", "grub2", "libc6", "libpam", "libsystemd"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return name != "" && strings.ReplaceAll(name, globMark, "") == ""
}
