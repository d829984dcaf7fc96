package people

import (
	"slices"
	"testing"
)

func TestRoles(t *testing.T) {
	for _, c := range []struct {
		role                Role
		text                string
		see, answer, manage bool
	}{
		{NoRole, "none", false, false, false},
		{Viewer, "viewer", true, false, false},
		{Approver, "approver", true, true, false},
		{Admin, "admin", true, true, true},
		{Admin + 1, "role 4", false, false, false},
		{255, "role 255", false, false, false},
	} {
		if c.role.String() != c.text || c.role.See() != c.see || c.role.Answer() != c.answer || c.role.Manage() != c.manage {
			t.Errorf("%s: %v %v %v", c.role, c.role.See(), c.role.Answer(), c.role.Manage())
		}
		got, err := ParseRole(c.text)
		if known := slices.Contains(Roles, c.role); known != (err == nil) || known && got != c.role {
			t.Errorf("%s is read as %s, %v", c.text, got, err)
		}
	}
	for _, text := range []string{"", "Admin", " admin", "none", "administrator"} {
		if _, err := ParseRole(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
	if !slices.IsSorted(Roles) {
		t.Error("they are not in order")
	}
}
