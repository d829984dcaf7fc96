package permission_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

var destinations = []rule.Source{rule.Session, rule.LocalSettings, rule.ProjectSettings, rule.UserSettings}

func TestP18_SixUpdatesFourDestinations(t *testing.T) {
	for _, to := range destinations {
		t.Run(to.String(), func(t *testing.T) {
			w := newWorld(t, lists{})
			w.apply(permission.Update{Type: permission.AddRules, Behavior: rule.Allow, Rules: []string{"Bash(a:*)", "Bash(b:*)"}, Destination: to})
			w.apply(permission.Update{Type: permission.AddRules, Behavior: rule.Deny, Rules: []string{"Bash(c:*)"}, Destination: to})
			w.want(w.bash("a 1"), allow, permission.ByRule)
			w.want(w.bash("c 1"), deny, permission.ByRule)

			w.apply(permission.Update{Type: permission.ReplaceRules, Behavior: rule.Allow, Rules: []string{"Bash(d:*)"}, Destination: to})
			w.want(w.bash("a 1"), ask, permission.ByNoRule)
			w.want(w.bash("d 1"), allow, permission.ByRule)
			w.want(w.bash("c 1"), deny, permission.ByRule) // another behaviour is untouched

			w.apply(permission.Update{Type: permission.RemoveRules, Behavior: rule.Deny, Rules: []string{"Bash(c:*)"}, Destination: to})
			w.want(w.bash("c 1"), ask, permission.ByNoRule)

			w.apply(permission.Update{Type: permission.SetMode, Mode: permission.AcceptEdits, Destination: to})
			w.want(w.file("Write", "x"), allow, permission.ByMode)

			w.apply(permission.Update{Type: permission.AddDirectories, Directories: []string{"/data", "~/notes", "sub"}, Destination: to})
			w.want(w.file("Write", "/data/x"), allow, permission.ByMode)
			w.want(w.file("Write", home+"/notes/x"), allow, permission.ByMode)
			w.apply(permission.Update{Type: permission.RemoveDirectories, Directories: []string{"/data"}, Destination: to})
			w.want(w.file("Write", "/data/x"), ask, permission.ByOutside)
			w.want(w.file("Write", home+"/notes/x"), allow, permission.ByMode)
		})
	}
}

func TestP18_RulesOfOtherSourcesStay(t *testing.T) {
	w := newWorld(t, lists{Deny: []string{"Bash(x)"}})
	w.apply(permission.Update{Type: permission.ReplaceRules, Behavior: rule.Deny, Destination: rule.Session})
	w.apply(permission.Update{Type: permission.RemoveRules, Behavior: rule.Deny, Rules: []string{"Bash(x)"}, Destination: rule.UserSettings})
	w.want(w.bash("x"), deny, permission.ByRule)
}

func TestP18_ManagedAndCommandCannotBeChanged(t *testing.T) {
	w := newWorld(t, lists{})
	for _, to := range []rule.Source{rule.PolicySettings, rule.FlagSettings, rule.Command, 0, 99} {
		for _, kind := range []permission.UpdateType{permission.AddRules, permission.ReplaceRules, permission.RemoveRules} {
			if _, err := w.ctx.Apply(permission.Update{Type: kind, Behavior: rule.Allow, Rules: []string{"Bash"}, Destination: to}); err == nil {
				t.Errorf("%s to %v was applied", kind, to)
			}
		}
	}
}

