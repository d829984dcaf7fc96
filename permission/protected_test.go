package permission_test

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

func protecting(paths ...string) func(*permission.Config) {
	return func(c *permission.Config) {
		for _, path := range paths {
			c.Protected = append(c.Protected, permission.Place{Path: path, Why: "assent keeps its state there"})
		}
	}
}

// Writing a protected place needs a person in every mode, whoever allows it.
func TestS36_ProtectedPlaces(t *testing.T) {
	links := linkMap{project + "/l": "kept", project + "/up": "/data"}
	for _, mode := range []permission.Mode{permission.Default, permission.AcceptEdits, permission.BypassPermissions, permission.Auto} {
		w := newWorld(t, lists{Allow: []string{"Edit", "Bash"}}, inMode(mode), protecting(project+"/kept", "/data/state", project+"/conf/one.json", project+"/up/state"))
		w.engine = engine(links)
		for _, path := range []string{
			"kept", "kept/trust.json", "kept/a/b", project + "/kept/x", "KEPT/x", "x/../kept/y", "l/trust.json", "/data/state/audit/head.json",
			"conf/one.json", "up/state/x",
		} {
			for _, tool := range []string{"Write", "Edit"} {
				d := w.file(tool, path)
				if d.Behavior != permission.Ask || !d.NeedsPerson || d.Classify || d.Reason.Kind != permission.BySafety {
					t.Errorf("%v %s %s: %v, %+v", mode, tool, path, d.Behavior, d.Reason)
				}
				if !strings.Contains(d.Reason.Detail, "assent keeps its state there") {
					t.Errorf("%s %s does not say why: %q", tool, path, d.Reason.Detail)
				}
			}
			if d := w.file("Read", path); strings.HasPrefix(path, "kept") && d.Behavior != permission.Allow {
				t.Errorf("%v Read %s: %v, %+v", mode, path, d.Behavior, d.Reason)
			}
		}
		for _, command := range []string{
			"echo x > kept/trust.json", "echo x >> /data/state/a", "tee kept/x < y", "cp x kept/", "mv x kept/trust.json", "rm kept/trust.json", "rm -rf kept",
			"mv kept other", "echo x > l/trust.json", "ln -s kept new && echo x > new/y", "sed -i s/a/b/ kept/x", "mytool --write kept/x", "cd kept && touch x",
			"echo x > kep*/y", "chmod -R 777 /data", "rm -rf /data", "ln -sfn /tmp/evil up", "echo x > conf/ONE.json", "mv conf other",
			`python3 -c "open('kept/trust.json', 'w').write('x')"`,
		} {
			d := w.bash(command)
			if d.Behavior != permission.Ask || !d.NeedsPerson || d.Reason.Kind != permission.BySafety {
				t.Errorf("%v %s: %v, %+v", mode, command, d.Behavior, d.Reason)
			}
		}
		for _, command := range []string{"cat kept/trust.json", "ls kept", "cp kept/x y", "echo x > keptother/y", "echo x > other/kept2", "rm -rf conf2", "grep -r x kept"} {
			if d := w.bash(command); d.Behavior != permission.Allow {
				t.Errorf("%v %s: %v, %+v", mode, command, d.Behavior, d.Reason)
			}
		}
	}
}

// No update of the permissions takes a protected place away, in a sub-agent neither.
func TestS36_NoUpdateLiftsAPlace(t *testing.T) {
	w := newWorld(t, lists{}, inMode(permission.BypassPermissions), protecting(project+"/kept"))
	updates := []permission.Update{
		{Type: permission.ReplaceRules, Behavior: rule.Deny, Destination: rule.Session},
		{Type: permission.AddRules, Behavior: rule.Allow, Rules: []string{"Edit", "Write"}, Destination: rule.Session},
		{Type: permission.AddDirectories, Directories: []string{project + "/kept"}, Destination: rule.Session},
		{Type: permission.SetMode, Mode: permission.AcceptEdits, Destination: rule.Session},
	}
	var err error
	if w.ctx, err = w.ctx.ApplyAll(updates); err != nil {
		t.Fatal(err)
	}
	for _, ctx := range []*permission.Context{w.ctx, w.ctx.Bubble()} {
		w.ctx = ctx
		if d := w.file("Write", "kept/trust.json"); d.Behavior != permission.Ask || !d.NeedsPerson {
			t.Errorf("%v, %+v", d.Behavior, d.Reason)
		}
	}
}
