package builtin

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// accessEntry is one line of an access list: whom it is about, and what they may.
type accessEntry struct {
	tag, perm uint16
	id        uint32
}

// The tags of entries, and the id of those that need none.
const (
	ownerEntry, userEntry, groupEntry, maskEntry, otherEntry = 1, 2, 4, 16, 32
	noID                                                     = 0xffffffff
)

func accessText(entries ...accessEntry) []byte {
	list := binary.LittleEndian.AppendUint32(nil, 2) // the version
	for _, e := range entries {
		list = binary.LittleEndian.AppendUint16(list, e.tag)
		list = binary.LittleEndian.AppendUint16(list, e.perm)
		list = binary.LittleEndian.AppendUint32(list, e.id)
	}
	return list
}

// changes are the ways to replace a file.
var changes = map[string]func(t *testing.T, root string){
	"Edit": func(t *testing.T, root string) {
		box := newToolbox()
		runTool(t, box.read, root, input{"file_path": "f"})
		runTool(t, box.edit, root, input{"file_path": "f", "old_string": "old", "new_string": "new"})
	},
	"Write": func(t *testing.T, root string) {
		box := newToolbox()
		runTool(t, box.read, root, input{"file_path": "f"})
		runTool(t, box.write, root, input{"file_path": "f", "content": "new"})
	},
}

func setAccess(t *testing.T, path, name string, list []byte) {
	t.Helper()
	err := unix.Setxattr(path, name, list, 0)
	if errors.Is(err, unix.ENOTSUP) {
		t.Skip("this file system knows no access lists")
	}
	if err != nil {
		t.Fatal(err)
	}
}

// With an access list the mode says less than it seems to: here the group may nothing,
// and its bits in the mode are those of somebody else.
func TestWrite_KeepsTheAccessList(t *testing.T) {
	list := accessText(accessEntry{ownerEntry, 6, noID}, accessEntry{userEntry, 6, 1234}, accessEntry{groupEntry, 0, noID},
		accessEntry{maskEntry, 6, noID}, accessEntry{otherEntry, 0, noID})
	for name, change := range changes {
		root := tree(t, files{"f": "old"})
		path := filepath.Join(root, "f")
		setAccess(t, path, accessName, list)
		change(t, root)
		got := make([]byte, 1000)
		n, err := unix.Getxattr(path, accessName, got)
		if err != nil || !slices.Equal(got[:n], list) {
			t.Errorf("%s: the list is %x now, %v", name, got[:max(n, 0)], err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o660 || mustRead(t, path) != "new" {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
}

// A directory gives new files a list, and the file that is replaced had none.
func TestWrite_TakesNoAccessListFromTheDirectory(t *testing.T) {
	list := accessText(accessEntry{ownerEntry, 7, noID}, accessEntry{userEntry, 7, 1234}, accessEntry{groupEntry, 7, noID},
		accessEntry{maskEntry, 7, noID}, accessEntry{otherEntry, 5, noID})
	for name, change := range changes {
		root := tree(t, files{"f": "old"})
		path := filepath.Join(root, "f")
		if err := os.Chmod(path, 0o640); err != nil {
			t.Fatal(err)
		}
		setAccess(t, root, "system.posix_acl_default", list)
		change(t, root)
		if n, err := unix.Getxattr(path, accessName, nil); err != unix.ENODATA {
			t.Errorf("%s: it has a list of %d bytes, %v", name, n, err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 || mustRead(t, path) != "new" {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
}

// asNobody runs a test on a thread that may do no more with files than nobody may.
func asNobody(t *testing.T, test func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		test()
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked: the thread ends with this function
		if err := unix.Setfsuid(65534); err != nil {
			t.Error(err)
			return
		}
		test()
	}()
	<-done
}

// Who may write a file may not always replace it. The message says what to do.
func TestWrite_DirectoryThatCannotBeWritten(t *testing.T) {
	root := tree(t, files{"d/f": "old\n"})
	dir := filepath.Join(root, "d")
	for path, mode := range map[string]os.FileMode{filepath.Dir(root): 0o755, dir: 0o555, filepath.Join(dir, "f"): 0o666} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	box := newToolbox()
	runTool(t, box.read, root, input{"file_path": "d/f"})
	asNobody(t, func() {
		const way = "its directory cannot be written (permission denied), and a changed file is a new one"
		failTool(t, box.edit, root, input{"file_path": "d/f", "old_string": "old", "new_string": "new"}, way)
		failTool(t, box.write, root, input{"file_path": "d/f", "content": "new\n"}, "change the file as it is with Bash")
		failTool(t, box.write, root, input{"file_path": "d/new", "content": "new\n"}, "its directory cannot be written")
	})
	if got := names(t, dir); len(got) != 1 || mustRead(t, filepath.Join(dir, "f")) != "old\n" {
		t.Errorf("there is %q", got)
	}
}
