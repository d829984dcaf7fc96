package settings

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

const (
	shipText     = "---\nallowed-tools: Bash(tk:*)\n---\nShip.\n"
	reviewerText = "---\nname: reviewer\ndescription: d\ntools: Read\n---\nReview.\n"
)

func (w *world) command(name, text string) {
	w.t.Helper()
	w.write(filepath.Join(w.Dir, ".claude", "commands", name), text)
}

func (w *world) custom() Custom {
	w.t.Helper()
	c, err := LoadCustom(w.Options, w.load())
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

func (w *world) trust() {
	w.t.Helper()
	if err := Trust(w.Options, ""); err != nil {
		w.t.Fatal(err)
	}
}

// shown lists commands, agents and what is held back.
func (c Custom) shown() string {
	var all []string
	for _, x := range c.Commands {
		text := "/" + x.Name
		for _, r := range x.Rules {
			text += " " + r.Text
		}
		all = append(all, text)
	}
	for _, a := range c.Agents {
		all = append(all, a.Name)
	}
	for _, name := range c.HeldBack {
		all = append(all, "no /"+name)
	}
	return strings.Join(all, ", ")
}

func (c Custom) reported() string {
	var all []string
	for _, r := range c.Reports {
		all = append(all, r.Kind.String()+": "+r.String())
	}
	return strings.Join(all, "\n")
}

func TestS33_CommandsAndAgentsAreHeldBack(t *testing.T) {
	w := newWorld(t)
	w.command("ship.md", shipText)
	w.write(filepath.Join(w.Dir, ".claude", "agents", "r.md"), reviewerText)
	w.write(filepath.Join(w.Home, ".claude", "commands", "mine.md"), "Mine.")
	c := w.custom()
	if c.shown() != "/mine, no /ship" || !strings.Contains(c.Why, "assent trust "+w.Dir) {
		t.Errorf("%s, why: %s", c.shown(), c.Why)
	}
	for _, part := range []string{"command /ship is held back: nobody has trusted", "agent reviewer is held back", "assent trust "} {
		if strings.Count(c.reported(), part) == 0 {
			t.Errorf("no %q in\n%s", part, c.reported())
		}
	}
	if len(c.Reports) != 2 {
		t.Errorf("reports\n%s", c.reported())
	}

	w.trust()
	if c := w.custom(); c.shown() != "/ship Bash(tk:*), /mine, reviewer" || len(c.Reports) > 0 || c.Why != "" {
		t.Errorf("%s\n%s", c.shown(), c.reported())
	}
	r := w.custom().Commands[0].Rules[0]
	if r.Origin.Source != rule.Command || r.Origin.Line != 2 || !strings.HasSuffix(r.Origin.File, "ship.md") || r.Behavior != rule.Allow {
		t.Errorf("%+v", r)
	}
}

// When only these files change, only they are held back.
func TestS33_ACommandThatChangedIsHeldBackAlone(t *testing.T) {
	for name, change := range map[string]func(w *world){
		"another text":    func(w *world) { w.command("ship.md", shipText+"And more.\n") },
		"another rule":    func(w *world) { w.command("ship.md", strings.Replace(shipText, "tk:*", "*", 1)) },
		"a new one":       func(w *world) { w.command("sub/evil.md", "Evil.") },
		"a new agent":     func(w *world) { w.write(filepath.Join(w.Dir, ".claude", "agents", "r.md"), reviewerText) },
		"another name":    func(w *world) { w.move("ship.md", "ship2.md") },
		"a broken one":    func(w *world) { w.command("ship.md", "---\n") },
		"one less":        func(w *world) { w.move("other.md", "other.txt") },
		"no longer there": func(w *world) { w.move("ship.md", "a.txt"); w.linkCommand("ship.md", "other.md") },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.put(rule.ProjectSettings, `{"permissions": {"allow": ["Bash(a)"]}}`)
			w.command("ship.md", shipText)
			w.command("other.md", "Other.")
			w.trust()
			change(w)
			s := w.load()
			if s.TrustState().Status != Trusted || !slices.Contains(rules(s), "projectSettings allow Bash(a)") {
				t.Errorf("the settings are not trusted any more: %+v", s.TrustState())
			}
			c := w.custom()
			if len(c.Commands) > 0 || len(c.Agents) > 0 || !strings.Contains(c.Why, "have changed") {
				t.Errorf("%s, why %q", c.shown(), c.Why)
			}
			if len(c.Reports) != 1 || c.Reports[0].Kind != TrustChanged || !strings.Contains(c.reported(), "assent trust ") {
				t.Errorf("reports\n%s", c.reported())
			}
			g, err := Grants(w.Options)
			if err != nil {
				t.Fatal(err)
			}
			if state, err := s.TrustOf(w.Options, g); err != nil || state.Status != Changed || len(state.Diff) == 0 {
				t.Errorf("trust shows %+v, %v", state, err)
			}
			w.trust()
			if c := w.custom(); c.Why != "" || len(c.HeldBack) > 0 {
				t.Errorf("trusted again: %s", c.reported())
			}
		})
	}
}

