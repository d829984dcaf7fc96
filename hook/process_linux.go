package hook

import (
	"bytes"
	"os"
	"strconv"
)

// onlyZombies reports whether all processes of a group have ended and wait for their
// new parent to notice. In a container that parent may notice late, or never.
func onlyZombies(pgid int) bool {
	proc, err := os.Open("/proc")
	if err != nil {
		return false
	}
	defer proc.Close()
	names, err := proc.Readdirnames(-1)
	if err != nil {
		return false
	}
	member := false
	for _, name := range names {
		if name[0] < '0' || name[0] > '9' {
			continue
		}
		state, group := processState("/proc/" + name + "/stat")
		if group != pgid {
			continue
		}
		member = true
		if state != 'Z' && state != 'X' {
			return false
		}
	}
	// Without a member this is not the place where the processes can be seen.
	return member
}

// processState reads "12 (name) S 1 34 …": the state, the parent, the group. The name
// may contain anything.
func processState(path string) (state byte, group int) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, 0 // it is gone
	}
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if len(fields) < 3 {
		return 0, 0
	}
	group, _ = strconv.Atoi(string(fields[2]))
	return fields[0][0], group
}
