//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// stubs are the programs that only say that they were started.
var stubs = []string{"make", "npm", "touch", "rm", "foo", "git", "curl", "python3"}

// stub is the text of a program that writes its words with one write, each behind its length: any character
// may stand in one. The options, which no
// shell but dash has, tell that it was started as a program: given to a shell as a script it does
// nothing, like most programs.
func stub(name string) string {
	return fmt.Sprintf(`#!/program/dash -bI
case $- in *b*I* | *I*b*) ;; *) exit ;; esac
line=%d:%s
for a in "$@"; do line="$line${#a}:$a"; done
printf '%%s\0' "$line" >> /log/calls
`, len(name), name)
}

// files are what a script finds in its directory. What is in a file that a shell runs is not judged:
// sub/f ends before it does anything.
var files = map[string]string{
	".env": "SECRET=canary\n", "f": "one\ntwo\n", "g": ".env\n", "sub/f": "exit\nmake\n", ".git/config": "[core]\n", ".git/hooks/x": "", ".claude/settings.json": "{}\n",
}

// planted are programs with the names of harmless ones, in directories that PATH must not lead to:
// an empty PATH is the directory itself, and %n makes PATH a number.
var planted = []string{"ls", "cat", "1/ls", "1/cat", "sub/ls", "sub/cat"}

// Where things are in the jail.
const (
	workDir = "/proj"
	homeDir = "/home"
	tmpDir  = "/tmp"
	logDir  = "/log"
)

// binDir is the PATH on which sh is that shell.
func binDir(sh string) string { return "/bin-" + sh }

// sandbox is the place where the scripts of one worker run: a directory of files that are watched,
// a PATH of stubs and harmless programs, and a user who may write nowhere else.
type sandbox struct {
	jail    string
	user    int // -1: no other user can be chosen, it is the one who runs this
	files   map[string]string
	log     *os.File
	inotify int
	watched map[int]string // directories by watch, below workDir
}

func newSandbox(jail string, programs *store, c confinement, user int) (*sandbox, error) {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil { // for reap
		return nil, err
	}
	s := &sandbox{jail: jail, user: user, files: maps.Clone(files)}
	for _, path := range planted {
		s.files[path] = stub("./planted")
	}
	for _, dir := range []string{workDir, homeDir, tmpDir, logDir, binDir("bash"), binDir("dash"), "/usr"} {
		if err := os.MkdirAll(jail+dir, 0o755); err != nil {
			return nil, err
		}
	}
	var err error
	if s.log, err = os.OpenFile(jail+logDir+"/calls", os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return nil, err
	}
	for _, path := range []string{workDir, homeDir, tmpDir, logDir + "/calls"} {
		if err := s.give(jail + path); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(programs.fill(jail), devices(jail, c.mounts()), s.fillPath(programs)); err != nil {
		return nil, err
	}
	if s.inotify, err = unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC); err != nil {
		return nil, err
	}
	return s, s.restore()
}

// give makes the user of the scripts the owner.
func (s *sandbox) give(path string) error {
	if s.user < 0 {
		return nil
	}
	return os.Lchown(path, s.user, s.user)
}

// fillPath makes the directories of programs; the usual places lead to one of them.
func (s *sandbox) fillPath(programs *store) error {
	for _, sh := range []string{"bash", "dash"} {
		bin := s.jail + binDir(sh)
		for _, name := range stubs {
			if err := os.WriteFile(filepath.Join(bin, name), []byte(stub(name)), 0o755); err != nil {
				return err
			}
		}
		links := maps.Clone(programs.paths)
		links["sh"] = links[sh]
		for name, path := range links {
			if err := os.Symlink(path, filepath.Join(bin, name)); err != nil {
				return err
			}
		}
	}
	return errors.Join(os.Symlink(binDir("dash"), s.jail+"/bin"), os.Symlink(binDir("dash"), s.jail+"/usr/bin"))
}