func (w *world) move(from, to string) {
	w.t.Helper()
	dir := filepath.Join(w.Dir, ".claude", "commands")
	if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) linkCommand(name, target string) {
	w.t.Helper()
	if err := os.Symlink(target, filepath.Join(w.Dir, ".claude", "commands", name)); err != nil {
		w.t.Fatal(err)
	}
}

func TestS33_SettingsThatChangedHoldBackCommandsToo(t *testing.T) {
	w := newWorld(t)
	w.command("ship.md", shipText)
	w.trust()
	w.put(rule.ProjectSettings, `{"permissions": {"allow": ["Bash(a)"]}}`)
	if c := w.custom(); c.shown() != "no /ship" {
		t.Error(c.shown())
	}
}

// A record that was made before trust covered commands says nothing about them.
func TestS33_AnOlderRecordHoldsCommandsBack(t *testing.T) {
	w := newWorld(t)
	w.put(rule.ProjectSettings, `{"permissions": {"allow": ["Bash(a)"]}}`)
	w.trust()
	w.command("ship.md", shipText)
	file := filepath.Join(w.StateDir, "trust.json")
	text := w.read(file)
	start := strings.Index(text, `"custom"`)
	end := start + strings.IndexByte(text[start:], '\n')
	w.write(file, strings.TrimRight(strings.TrimRight(text[:start], " \n"), ",")+"\n"+text[end:])
	if got := w.load().TrustState().Status; got != Trusted {
		t.Fatalf("%v: %s", got, w.read(file))
	}
	c := w.custom()
	if c.shown() != "no /ship" || !strings.Contains(c.reported(), "trusted before that covered them") || len(c.Reports) != 1 {
		t.Errorf("%s\n%s", c.shown(), c.reported())
	}
	w.trust()
	if c := w.custom(); c.shown() != "/ship Bash(tk:*)" {
		t.Error(c.reported())
	}
}

// What assent writes into settings costs commands nothing, and trusts no new ones.
func TestS33_WritingSettingsKeepsTrustInCommands(t *testing.T) {
	w := newWorld(t)
	w.command("ship.md", shipText)
	w.trust()
	allow := func(text string) {
		u := ruleUpdate(permission.AddRules, rule.Allow, text)
		u.Destination = rule.LocalSettings
		w.persist(u)
	}
	allow("Bash(a)")
	if c := w.custom(); c.shown() != "/ship Bash(tk:*)" {
		t.Errorf("%s\n%s", c.shown(), c.reported())
	}
	w.command("evil.md", "---\nallowed-tools: Bash(*)\n---\nx")
	allow("Bash(b)")
	if c := w.custom(); c.shown() != "no /evil, no /ship" {
		t.Error(c.shown())
	}
}

