package people

import (
	"fmt"
	"strings"
)

// Role is what somebody may do. A higher one may do all that a lower one may.
type Role uint8

// The roles, lowest first. The zero value may do nothing.
const (
	NoRole Role = iota
	Viewer
	Approver
	Admin
)

// Roles are those that a person can have, lowest first.
var Roles = []Role{Viewer, Approver, Admin}

var roleNames = [...]string{NoRole: "none", Viewer: "viewer", Approver: "approver", Admin: "admin"}

func (r Role) String() string {
	if int(r) < len(roleNames) {
		return roleNames[r]
	}
	return fmt.Sprintf("role %d", uint8(r))
}

// ParseRole reads a role. "none" is no role that somebody can be given.
func ParseRole(text string) (Role, error) {
	for _, r := range Roles {
		if text == r.String() {
			return r, nil
		}
	}
	return NoRole, &BadValue{Subject: "role", Why: fmt.Sprintf("%q is none", clipped(text)), Hint: "write one of " + strings.Join(roleNames[Viewer:], ", ")}
}

// valid: a person can have the role.
func (r Role) valid() bool { return r >= Viewer && r <= Admin }

// See: the role lets somebody look at what waits.
func (r Role) See() bool { return r.valid() && r >= Viewer }

// Answer: the role lets somebody approve and deny.
func (r Role) Answer() bool { return r.valid() && r >= Approver }

// Manage: the role lets somebody change people.
func (r Role) Manage() bool { return r.valid() && r >= Admin }
