package process

import (
	"bytes"
	"os"
	"strconv"
)

// membersOf reports whether the group of a leader has a member beside it, and whether
// such a one runs. The others have ended and wait for their new parent to notice; in a
// container that parent may notice late, or never. It looks at all processes of the
// system, because no call lists the members of a group.
func membersOf(leader int) (member, running bool) {
	proc, err := os.Open("/proc")
	if err != nil {
		return false, false
	}
	defer proc.Close()
	names, err := proc.Readdirnames(-1)
	if err != nil {
		return false, false
	}
	for _, name := range names {
		if name[0] < '0' || name[0] > '9' || name == strconv.Itoa(leader) {
			continue
		}
		state, group := stateOf("/proc/" + name + "/stat")
		if group != leader {
			continue
		}
		if state != 'Z' && state != 'X' {
			return true, true
		}
		member = true
	}
	return member, false
}

// stateOf reads "12 (name) S 1 34 …": the state, the parent, the group. The name may
// contain anything.
func stateOf(path string) (state byte, group int) {
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
