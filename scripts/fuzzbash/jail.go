//go:build linux

package main

import (
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// A jail is the root directory of the scripts of one worker. It holds copies of the programs that
// they may start, and nothing else: however a script empties or changes its PATH, whatever a login
// shell or `command -p` makes of it, no other program is there.

// programs are the real ones: they read, or start what they are given.
var programs = []string{
	"cat", "ls", "wc", "head", "tail", "grep", "sort", "uniq", "cut", "tr", "seq", "basename", "dirname", "date", "id", "tree",
	"sed", "awk", "env", "xargs", "find", "timeout", "nice", "nohup", "stdbuf", "bash", "dash", "zsh", "true", "false", "echo", "printf", "test", "tee",
}

// store is a directory with the programs and their libraries, each under its own path; jails have
// links to them.
type store struct {
	dir string
	// where a program is, by its name
	paths map[string]string
}

func newStore(dir string) (*store, error) {
	s := &store{dir: dir, paths: map[string]string{}}
	for _, name := range programs {
		path, err := exec.LookPath(name)
		if err != nil {
			continue // what this machine lacks no script can start
		}
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return nil, err
		}
		s.paths[name] = "/program/" + name
		if err := s.add(path, s.paths[name]); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	modules, _ := filepath.Glob("/usr/lib/*/zsh/*/zsh/*.so")
	for _, path := range modules {
		if err := s.add(path, path); err != nil && !errors.Is(err, errNoLibrary) { // no zsh here loads it either
			return nil, err
		}
	}
	return s, nil
}

// errNoLibrary: what a program or module needs to start is not installed.
var errNoLibrary = errors.New("the library is not found")

// add copies a program or library and whatever it needs to start.
func (s *store) add(path, as string) error {
	to := s.dir + as
	if _, err := os.Lstat(to); err == nil {
		return nil
	}
	file, err := elf.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	needed, err := file.ImportedLibraries()
	if err != nil {
		return err
	}
	for _, part := range file.Progs {
		if part.Type == elf.PT_INTERP {
			name, err := io.ReadAll(part.Open())
			if err != nil {
				return err
			}
			needed = append(needed, strings.TrimRight(string(name), "\x00"))
		}
	}
	for _, name := range needed {
		found, err := library(name)
		if err != nil {
			return err
		}
		if err := s.add(found, found); err != nil {
			return err
		}
	}
	return copyFile(path, to)
}

// library finds a shared library where the loader looks without any configuration.
func library(name string) (string, error) {
	if filepath.IsAbs(name) {
		return name, nil
	}
	for _, pattern := range []string{"/lib/*-linux-*", "/usr/lib/*-linux-*", "/lib64", "/usr/lib64", "/lib", "/usr/lib"} {
		if found, _ := filepath.Glob(pattern + "/" + name); len(found) > 0 {
			return found[0], nil
		}
	}
	return "", fmt.Errorf("%w: %s", errNoLibrary, name)
}

func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o755)
}

// fill puts everything into a jail.
func (s *store) fill(jail string) error {
	return filepath.WalkDir(s.dir, func(path string, entry fs.DirEntry, err error) error {
		to := jail + strings.TrimPrefix(path, s.dir)
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return os.MkdirAll(to, 0o755)
		default:
			return os.Link(path, to)
		}
	})
}

// devices puts the few devices that scripts use into a jail. Without the right to mount there is
// no /proc, and what opens /dev/fd fails.
func devices(jail string, mount bool) error {
	for _, dir := range []string{"/dev", "/proc"} {
		if err := os.Mkdir(jail+dir, 0o755); err != nil {
			return err
		}
	}
	links := map[string]string{"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2"}
	for name, target := range links {
		if err := os.Symlink(target, jail+"/dev/"+name); err != nil {
			return err
		}
	}
	null := jail + "/dev/null"
	if !mount {
		return errors.Join(unix.Mknod(null, unix.S_IFCHR|0o666, int(unix.Mkdev(1, 3))), os.Chmod(null, 0o666))
	}
	if err := os.WriteFile(null, nil, 0o666); err != nil {
		return err
	}
	return errors.Join(unix.Mount("/dev/null", null, "", unix.MS_BIND, ""), unix.Mount("/proc", jail+"/proc", "", unix.MS_BIND|unix.MS_REC, ""))
}

// confinement is how this process may confine scripts.
type confinement string

const (
	byRoot   confinement = "root"   // users of their own, mounts of its own
	byChroot confinement = "chroot" // users of their own
	byUser   confinement = "user"   // in a name space of the user who runs this
	byNone   confinement = "none"
)

// confinements are tried in this order; the name spaces of each are made when the process starts.
func confinements() []confinement {
	if os.Getuid() == 0 {
		return []confinement{byRoot, byChroot, byNone}
	}
	return []confinement{byUser, byNone}
}

// confine changes a command so that its process has the name spaces it needs.
func (c confinement) confine(cmd *exec.Cmd) {
	attributes := &syscall.SysProcAttr{}
	if c == byRoot || c == byUser {
		attributes.Cloneflags = unix.CLONE_NEWNS | unix.CLONE_NEWNET
	}
	if c == byUser {
		attributes.Cloneflags |= unix.CLONE_NEWUSER
		attributes.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
		attributes.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
	}
	cmd.SysProcAttr = attributes
}

// mounts reports whether the process has mounts of its own, which no other process sees.
func (c confinement) mounts() bool { return slices.Contains([]confinement{byRoot, byUser}, c) }

// user is the one who runs the scripts of a worker; -1: the user who runs this.
func (c confinement) user(worker int) int {
	if c == byRoot || c == byChroot {
		return firstUser + worker
	}
	return -1
}

// firstUser is the first of the users, one for each worker, who own nothing else.
const firstUser = 64100