func TestP18_BadUpdatesChangeNothing(t *testing.T) {
	w := newWorld(t, lists{})
	for _, u := range []permission.Update{
		{},
		{Type: "grantAll", Destination: rule.Session},
		{Type: permission.AddRules, Rules: []string{"Bash"}, Destination: rule.Session},
		{Type: permission.AddRules, Behavior: rule.Allow, Destination: rule.Session},
		{Type: permission.AddRules, Behavior: rule.Allow, Rules: []string{"Bash("}, Destination: rule.Session},
		{Type: permission.AddRules, Behavior: rule.Allow, Rules: []string{"Bash()"}, Destination: rule.Session},
		{Type: permission.SetMode, Destination: rule.Session},
		{Type: permission.SetMode, Mode: permission.Bubble, Destination: rule.Session},
		{Type: permission.AddDirectories, Destination: rule.Session},
	} {
		if next, err := w.ctx.Apply(u); err == nil || next != nil {
			t.Errorf("%+v: %v, %v", u, next, err)
		}
	}
}

func TestS38_Restricts(t *testing.T) {
	for _, tt := range []struct {
		u    permission.Update
		want bool
	}{
		{permission.Update{Type: permission.AddRules, Behavior: rule.Deny}, true},
		{permission.Update{Type: permission.AddRules, Behavior: rule.Ask}, true},
		{permission.Update{Type: permission.AddRules, Behavior: rule.Allow}, false},
		{permission.Update{Type: permission.RemoveRules, Behavior: rule.Allow}, true},
		{permission.Update{Type: permission.RemoveRules, Behavior: rule.Deny}, false},
		{permission.Update{Type: permission.ReplaceRules, Behavior: rule.Deny}, false},
		{permission.Update{Type: permission.RemoveDirectories}, true},
		{permission.Update{Type: permission.AddDirectories}, false},
		{permission.Update{Type: permission.SetMode, Mode: permission.Plan}, false},
	} {
		if got := tt.u.Restricts(); got != tt.want {
			t.Errorf("%+v: %v", tt.u, got)
		}
	}
}

func TestUpdateWireForm(t *testing.T) {
	text := `{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"npm test"},{"toolName":"Edit"}],"behavior":"allow","destination":"localSettings"}`
	var u permission.Update
	if err := json.Unmarshal([]byte(text), &u); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(u.Rules, []string{"Bash(npm test)", "Edit"}) || u.Destination != rule.LocalSettings || u.Behavior != rule.Allow {
		t.Errorf("%+v", u)
	}
	back, err := json.Marshal(u)
	if err != nil || string(back) != text {
		t.Errorf("%s, %v", back, err)
	}
	for _, bad := range []string{
		`{"type":"addRules","rules":[{"toolName":"Bash"}],"behavior":"permit"}`,
		`{"type":"setMode","mode":"yolo","destination":"session"}`,
		`{"type":"addRules","rules":[{"toolName":"Bash"}],"behavior":"allow","destination":"policySettings"}`,
		`{"type":"addRules","type":"setMode","mode":"plan"}`,
		`{"type":"nonsense","destination":"session"}`,
	} {
		if err := json.Unmarshal([]byte(bad), &u); err == nil {
			t.Errorf("%s was accepted as %+v", bad, u)
		}
	}
	var empty permission.Update
	if err := json.Unmarshal([]byte(`{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":""}],"behavior":"allow","destination":"session"}`), &empty); err == nil {
		if _, err := newWorld(t, lists{}).ctx.Apply(empty); err == nil {
			t.Error("an empty content became a rule for every command")
		}
	}
}

// A directory that was granted through a link goes away under both its names.
func TestP18_RemovingALinkedDirectory(t *testing.T) {
	w := newWorld(t, lists{}, func(c *permission.Config) {
		c.Directories = []permission.Directory{
			{Path: "/link", Source: rule.UserSettings},
			{Path: "/target", Source: rule.UserSettings, Given: "/link"},
		}
	})
	w.want(w.file("Read", "/target/x"), allow, permission.ByReadOnly)
	w.apply(permission.Update{Type: permission.RemoveDirectories, Directories: []string{"/link"}, Destination: rule.UserSettings})
	w.want(w.file("Read", "/target/x"), ask, permission.ByOutside)
	w.want(w.file("Read", "/link/x"), ask, permission.ByOutside)
}
