package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/assent-dev/assent/session"
)

// agentAbove is an agent that has started this process, directly or through others.
type agentAbove struct {
	// session and state say which session it is, and where that is kept; empty when nobody
	// can say.
	session, state string
}

// The files of a session by which the process is known that has it open.
const lockFileName, transcriptFileName = "lock", "transcript.jsonl"

// sessionFile is a file by which a session is known, whatever other names it has.
type sessionFile struct {
	session string
	info    os.FileInfo
}

// filesOf are the locks and the transcripts of the sessions in a state directory. The error is why
// they are perhaps not all: then nobody can say from here that no session is at work.
func filesOf(state string) (files []sessionFile, err error) {
	if state == "" {
		return nil, nil
	}
	missing := func(found error) {
		if !errors.Is(found, fs.ErrNotExist) {
			err = errors.Join(err, found)
		}
	}
	sessions, found := os.ReadDir(filepath.Join(state, "sessions"))
	missing(found)
	for _, one := range sessions {
		for _, name := range []string{lockFileName, transcriptFileName} {
			info, found := os.Stat(filepath.Join(state, "sessions", one.Name(), name))
			if found == nil {
				files = append(files, sessionFile{one.Name(), info})
			} else if one.IsDir() {
				missing(found)
			}
		}
	}
	return files, err
}

// lookedUp is what came of a look at the processes above this one.
type lookedUp int

const (
	// outOfSight: the way up could not be seen to its end, or not into every process on it.
	outOfSight lookedUp = iota
	// agentFound: one of them is an agent.
	agentFound
	// nobodyFound: none of them is.
	nobodyFound
)

// wayUp are the processes above this one, as far as they are known.
type wayUp struct {
	pids []int
	// whole: these are all of them, up to the first process of the machine.
	whole bool
}

// has: one of some processes is above.
func (w wayUp) has(pids []int) bool {
	return slices.ContainsFunc(pids, func(pid int) bool { return slices.Contains(w.pids, pid) })
}

// sessionAbove is the agent above this process, looked for from its parent on. It is known by
// a file of a session that it has open, or by being this program at work as an agent:
// somebody may have moved the files, or removed them.
func sessionAbove(known []sessionFile) (above agentAbove, looked lookedUp, way wayUp) {
	pid, told := ownParent()
	if !told {
		return agentAbove{}, outOfSight, way
	}
	// Process 1 counts, which is the agent itself in many a container. The way up ends there; a
	// number that comes again belongs to another process by now.
	machine := seesMachine()
	open := machine
	for pid > 0 && !slices.Contains(way.pids, pid) {
		way.pids = append(way.pids, pid)
		files, filesShown := openFiles(pid)
		for _, file := range files {
			if above, ok := file.ofSession(); ok {
				return above, agentFound, way
			}
			if i := slices.IndexFunc(known, file.is); i >= 0 {
				return agentAbove{session: known[i].session}, agentFound, way
			}
		}
		p, programShown := programOf(pid)
		if p.own {
			if above, works := p.asAgent(); works {
				return above, agentFound, way
			}
		}
		// A process that nobody may look into can be anything. Further up there may be one that
		// can be seen, which says more.
		open = open && filesShown && programShown
		if pid, told = parentOf(pid); !told {
			return agentAbove{}, outOfSight, way
		}
	}
	way.whole = machine && pid == 0
	if !open {
		return agentAbove{}, outOfSight, way
	}
	return agentAbove{}, nobodyFound, way
}