// restore puts the files back as they were and watches them anew.
func (s *sandbox) restore() error {
	for watch := range s.watched {
		_, _ = unix.InotifyRmWatch(s.inotify, uint32(watch)) // gone with its directory, perhaps
	}
	s.watched = map[int]string{}
	work, home := s.jail+workDir, s.jail+homeDir
	for _, dir := range []string{work, home} {
		if err := empty(dir); err != nil {
			return err
		}
	}
	dirs := map[string]bool{work: true, home: true}
	for name, text := range s.files {
		path := filepath.Join(work, name)
		for dir := filepath.Dir(path); !dirs[dir]; dir = filepath.Dir(dir) {
			dirs[dir] = true
		}
		mode := os.FileMode(0o644)
		if strings.HasPrefix(text, "#!") {
			mode = 0o755
		}
		err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), mode), s.give(path))
		if err != nil {
			return err
		}
	}
	if err := os.Symlink(".env", work+"/link"); err != nil {
		return err
	}
	for dir := range dirs {
		if err := s.give(dir); err != nil {
			return err
		}
		watch, err := unix.InotifyAddWatch(s.inotify, dir, unix.IN_OPEN|changes)
		if err != nil {
			return fmt.Errorf("%s cannot be watched: %w", dir, err)
		}
		s.watched[watch], _ = filepath.Rel(work, dir)
	}
	_, err := s.events() // what this has done itself
	return err
}

func empty(dir string) error {
	entries, err := os.ReadDir(dir)
	for _, entry := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, entry.Name())))
	}
	return err
}

const changes = unix.IN_MODIFY | unix.IN_CREATE | unix.IN_DELETE | unix.IN_MOVE | unix.IN_ATTRIB

// event is what happened to a file.
type event struct {
	path    string // seen from workDir
	changed bool   // else it was opened
}

// events are those since the last call, in order.
func (s *sandbox) events() ([]event, error) {
	var found []event
	buffer := make([]byte, 64<<10)
	for {
		n, err := unix.Read(s.inotify, buffer)
		if errors.Is(err, unix.EAGAIN) || n == 0 {
			return found, nil
		}
		if err != nil {
			return found, err
		}
		for rest := buffer[:n]; len(rest) >= unix.SizeofInotifyEvent; {
			raw := (*unix.InotifyEvent)(unsafe.Pointer(&rest[0]))
			end := unix.SizeofInotifyEvent + int(raw.Len)
			name := string(bytes.TrimRight(rest[unix.SizeofInotifyEvent:end], "\x00"))
			rest = rest[end:]
			dir, known := s.watched[int(raw.Wd)]
			changed := raw.Mask&changes != 0
			if known && name != "" && (changed || raw.Mask&unix.IN_ISDIR == 0) {
				found = append(found, event{filepath.Join(dir, name), changed})
			}
		}
	}
}

// wordsOf takes apart what a stub has written.
func wordsOf(line string) (words []string, err error) {
	for rest := line; rest != ""; {
		length, behind, _ := strings.Cut(rest, ":")
		n, err := strconv.Atoi(length)
		if err != nil || n > len(behind) {
			return nil, fmt.Errorf("a stub has written %q", line)
		}
		words, rest = append(words, behind[:n]), behind[n:]
	}
	return words, nil
}

// calls are the words of the stubs that were started since the last call.
func (s *sandbox) calls() ([][]string, error) {
	info, err := s.log.Stat()
	if err != nil || info.Size() == 0 {
		return nil, err
	}
	text := make([]byte, info.Size())
	if _, err := s.log.ReadAt(text, 0); err != nil {
		return nil, err
	}
	var calls [][]string
	for line := range strings.SplitSeq(strings.TrimSuffix(string(text), "\x00"), "\x00") {
		words, err := wordsOf(line)
		if err != nil {
			return nil, err
		}
		calls = append(calls, words)
	}
	return calls, s.log.Truncate(0)
}
