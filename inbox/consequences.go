package inbox

import (
	"os"
	"os/user"
	"path/filepath"
	"strings"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/shell"
)

// consequences are where a call would run, and what it would reach.
type consequences struct {
	Cwd string `json:"cwd"`
	// Where it would run. Host and User are empty where it is not here.
	Where venue  `json:"where"`
	Host  string `json:"host"`
	User  string `json:"user"`
	// Network: it may reach other machines. False means that it is known not to.
	Network bool       `json:"network"`
	Files   []fileView `json:"files"`
}

// venue is where a call would run.
type venue string

// The venues.
const (
	here     venue = "here"   // on this machine, as the user of this server
	aWorker  venue = "worker" // where a worker takes the session, as the user of that worker
	theAgent venue = "agent"  // where the agent is whose guard holds it
)

// venueOf is where a call would run. A server that lets sessions of a database go on is one
// worker among others, and does not know which of them will come first.
func (s *Server) venueOf(m matter) venue {
	switch {
	case s.here():
		return here
	case m.Asker() != "":
		return theAgent
	}
	return aWorker
}

// fileView is a file that a call names.
type fileView struct {
	Path string `json:"path"`
	// Access is reads, may read, writes, deletes, or that everything below it goes as well; it
	// reaches what only those know to be read or written who could judge it.
	Access string `json:"access"`
	// Inside: it lies in a working directory. Protected: it decides over later calls.
	Inside    bool   `json:"inside"`
	Protected bool   `json:"protected,omitzero"`
	Problem   string `json:"problem,omitempty"`
}

// consequencesOf says so by what the rules make of a call. Of one that only its guard
// understands, as of a patch, the places are known to which it leads, and that it may write them.
func consequencesOf(j judged, where venue, rules *policy.Explanation, places []string) consequences {
	c := consequences{Cwd: policy.WellFormed(j.call.Cwd), Where: where, Network: true, Files: []fileView{}}
	if where == here {
		c.Host, c.User = machine()
	}
	if rules == nil {
		access := "writes"
		if j.away() != nil {
			access = "reaches"
		}
		for _, place := range places {
			c.Files = append(c.Files, fileView{Path: place, Access: access, Inside: inDirectory(j.call.Cwd, place)})
		}
		return c
	}
	c.Network = mayReach(j.judgement.Call)
	for _, p := range rules.Paths {
		if p.Possible && !looksLikeFile(p, j.call.Cwd, where) {
			continue
		}
		path := p.Given
		if p.Real != "" {
			path = p.Real
		}
		access := p.Access
		switch {
		case p.Possible:
			access = "may read"
		case p.Tree:
			access = "deletes everything below"
		}
		c.Files = append(c.Files, fileView{path, access, p.Inside, p.Protected, p.Problem})
	}
	return c
}

// looksLikeFile: a word of a program that nobody knows is the name of a file, or of one that
// there could be in a directory below. The rules take every word for a file that may be read;
// to a person a list of all words says nothing. What lies outside is always shown. This disk knows
// nothing of a call that runs elsewhere: there a word counts that is written as names of files are.
func looksLikeFile(p policy.PathView, cwd string, where venue) bool {
	switch {
	case p.Protected || p.Problem != "" || !p.Inside:
		return true
	case where != here:
		return filepath.Dir(p.Given) != filepath.Clean(cwd) || strings.Contains(filepath.Base(p.Given), ".")
	}
	if _, err := os.Lstat(p.Given); err == nil {
		return true
	}
	dir := filepath.Dir(p.Given)
	_, err := os.Lstat(dir)
	return err == nil && dir != filepath.Clean(cwd)
}

// machine is this machine, and as whom a call that runs here would run on it.
func machine() (host, name string) {
	host, err := os.Hostname()
	if err != nil {
		host = "this machine"
	}
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	return policy.WellFormed(host), policy.WellFormed(name)
}

// mayReach: a call may reach other machines. A nil call is one that nobody understands.
func mayReach(call *permission.Call) bool {
	if call == nil {
		return true
	}
	switch call.Kind {
	case permission.Read, permission.Search, permission.Edit, permission.Session, permission.Person, permission.Process:
		return false
	case permission.Shell:
		return scriptMayReach(call.Script())
	case permission.Fetch, permission.Lookup, permission.Other, permission.Agent:
	}
	return true
}

// scriptMayReach: only what is known to stay on this machine does. A program that nobody
// knows may do anything.
func scriptMayReach(s *shell.Script) bool {
	if s.Problem != nil {
		return true
	}
	for i := range s.Commands {
		c := &s.Commands[i]
		for _, r := range c.Redirects {
			if r.Kind == shell.RedirectNetwork {
				return true
			}
		}
		local := len(c.Words) == 0 && !c.Evaluated || c.Taint == "" && (s.PartReadOnly(i).Text == "" || c.Unlisted == "" && staysHere(c))
		if !local {
			return true
		}
	}
	return false
}

// staysHere: the program works on files and nothing else, whatever its arguments are.
func staysHere(c *shell.Command) bool {
	switch c.Program() {
	case "rm", "rmdir", "mv", "cp", "mkdir", "touch", "chmod", "chown", "chgrp", "ln", "truncate", "shred", "tee", "unlink", "install", "mktemp":
		return true
	case "git":
		if args := c.Args(); len(args) > 0 {
			switch args[0].Text {
			case "add", "branch", "checkout", "cherry-pick", "merge", "mv", "rebase", "reset", "restore", "revert", "rm", "stash", "switch", "tag":
				return true
			}
		}
	}
	return false
}