// workingUnseen is a session of a state directory that a process has open which cannot be seen
// from here: it may be the one above this process. Who works alone in a container sees all of
// its processes, and is kept from nothing. Neither is a person below processes of others, whose
// way up is known: the kernel tells everybody which process has a lock.
//
// Processes come and go while one looks, and a session that one of them gives up another may
// take: so it counts only what stays unseen, however often one looks.
func workingUnseen(state string, files []sessionFile, way wayUp) (agentAbove, bool) {
	const looks, pause = 10, 5 * time.Millisecond
	unseen := slices.DeleteFunc(slices.Clone(files), func(file sessionFile) bool { return file.info.Name() != lockFileName })
	store := session.NewStore(filepath.Join(state, "sessions"))
	for n := range looks {
		if n > 0 {
			time.Sleep(pause)
		}
		unseen = slices.DeleteFunc(unseen, func(file sessionFile) bool { return !store.Held(file.session) })
		if len(unseen) == 0 {
			return agentAbove{}, false
		}
		seen, holders := lockedFiles(), lockHolders()
		unseen = slices.DeleteFunc(unseen, func(file sessionFile) bool {
			if who := holders[number(file.info)]; way.whole && len(who) > 0 {
				return !way.has(who)
			}
			return slices.ContainsFunc(seen, func(info os.FileInfo) bool { return os.SameFile(info, file.info) })
		})
	}
	if len(unseen) == 0 {
		return agentAbove{}, false
	}
	return agentAbove{session: unseen[0].session, state: state}, true
}

// holdsAnything: one of the processes above has locked some file, or nobody can say so. It may be
// that of a session.
func (w wayUp) holdsAnything() bool {
	holders := lockHolders()
	if !w.whole || holders == nil {
		return true
	}
	for _, who := range holders {
		if w.has(who) {
			return true
		}
	}
	return false
}

// openFile is a file that a process has open.
type openFile struct {
	// path is where it is, or was when it was removed.
	path string
	// held: the process has locked it for itself, or writes to it. Who only reads a transcript,
	// as a person with a pager does, or looks whether a session is held, has none open.
	held bool
	// info tells it from others; nil when nobody could look.
	info os.FileInfo
}

// is: the file is one of a session, under whichever name.
func (f openFile) is(one sessionFile) bool {
	return f.held && f.info != nil && os.SameFile(one.info, f.info)
}

// ofSession: it is a file in STATE/sessions/ID, or one of those by which a session is known,
// in a directory ID that was moved.
func (f openFile) ofSession() (agentAbove, bool) {
	dir, name := filepath.Split(f.path)
	dir = filepath.Clean(dir)
	if !f.held || session.CheckID(filepath.Base(dir)) != nil {
		return agentAbove{}, false
	}
	above := agentAbove{session: filepath.Base(dir)}
	sessions := filepath.Dir(dir)
	if filepath.Base(sessions) == "sessions" {
		above.state = filepath.Dir(sessions)
		return above, true
	}
	return above, name == lockFileName || name == transcriptFileName
}

// program is what a process runs.
type program struct {
	// own: it is this program, in this version or another one. Of a process that nobody may look
	// into, its name has to say so.
	own bool
	// args are its arguments without its name.
	args []string
	// getenv is the environment that it was started with.
	getenv func(string) string
}

// asAgent: the program works as an agent, or serves the sessions of some. Its commands that
// only look or answer start nothing, so that whoever is below one of them is no agent.
func (p program) asAgent() (agentAbove, bool) {
	above := agentAbove{state: p.getenv("ASSENT_HOME")}
	if home := p.getenv("HOME"); above.state == "" && home != "" {
		above.state = filepath.Join(home, ".assent")
	}
	args := withoutGlobals(p.args)
	switch {
	case len(args) == 0, !strings.HasPrefix(args[0], "-") && strings.ContainsAny(args[0], " \t\n"):
		return above, true // a session on a terminal
	case args[0] == "serve", args[0] == "worker":
		return above, true
	case !wantsAgent(args):
		return above, false
	}
	f := &agentFlags{}
	flags := pflag.NewFlagSet("agent", pflag.ContinueOnError)
	f.bind(flags)
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	// What none of the flags can be found in is not what an agent was started with.
	if flags.Parse(oneByOne(args)) != nil || flags.NFlag() == 0 && args[0] != "--" {
		return above, false
	}
	if above.session = f.sessionID; above.session == "" {
		above.session = f.resume
	}
	if session.CheckID(above.session) != nil {
		above.session = ""
	}
	return above, true
}
