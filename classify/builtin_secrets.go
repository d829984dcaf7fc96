package classify

import (
	"path"
	"strings"

	"github.com/assent-dev/assent/shell"
)

// keepsSecrets: the path is hidden in a home directory, where programs keep their keys,
// or is one of the system's own secrets, or is called like a secret. A name of which only
// a part is known counts by what is known.
func (w *place) keepsSecrets(name string) bool {
	name = lower(name)
	if user, rest, ok := strings.Cut(name, "/"); ok && strings.HasPrefix(user, "~") { // a home directory, whoever's
		return hiddenBelow(rest)
	}
	name = ordinary(name)
	for _, home := range w.homesOf(name) {
		if rest, ok := withinDir(name, home); ok && hiddenBelow(rest) {
			return true
		}
	}
	for _, dir := range secretDirs {
		if _, ok := withinDir(name, dir); ok {
			return true
		}
	}
	return ofProcess(name) || isKeyFile(name) || calledSecret(name)
}

// treeKeepsSecrets: the path is a directory, and somewhere below it is what keepsSecrets
// is about. A whole tree is one with its hidden files.
func (w *place) treeKeepsSecrets(name string, whole bool) bool {
	name = ordinary(lower(name))
	for _, home := range w.homesOf(name) {
		_, holds := withinDir(home, name)
		_, below := withinDir(name, home)
		if holds || below && whole {
			return true
		}
	}
	for _, dir := range append([]string{"/etc", "/proc", "/sys", "/dev", "/home", "/users"}, secretDirs...) {
		if _, holds := withinDir(dir, name); holds {
			return true
		}
	}
	return w.keepsSecrets(name) || isDevice(name)
}

// homesOf are the home directories that are known, and the one that the path lies in.
func (w *place) homesOf(name string) []string {
	homes := []string{"/root", "/var/root"}
	if home := w.ctx.Home(); home != "" {
		homes = append(homes, ordinary(lower(home)))
	}
	for _, above := range []string{"/home/", "/users/"} {
		if rest, ok := strings.CutPrefix(name, above); ok {
			user, _, _ := strings.Cut(rest, "/")
			homes = append(homes, above+user)
		}
	}
	return homes
}

// ordinary is a path under the name that it has on most systems.
func ordinary(name string) string {
	for _, system := range []string{"/etc", "/var", "/tmp"} {
		if rest, ok := strings.CutPrefix(name, "/private"+system); ok && (rest == "" || rest[0] == '/') {
			return system + rest
		}
	}
	return name
}

// secretDirs hold keys and passwords, or the data of other programs, in whatever file.
var secretDirs = []string{
	"/run", "/var/run", "/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers", "/etc/sudoers.d", "/etc/master.passwd", "/etc/security/opasswd",
	"/etc/ssl/private", "/etc/pki/tls/private", "/etc/letsencrypt", "/etc/kubernetes", "/etc/rancher", "/etc/wireguard", "/etc/openvpn", "/etc/ipsec.secrets", "/etc/ipsec.d",
	"/etc/networkmanager/system-connections", "/etc/netplan", "/etc/wpa_supplicant", "/etc/ppp", "/etc/docker", "/etc/containerd", "/etc/vault.d", "/etc/krb5.keytab",
	"/var/lib/docker", "/var/lib/kubelet", "/var/lib/rancher", "/var/lib/containerd", "/var/lib/mysql", "/var/lib/postgresql", "/var/lib/redis", "/var/lib/mongodb", "/var/lib/sss",
	"/var/spool", "/var/mail", "/var/backups", "/var/db", "/library/keychains", "/library/preferences", "/system/volumes",
}

// hiddenBelow: one of the names is hidden, or may turn out to be, or it is where programs
// keep what is theirs without hiding it.
func hiddenBelow(rest string) bool {
	first, _, _ := strings.Cut(rest, "/")
	switch first {
	case "library", "appdata", "snap":
		return true
	}
	for name := range strings.SplitSeq(rest, "/") {
		if name != "" && (name[0] == '.' || name[0] == shell.Unknown || name[0] == shell.Glob) {
			return true
		}
	}
	return false
}

// ofProcess: the file shows more of a process than its numbers, or the memory of all.
func ofProcess(name string) bool {
	rest, ok := strings.CutPrefix(name, "/proc/")
	if !ok {
		return false
	}
	process, file, below := strings.Cut(rest, "/")
	if !below || process == "sys" || process == "net" || process == "fs" || process == "bus" {
		return process == "kcore" || process == "kmsg" || process == "keys"
	}
	switch file {
	case "status", "stat", "statm", "limits", "mounts", "mountinfo", "cgroup", "comm", "uptime", "oom_score":
		return false
	}
	return true
}

// isDevice: the file is a device that shows what others have written, a disk or the
// memory.
func isDevice(name string) bool {
	rest, ok := strings.CutPrefix(name, "/dev/")
	if !ok {
		return false
	}
	switch rest {
	case "null", "zero", "full", "random", "urandom", "stdin", "stdout", "stderr", "fd/0", "fd/1", "fd/2":
		return false
	}
	return true
}

// isKeyFile: the file is one in which a key or the settings of one machine are kept.
func isKeyFile(name string) bool {
	base := path.Base(lower(name))
	switch path.Ext(base) {
	case ".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".keytab", ".ovpn":
		return true
	}
	switch base {
	case "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", ".netrc", ".pgpass", ".git-credentials", ".npmrc", ".pypirc", ".htpasswd", ".env", ".envrc":
		return true
	}
	if strings.HasPrefix(base, ".env.") {
		switch path.Ext(base) {
		case ".example", ".sample", ".template", ".dist":
			return false
		}
		return true
	}
	return strings.HasPrefix(base, "ssh_host_") && strings.HasSuffix(base, "_key")
}

// calledSecret: the name says that it is one.
func calledSecret(name string) bool {
	base := path.Base(name)
	stem := strings.TrimSuffix(base, path.Ext(base))
	switch stem {
	case "token", "tokens", "apikey", "api_key", "api-key", "private_key", "privatekey":
		return true
	}
	return strings.Contains(stem, "password") || strings.Contains(stem, "secret") || strings.Contains(stem, "credential")
}