// Whoever trusts a directory as such trusts its commands.
func TestS33_OtherWaysToTrustCommands(t *testing.T) {
	for name, trust := range map[string]func(w *world){
		"flag":    func(w *world) { w.trusted() },
		"managed": func(w *world) { w.put(rule.PolicySettings, `{"assent": {"trustedWorkspaces": ["`+w.Dir+`"]}}`) },
		"vendor": func(w *world) {
			w.write(filepath.Join(w.Home, ".claude.json"), `{"projects": {"`+w.Dir+`": {"hasTrustDialogAccepted": true}}}`)
		},
	} {
		w := newWorld(t)
		w.command("ship.md", shipText)
		trust(w)
		if c := w.custom(); c.shown() != "/ship Bash(tk:*)" || len(c.Reports) > 0 {
			t.Errorf("%s: %s\n%s", name, c.shown(), c.reported())
		}
	}
}

func TestS33_RevokedAndListed(t *testing.T) {
	w := newWorld(t)
	w.command("ship.md", shipText)
	w.trust()
	list, err := ListTrusted(w.Options)
	if err != nil || len(list) != 1 || len(list[0].Grants) != 1 || !strings.Contains(list[0].Grants[0], `command /ship with allowed-tools "Bash(tk:*)", text `) {
		t.Errorf("%+v, %v", list, err)
	}
	if err := Untrust(w.Options, ""); err != nil {
		t.Fatal(err)
	}
	if text := w.read(filepath.Join(w.StateDir, "trusted-commands.json")); strings.Contains(text, "ship") {
		t.Error(text)
	}
	if c := w.custom(); c.shown() != "no /ship" {
		t.Error(c.shown())
	}
	// The text only serves to show changes: one that is forged trusts nothing.
	w.trust()
	w.command("ship.md", strings.Replace(shipText, "tk", "rm", 1))
	file := filepath.Join(w.StateDir, "trusted-commands.json")
	g, err := Grants(w.Options)
	if err != nil {
		t.Fatal(err)
	}
	p, err := locate(w.Options)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.keepCustomText(g.Custom, w.Dir); err != nil {
		t.Fatal(err)
	}
	if c := w.custom(); c.shown() != "no /ship" || strings.Contains(c.reported(), "+ ") {
		t.Errorf("%s\n%s", c.shown(), c.reported())
	}
	w.write(file, "broken")
	if c := w.custom(); c.shown() != "no /ship" {
		t.Error(c.shown())
	}
}

func TestS43_WhichCommandCounts(t *testing.T) {
	w := newWorld(t)
	w.command("ship.md", "---\nallowed-tools: Bash(a), Bash(b:*)(, Read\n---\nProject.")
	w.command("broken.md", "---\n")
	w.write(filepath.Join(w.Home, ".claude", "commands", "ship.md"), "User.")
	w.write(filepath.Join(w.Home, ".claude", "commands", "broken.md"), "Works.")
	if c := w.custom(); c.Commands[1].Body != "User." {
		t.Errorf("untrusted: %s", c.shown())
	}
	w.trusted()
	c := w.custom()
	if c.shown() != "/broken, /ship Bash(a)" && c.shown() != "/broken, /ship Bash(a) Read" {
		t.Error(c.shown())
	}
	if c.Commands[1].Body != "Project." || c.Commands[0].Fault == nil || !strings.Contains(c.reported(), "ship.md:2: allow rule ") || !strings.Contains(c.reported(), "it is dropped") {
		t.Errorf("%s\n%s", c.shown(), c.reported())
	}
	for _, tt := range []struct {
		sources []rule.Source
		want    string
	}{
		{[]rule.Source{}, ""},
		{[]rule.Source{rule.UserSettings}, "/broken, /ship"},
		{[]rule.Source{rule.LocalSettings}, ""},
	} {
		w.Sources = tt.sources
		if got := w.custom().shown(); got != tt.want {
			t.Errorf("%v: %s", tt.sources, got)
		}
	}
}

// In the home directory the workspace's files are the user's own.
func TestS33_CommandsInTheHomeDirectory(t *testing.T) {
	w := newWorld(t)
	w.write(filepath.Join(w.Home, ".claude", "commands", "mine.md"), "Mine.")
	w.Dir = w.Home
	if c := w.custom(); c.shown() != "/mine" || len(c.Reports) > 0 {
		t.Errorf("%s\n%s", c.shown(), c.reported())
	}
	if g, err := Grants(w.Options); err != nil || len(g.All()) > 0 {
		t.Errorf("%+v, %v", g, err)
	}
}
