package settings

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/assent-dev/assent/rule"
)

// DefaultManagedFiles are the administrator's files: assent's own and the vendor's, where the vendor
// has them on this system. What stands beside them counts as well, see [ManagedPlaces].
var DefaultManagedFiles = []string{"/etc/assent/managed-settings.json", vendorManaged(runtime.GOOS)}

func vendorManaged(system string) string {
	switch system {
	case "darwin":
		return "/Library/Application Support/ClaudeCode/managed-settings.json"
	case "windows":
		return `C:\Program Files\ClaudeCode\managed-settings.json`
	}
	return "/etc/claude-code/managed-settings.json"
}

// ManagedPlaces are the places that have a say where these are the administrator's files: the files
// themselves, the directories of further ones (managed-settings.d) with what is in them now, and the
// files that name all MCP servers (managed-mcp.json).
func ManagedPlaces(files []string) []string {
	var all []string
	for _, file := range files {
		all = append(all, file, dropInDir(file), managedServersFile(file))
		names, _ := dropIns(file, looked{})
		all = append(all, names...)
	}
	return all
}

// dropInDir is where further files beside one of the administrator's are.
func dropInDir(file string) string { return strings.TrimSuffix(file, ".json") + ".d" }

// managedServersFile names all MCP servers that may be used.
func managedServersFile(file string) string {
	return filepath.Join(filepath.Dir(file), "managed-mcp.json")
}

// dropIns are the further files beside one of the administrator's. The last one comes first: it
// overrides the others, and they the file itself.
func dropIns(file string, l looked) ([]string, error) {
	dir := dropInDir(file)
	entries, err := os.ReadDir(dir)
	if link, there := "", true; err != nil {
		if link, there = l.danglingLink(dir); link != "" {
			return nil, &linkError{link}
		}
		if !there && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)) {
			return nil, nil
		}
		return nil, err
	}
	var all []string
	for _, e := range entries {
		if name := e.Name(); strings.HasSuffix(name, ".json") && !strings.HasPrefix(name, ".") {
			all = append(all, filepath.Join(dir, name))
		}
	}
	slices.Reverse(all)
	return all, nil
}

// managedSlots are the slots of one of the administrator's files and of what stands beside it. A
// directory that cannot be listed is a broken file: nobody knows what is in it.
func managedSlots(file string, l looked) []slot {
	managed := slot{source: rule.PolicySettings, selected: true}
	var all []slot
	names, err := dropIns(file, l)
	for _, name := range append(names, file) {
		managed.path = name
		all = append(all, managed)
	}
	if err != nil {
		unknown := managed
		unknown.path, unknown.fault = dropInDir(file), err
		all = append(all, unknown)
	}
	managed.path, managed.serversOnly = managedServersFile(file), true
	return append(all, managed)
}
