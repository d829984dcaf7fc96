package main

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/assent-dev/assent/agent/launch"
	"github.com/assent-dev/assent/internal/durable"
	"github.com/assent-dev/assent/notify"
	"github.com/assent-dev/assent/settings"
)

// checkDirectory: only the owner may look into the state directory, and what holds answers.
func (d *doctor) checkDirectory() {
	const name = "state"
	info, err := os.Stat(d.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.note(name, worth, d.dir+" is not there yet", "assent serve makes it")
		return
	case err != nil:
		d.note(name, broken, err.Error(), "see that the user that runs the server may use it")
		return
	case !info.IsDir():
		d.note(name, broken, d.dir+" is no directory", "name another one with --state")
		return
	}
	for _, path := range []string{d.dir, filepath.Join(d.dir, "state.db"), filepath.Join(d.dir, "sessions"), filepath.Join(d.dir, "inbox")} {
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			d.note(name, broken, err.Error(), "see that the user that runs the server may use it")
			return
		case exposed(info):
			d.note(name, broken, "others may use "+path, "chmod go= "+path)
			return
		case !ownedByThisUser(info):
			d.note(name, broken, path+" belongs to somebody else", "run the server as its owner, or chown it")
			return
		}
	}
	d.note(name, fine, "only this user may use "+d.dir, "")
}

// checkUser: an agent that works as the user of the server can take the token out of its memory
// or write the tickets.
func (d *doctor) checkUser() {
	const name = "user"
	worked, err := d.agentsWorked()
	switch {
	case err != nil:
		d.note(name, broken, err.Error(), "see that the user that runs the server may use it")
	case worked:
		d.note(name, worth, "agents work as the user of the server: one that was allowed to run a program can answer for people", "run the agents as another user, see docs/operations.md")
	default:
		d.note(name, fine, "no agent has worked as this user", "")
	}
}

// agentsWorked: an agent of this user has left something in the state directory. Every decision
// about a call of one is on record. With a database the sessions beside that say nothing, because
// a server has copies of those whose calls it has shown.
func (d *doctor) agentsWorked() (bool, error) {
	traces := map[string]func(fs.FileInfo) bool{
		"audit": func(info fs.FileInfo) bool { return info.Mode().IsRegular() && info.Size() > 0 },
	}
	if !d.shared() {
		traces["sessions"] = fs.FileInfo.IsDir
	}
	for part, left := range traces {
		entries, err := os.ReadDir(filepath.Join(d.dir, part))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
		for _, e := range entries {
			if info, err := e.Info(); err == nil && left(info) && ownedByThisUser(info) {
				return true, nil
			}
		}
	}
	return false, nil
}

func (d *doctor) checkToken() {
	const name = "token"
	if d.given.tokenFile == "" {
		d.note(name, unasked, "no --token-file: where nobody signs in, a token is made anew at every start", "")
		return
	}
	if _, err := readToken(d.given.tokenFile); err != nil {
		d.note(name, broken, err.Error(), "")
		return
	}
	d.note(name, fine, "only this user may read "+d.given.tokenFile, "")
}

// checkCertificate: people who cannot come in cannot answer.
func (d *doctor) checkCertificate() {
	const name, soon = "certificate", 21 * 24 * time.Hour
	if d.given.cert == "" {
		d.note(name, unasked, "no --tls-cert", "")
		return
	}
	c, err := readCertificate(d.given.cert)
	if err != nil {
		d.note(name, broken, err.Error(), "--tls-cert wants the certificate as PEM, its own first")
		return
	}
	end, now := c.NotAfter.Format(time.DateTime+" MST"), d.now()
	switch {
	case now.After(c.NotAfter):
		d.note(name, broken, "it has ended on "+end, "get a new one, and start the server again")
	case now.Before(c.NotBefore):
		d.note(name, broken, "it begins only on "+c.NotBefore.Format(time.DateTime+" MST"), "look at the clock of this machine")
	case c.NotAfter.Sub(now) < soon:
		d.note(name, worth, "it ends on "+end, "get a new one, and start the server again")
	default:
		d.note(name, fine, "it is good until "+end, "")
	}
}

func readCertificate(path string) (*x509.Certificate, error) {
	const most = 1 << 20
	text, err := durable.Read(path, most)
	if err != nil {
		return nil, err
	}
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if block.Type == "CERTIFICATE" {
			return x509.ParseCertificate(block.Bytes)
		}
	}
	return nil, fmt.Errorf("there is no certificate in %s", path)
}

// existing is a directory, or the nearest one above it that is there. Before its first start a
// server has no state directory, and its settings lie elsewhere.
func existing(dir string) string {
	for {
		above := filepath.Dir(dir)
		if _, err := os.Stat(dir); err == nil || above == dir {
			return dir
		}
		dir = above
	}
}

// checkSettings looks at what holds for all sessions of this user, as a server and a worker do at their
// start. It is nil when they would not start with it.
func (d *doctor) checkSettings() *settings.Settings {
	const name = "settings"
	o, err := (&policyFlags{cwd: existing(d.dir), sources: "user"}).options()
	if err != nil {
		d.note(name, broken, err.Error(), "see that the user that runs the server has a home directory")
		return nil
	}
	o.StateDir = d.dir
	before := len(d.found)
	s, err := examine(launch.Options{Settings: o, Links: osLinks{}, Warn: func(text string) { d.note(name, worth, text, "") }}, d.dir)
	if err != nil {
		d.note(name, broken, err.Error(), "")
		return nil
	}
	if len(d.found) > before {
		return s
	}
	var read []string
	for _, f := range s.Files {
		if f.Exists {
			read = append(read, f.Path)
		}
	}
	said := "neither the administrator nor this user has any"
	if len(read) > 0 {
		said = "this user may read " + strings.Join(read, " and ")
	}
	d.note(name, fine, said, "")
	return s
}

// checkNotifications: a target that misses its secret tells nobody, and nobody notices.
func (d *doctor) checkNotifications(s *settings.Settings) {
	const name = "notifications"
	ready := 0
	before := len(d.found)
	for _, n := range s.Notifications() {
		targets, problems := notify.Parse(n.JSON)
		for _, p := range problems {
			d.note(name, broken, fmt.Sprintf("%s:%d: %v", n.File, n.Line+p.Line-1, p), "a target with a mistake tells nobody")
		}
		for _, t := range targets {
			if err := t.Ready(); err != nil {
				d.note(name, broken, fmt.Sprintf("%s cannot be told anything: %v", t.Name, err), "run assent doctor with the environment of the server")
				continue
			}
			ready++
		}
	}
	switch {
	case len(d.found) > before:
	case ready == 0:
		d.note(name, unasked, "nobody elsewhere is told of calls that wait", "")
	default:
		d.note(name, fine, plural(ready, "target")+" can be told", "")
	}
}
