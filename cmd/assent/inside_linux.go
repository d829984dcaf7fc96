package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// The file systems on which the kernel tells about processes, and keeps the namespaces.
const procFiles, namespaceFiles = 0x9fa0, 0x6e736673

// ownParent is the process above this one, 0 when there is none; not told when nobody can tell.
// It has the number that /proc knows it by: in a namespace the kernel would say that there is
// none, although /proc may be that of the machine.
func ownParent() (parent int, told bool) { return parentIn("/proc/self/stat") }

// parentOf is the process above another, 0 when there is none; not told when nobody can tell.
func parentOf(pid int) (parent int, told bool) { return parentIn(fmt.Sprintf("/proc/%d/stat", pid)) }

func parentIn(path string) (parent int, told bool) {
	text, err := os.ReadFile(path)
	if err != nil || !liesOn(path, procFiles) {
		return 0, false
	}
	// The name comes in parentheses, and may hold anything.
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 2 {
		return 0, false
	}
	parent, err = strconv.Atoi(fields[1])
	return parent, err == nil
}

// seesMachine: the processes that can be seen here are those of the machine, and not those of a
// namespace, in which whoever has made it cannot be seen.
func seesMachine() bool {
	const own, first = "/proc/self/ns/pid", 4026531836
	var info syscall.Stat_t
	return syscall.Stat(own, &info) == nil && info.Ino == first && liesOn(own, namespaceFiles)
}

// liesOn: a file lies on a file system of the kernel, and on none that somebody has put there.
func liesOn(path string, kind int64) bool {
	var about syscall.Statfs_t
	return syscall.Statfs(path, &about) == nil && int64(about.Type) == kind
}

// lockedFiles are the files that processes which can be seen have locked for themselves. Where
// this process cannot be seen, those that can have nothing to do with it.
func lockedFiles() []os.FileInfo {
	var files []os.FileInfo
	if _, told := parentIn("/proc/self/stat"); !told {
		return nil
	}
	abouts, _ := filepath.Glob("/proc/[0-9]*/fdinfo/*")
	for _, about := range abouts {
		if text, err := os.ReadFile(about); err != nil || !slices.ContainsFunc(strings.Split(string(text), "\n"), isOwnLock) {
			continue
		}
		link := filepath.Join(filepath.Dir(filepath.Dir(about)), "fd", filepath.Base(about))
		if info, err := os.Stat(link); err == nil && liesOn(about, procFiles) {
			files = append(files, info)
		}
	}
	return files
}

// lockHolders are the processes that have locked a file for themselves, by the number of the
// file; nil when nobody could look. The kernel tells everybody, also those who may not look into
// these processes; of processes that cannot be seen here it says nothing.
func lockHolders() map[uint64][]int {
	const path = "/proc/locks"
	text, err := os.ReadFile(path)
	if err != nil || !liesOn(path, procFiles) {
		return nil
	}
	holders := map[uint64][]int{}
	for line := range strings.Lines(string(text)) {
		// 3: FLOCK  ADVISORY  WRITE 5318 fe:00:13476516 0 EOF; who waits for it has an arrow.
		words := strings.Fields(line)
		if len(words) < 6 || words[3] != "WRITE" {
			continue
		}
		pid, errPid := strconv.Atoi(words[4])
		file, errFile := strconv.ParseUint(words[5][strings.LastIndexByte(words[5], ':')+1:], 10, 64)
		if errPid == nil && errFile == nil {
			holders[file] = append(holders[file], pid)
		}
	}
	return holders
}

// number is that of a file on its file system.
func number(info os.FileInfo) uint64 {
	if about, ok := info.Sys().(*syscall.Stat_t); ok {
		return about.Ino
	}
	return 0
}

// isOwnLock: a line about an open file says that it is locked against all others.
func isOwnLock(line string) bool {
	// As in /proc/locks: a number, FLOCK, ADVISORY, READ or WRITE.
	name, value, _ := strings.Cut(line, ":")
	return name == "lock" && !slices.Contains(strings.Fields(value), "READ")
}

// removed is what the system puts behind the name of a file that is gone.
const removed = " (deleted)"

// openFiles are the files that a process has open; not shown when nobody may look at all of them.
func openFiles(pid int) (files []openFile, shown bool) {
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	numbers, err := os.ReadDir(dir)
	shown = err == nil
	for _, number := range numbers {
		link := filepath.Join(dir, number.Name())
		path, err := os.Readlink(link)
		if err != nil {
			shown = shown && errors.Is(err, fs.ErrNotExist) // it was closed meanwhile
			continue
		}
		if !filepath.IsAbs(path) { // a pipe, a socket
			continue
		}
		file := openFile{path: strings.TrimSuffix(path, removed), held: isHeld(fmt.Sprintf("/proc/%d/fdinfo/%s", pid, number.Name()))}
		if info, err := os.Stat(link); err == nil {
			file.info = info
		}
		files = append(files, file)
	}
	return files, shown
}

// isHeld: an open file is locked against all others, or open for writing. Who shares a lock
// only looks whether the session is held. What cannot be found out counts, but for a file that
// was closed meanwhile.
func isHeld(about string) bool {
	text, err := os.ReadFile(about)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	known := false
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, ":")
		switch name {
		case "lock":
			if isOwnLock(line) {
				return true
			}
		case "flags":
			flags, err := strconv.ParseInt(strings.TrimSpace(value), 8, 64)
			if known = err == nil; known && flags&int64(os.O_WRONLY|os.O_RDWR) != 0 {
				return true
			}
		}
	}
	return !known
}

// programOf is what a process runs; not shown when nobody may look. What everybody may see of it,
// its name and its arguments, is told all the same.
func programOf(pid int) (p program, shown bool) {
	dir := fmt.Sprintf("/proc/%d/", pid)
	words, err := os.ReadFile(dir + "cmdline")
	if err != nil {
		return program{}, false
	}
	// A process may be given no name at all.
	called, args, _ := strings.Cut(strings.TrimSuffix(string(words), "\x00"), "\x00")
	p.getenv = environmentOf(dir + "environ")
	if strings.Count(string(words), "\x00") > 1 {
		p.args = strings.Split(args, "\x00")
	}
	file, err := os.Readlink(dir + "exe")
	if err != nil {
		p.own = filepath.Base(called) == usualName || isCalled(dir+"comm", usualName)
		return p, false
	}
	p.own = runsThis(dir+"exe", strings.TrimSuffix(file, removed))
	return p, true
}

// usualName is what this program is called, unless somebody has renamed it.
const usualName = "assent"

// runsThis: a process runs this program. Its file may have another name, which a copy has as
// well, or be gone, as after an update.
func runsThis(exe, file string) bool {
	const self = "/proc/self/exe"
	ours, _ := os.Readlink(self)
	if filepath.Base(file) == usualName || file == strings.TrimSuffix(ours, removed) {
		return true
	}
	one, errOne := os.Stat(exe)
	other, errOther := os.Stat(self)
	return errOne == nil && errOther == nil && os.SameFile(one, other)
}

// isCalled: the kernel says the name of what a process was started from.
func isCalled(comm, name string) bool {
	text, err := os.ReadFile(comm)
	return err == nil && strings.TrimSpace(string(text)) == name
}

// environmentOf reads variables as a process got them.
func environmentOf(path string) func(string) string {
	text, _ := os.ReadFile(path)
	return func(name string) string {
		for _, one := range strings.Split(string(text), "\x00") {
			if value, ok := strings.CutPrefix(one, name+"="); ok {
				return value
			}
		}
		return ""
	}
}
