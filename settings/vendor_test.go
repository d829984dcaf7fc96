package settings

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/assent-dev/assent/rule"
)

func TestUnknownKeysAreListedWithTheirLines(t *testing.T) {
	w := newWorld(t) // nobody has trusted it
	w.KeepsLimits = true
	w.put(rule.ProjectSettings, `{
  "$schema": "x", "permisions": {"deny": ["Bash(x)"]}, // two in a line
  "permissions": {
    "alow": [], "deny": ["Bash(y)"],
    "disableAutoMode": "disable",
  },
  "hooks": {"Later": []}, "env": {"A": "1"}, "mcpServers": {"a": {}}, "assent": {"classifier": "builtin"},
  "disableAllHooks": false, "enableAllProjectMcpServers": false, "enabledMcpjsonServers": [],
  "evil\u202e": 1
}`)
	w.put(rule.PolicySettings, `{"permissions": {"allow": [], "ask": [], "deny": [], "additionalDirectories": [],
		"defaultMode": "plan", "disableBypassPermissionsMode": "disable"}}`)
	want := map[rule.Source][]Key{rule.ProjectSettings: {
		{"permisions", 2}, {"permissions.alow", 4}, {`"evil\u202e"`, 9},
	}}
	for _, f := range w.load().Files {
		if !slices.Equal(f.UnknownKeys, want[f.Source]) {
			t.Errorf("%v: %v", f.Source, f.UnknownKeys)
		}
	}
}

// TestLimitsThatCannotBeKept: what restricts and is not known stops the start with its place, and is
// reported where the vendor's agent keeps it; false and nothing do not restrict.
func TestLimitsThatCannotBeKept(t *testing.T) {
	for _, test := range []struct {
		source  rule.Source
		text    string
		problem string // "" if it starts
	}{
		{rule.FlagSettings, `"permissions": {"workingDirectoriesAsGiven": ["/x"]}`, "2:"},
		{rule.UserSettings, `"permissions": {"workingDirectoriesAsGiven": ["/x"]}`, ""}, // where it means nothing
		{rule.UserSettings, `"permissions": {"denyInsteadOfPrompting": false, "blockWritesOutsideWorkingDirectories": false}`, ""},
		{rule.UserSettings, `"permissions": {"denyInsteadOfPrompting": "yes"}`, "must be true or false"},
		{rule.UserSettings, `"permissions": {"alow": ["Bash"]}`, "permissions.alow is not known and may restrict"},
		{rule.UserSettings, `"permissions": {"alow": []}`, ""},
		{rule.PolicySettings, `"forceRemoteSettingsRefresh": true`, "forceRemoteSettingsRefresh waits for settings"},
		{rule.UserSettings, `"forceRemoteSettingsRefresh": true`, ""}, // where it means nothing
		{rule.PolicySettings, `"forceRemoteSettingsRefresh": false`, ""},
		{rule.UserSettings, `"deniedMcpServers": [{"serverName": "x"}], "allowedMcpServers": []`, ""},
		{rule.UserSettings, `"deniedMcpServers": [{"serverCommand": ["x"]}]`, "deniedMcpServers names servers by their commands"},
		{rule.UserSettings, `"allowedMcpServers": [{"serverUrl": "https://x/*"}]`, "allowedMcpServers names servers by their commands"},
		{rule.UserSettings, `"allowedHttpHookUrls": [], "httpHookAllowedEnvVars": []`, ""},
		{rule.UserSettings, `"allowedHttpHookUrls": {}`, "must be a list"},
		{rule.UserSettings, `"httpHookAllowedEnvVars": "X"`, "must be a list"},
		{rule.UserSettings, `"availableModels": []`, ""},
		{rule.UserSettings, `"theme": "dark", "permisions": {}`, ""},
		{rule.UserSettings, `"denyInsteadOfPrompting": true`, "denyInsteadOfPrompting stands outside of permissions"},
		{rule.UserSettings, `"disableBypassPermissionsMode": "disable"`, "disableBypassPermissionsMode stands outside of permissions"},
		{rule.UserSettings, `"deny": []`, ""},
		{rule.ProjectSettings, `"deny": ["Bash"]`, "deny stands outside of permissions"},
		{rule.UserSettings, `"failIfUnavailable": true`, "failIfUnavailable stands outside of sandbox"},
		{rule.UserSettings, `"forceLoginOrgUUID": "x"`, ""},
		{rule.UserSettings, `"sandbox": {"enabled": true}`, ""},
		{rule.UserSettings, `"sandbox": {"failIfUnavailable": true, "allowUnsandboxedCommands": false}`, ""},
		{rule.UserSettings, `"sandbox": {"enabled": true, "failIfUnavailable": true}`, "sandbox.failIfUnavailable demands a sandbox"},
		{rule.UserSettings, `"sandbox": {"enabled": true, "allowUnsandboxedCommands": false}`, "sandbox.allowUnsandboxedCommands demands a sandbox"},
		{rule.UserSettings, `"sandbox": {"enabled": true, "allowUnsandboxedCommands": true, "failIfUnavailable": false}`, ""},
		{rule.UserSettings, `"sandbox": {"lockdown": true}`, "sandbox.lockdown is not known"},
		{rule.UserSettings, `"sandbox": {"enabled": "yes"}`, "must be true or false"},
	} {
		w := newWorld(t)
		w.put(test.source, "{\n"+test.text+"}")
		_, err := Load(w.Options)
		broken, ok := errors.AsType[*BrokenError](err)
		switch {
		case test.problem == "" && err != nil:
			t.Errorf("%v %s: %v", test.source, test.text, err)
		case test.problem != "" && (!ok || broken.Line != 2 || broken.Hint == "" && !strings.Contains(test.problem, "must be") || !strings.Contains(err.Error(), test.problem)):
			t.Errorf("%v %s: %v, want %q", test.source, test.text, err, test.problem)
		}
		w.KeepsLimits = true
		if s, err := Load(w.Options); err != nil && !strings.Contains(test.problem, "must be") {
			t.Errorf("%v %s: %v", test.source, test.text, err)
		} else if byName := !strings.Contains(test.problem, "names servers"); err == nil && test.problem != "" && byName && !slices.Contains(kinds(s.Reports), NotEnforced.String()) && !slices.Contains(kinds(s.Reports), UnknownKey.String()) {
			t.Errorf("%v %s is not reported: %v", test.source, test.text, s.Reports)
		}
	}
	for _, source := range allSources {
		w := newWorld(t)
		w.put(source, `{"availableModels": ["x"]}`)
		w.StartsServers = true
		if _, err := Load(w.Options); err == nil {
			t.Errorf("an agent starts with availableModels in %v", source)
		}
		w = newWorld(t)
		w.put(source, `{"requiredMinimumVersion": "3", "allowedProviders": ["x"], "allowManagedMcpServersOnly": true}`)
		reported := kinds(w.load().Reports)
		n := len(slices.DeleteFunc(reported, func(kind string) bool { return kind != NoEffect.String() }))
		if want := 3; source != rule.PolicySettings && n != want || source == rule.PolicySettings && n != 1 {
			t.Errorf("%v: %d of the keys without effect are reported", source, n)
		}
	}
	for _, text := range []string{`"availableModels": []`, `"allowedProviders": []`, `"deniedModels": ["x"]`, `"forceLoginMethod": "x"`} {
		w := newWorld(t)
		w.put(rule.PolicySettings, "{"+text+"}")
		if s, err := Load(w.Options); err != nil || !slices.Contains(kinds(s.Reports), NotEnforced.String()) {
			t.Errorf("%s does not keep a guard from starting, and is reported: %v", text, err)
		}
		w.StartsServers = true
		if _, err := Load(w.Options); err == nil || !strings.Contains(err.Error(), "managed") {
			t.Errorf("%s stops an agent of assent: %v", text, err)
		}
	}
	for _, key := range []string{"AvailableModels", "allowmanagedhooksonly", "DisableAutoMode", "deniedmcpservers", "PERMISSIONS"} {
		w := newWorld(t)
		w.put(rule.PolicySettings, `{"`+key+`": true}`)
		if _, err := Load(w.Options); err == nil || !strings.Contains(err.Error(), "exact letter case") {
			t.Errorf("%s: %v", key, err)
		}
	}
	w := newWorld(t)
	w.put(rule.UserSettings, `{"sandbox": {"enabled": true}}`)
	w.put(rule.PolicySettings, `{"sandbox": {"failIfUnavailable": true}}`)
	if _, err := Load(w.Options); err == nil {
		t.Error("a sandbox that one file wants and another demands is not missed")
	}
}

// TestS50_ASandboxThatIsNotSwitchedOn: keys that are about a sandbox do nothing while no file says
// whether there is to be one, which is told of each that restricts. It is not told
// where a file says that there is none.
func TestS50_ASandboxThatIsNotSwitchedOn(t *testing.T) {
	told := func(w *world) (lines []int) {
		for _, keeps := range []bool{true, false} {
			w.KeepsLimits = keeps
			lines = nil
			for _, r := range w.load().Reports {
				if r.Kind == NoEffect && strings.Contains(r.Text, "no effect, because sandbox.enabled is not set") && r.File == w.path(rule.UserSettings) && r.Hint != "" {
					lines = append(lines, r.Line)
				}
			}
		}
		return lines
	}
	for text, want := range map[string][]int{
		`"failIfUnavailable": true`:                                             {2},
		`"allowUnsandboxedCommands": false`:                                     {2},
		`"filesystem": {"denyRead": ["/etc"]}`:                                  {2},
		`"network": {"deniedDomains": ["x.example"]}`:                           {2},
		`"credentials": {"envVars": [{"name": "X", "mode": "deny"}]}`:           {2},
		"\"failIfUnavailable\": true,\n\"filesystem\": {\"denyRead\": [\"/\"]}": {2, 3},
		`"failIfUnavailable": false, "allowUnsandboxedCommands": true`:          nil,
		`"filesystem": {}, "network": {}, "excludedCommands": ["git"]`:          nil,
		`"autoAllowBashIfSandboxed": true`:                                      nil,
		`"enabled": false, "failIfUnavailable": true`:                           nil,
		`"enabled": true, "filesystem": {"denyRead": ["/etc"]}`:                 nil, // which is told otherwise
	} {
		w := newWorld(t)
		w.put(rule.UserSettings, "{\"sandbox\": {\n"+text+"}}")
		if got := told(w); !slices.Equal(got, want) {
			t.Errorf("%s: told of the lines %v, want %v", text, got, want)
		}
		for _, other := range []rule.Source{rule.PolicySettings, rule.ProjectSettings} {
			w := newWorld(t)
			w.put(rule.UserSettings, "{\"sandbox\": {\n"+strings.NewReplacer(`"enabled": true, `, "", `"enabled": false, `, "", "true", "false").Replace(text)+"}}")
			w.put(other, `{"sandbox": {"enabled": false}}`)
			if got := told(w); len(got) > 0 {
				t.Errorf("%s: told of the lines %v, and %v settings say that there is no sandbox", text, got, other)
			}
		}
	}
}

// TestS46_ASignInThatIsDemanded: an agent of assent signs in nowhere, so that it does not start. What
// only judges calls starts, and what only looks says so.
func TestS46_ASignInThatIsDemanded(t *testing.T) {
	for _, text := range []string{`"forceLoginOrgUUID": ["x"]`, `"forceLoginMethod": "claudeai"`} {
		w := newWorld(t)
		w.put(rule.PolicySettings, "{\n"+text+"}")
		w.StartsServers = true
		if _, err := Load(w.Options); err == nil || !strings.Contains(err.Error(), "managed.json:2:") || !strings.Contains(err.Error(), "assent init") {
			t.Errorf("%s: an agent: %v", text, err)
		}
		w.StartsServers = false
		if _, err := Load(w.Options); err != nil {
			t.Errorf("%s: a guard: %v", text, err)
		}
		w.KeepsLimits = true
		if s := w.load(); !slices.Contains(kinds(s.Reports), NotEnforced.String()) {
			t.Errorf("%s is not reported: %v", text, s.Reports)
		}
	}
}

// TestEveryKeyOfTheVendor: each key of the vendor's own types is honoured, stops the start, or is
// known to be harmless with a reason. No key is listed twice.
func TestEveryKeyOfTheVendor(t *testing.T) {
	seen := map[string]bool{}
	for _, group := range vendorKeys {
		if group.why == "" && group.treatment != honoured {
			t.Errorf("there is no reason for %s", group.keys)
		}
		for key := range strings.FieldsSeq(group.keys) {
			if seen[key] {
				t.Errorf("%s is listed twice", key)
			}
			seen[key] = true
		}
	}
	_, text, ok := strings.Cut(newestTypes(t), "\nexport declare interface Settings {")
	if !ok {
		t.Fatal("there are no settings in the vendor's types")
	}
	text, _, _ = strings.Cut(text, "\n}")
	member := regexp.MustCompile(`^((?:    )+)'?([$\w-]+)'?\??: (.*)$`)
	var within []string
	keys := 0
	for line := range strings.SplitSeq(text, "\n") {
		m := member.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		depth := len(m[1]) / 4
		within = append(within[:min(depth-1, len(within))], m[2])
		if depth > 2 || depth == 2 && within[0] != "permissions" && within[0] != "sandbox" {
			continue
		}
		keys++
		if path := strings.Join(within, "."); !seen[path] {
			t.Errorf("nothing is said about %s", path)
		}
	}
	if keys < 150 {
		t.Errorf("only %d keys were found in the vendor's types", keys)
	}
}

// newestTypes are the types of the newest release of the vendor's package that is installed.
func newestTypes(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob("../.tools/agent-sdk/node_modules/agent-sdk-*/sdk.d.ts")
	if err != nil || len(files) == 0 {
		t.Fatalf("the vendor's types are missing: scripts/setup installs them (%v)", err)
	}
	numbers := func(file string) (all []int) {
		for n := range strings.SplitSeq(strings.TrimPrefix(filepath.Base(filepath.Dir(file)), "agent-sdk-"), ".") {
			number, err := strconv.Atoi(n)
			if err != nil {
				t.Fatalf("%s names no release", file)
			}
			all = append(all, number)
		}
		return all
	}
	types, err := os.ReadFile(slices.MaxFunc(files, func(a, b string) int { return slices.Compare(numbers(a), numbers(b)) }))
	if err != nil {
		t.Fatal(err)
	}
	return string(types)
}

// TestWhatIsSaidAboutKeysIsTrue: a key that is honoured is read, so that a value which makes no sense
// does not pass; one that restricts otherwise stops the start, from a source in which it counts.
func TestWhatIsSaidAboutKeysIsTrue(t *testing.T) {
	inFile := func(key, value string) string { // a dot in the list is a level
		if parent, inner, nested := strings.Cut(key, "."); nested {
			return `{"` + parent + `": {"` + inner + `": ` + value + `}}`
		}
		return `{"` + key + `": ` + value + `}`
	}
	for _, group := range vendorKeys {
		for key := range strings.FieldsSeq(group.keys) {
			source := rule.PolicySettings
			if group.treatment == limitingFlag {
				source = rule.FlagSettings
			}
			w := newWorld(t)
			w.StartsServers = group.treatment == limitingAgent || group.treatment == limitingManagedAgent
			w.put(source, inFile(key, "5"))
			s, err := Load(w.Options)
			switch group.treatment {
			case honoured:
				if err == nil && !s.Config().DisableAuto {
					t.Errorf("%s is listed as honoured, and 5 is no value that anybody notices", key)
				}
			case limiting, limitingManaged, limitingFlag, limitingAgent, limitingManagedAgent:
				broken, ok := errors.AsType[*BrokenError](err)
				if !ok || broken.Line != 1 || broken.Hint == "" || !strings.Contains(broken.Problem, key) {
					t.Errorf("%s is listed as a limit: %v", key, err)
				}
			case harmless, noted:
				if err != nil {
					t.Errorf("%s is listed as harmless: %v", key, err)
				}
			case unheardOf:
				t.Errorf("%s is listed as unknown", key)
			}
		}
	}
}

// TestS46_RestrictingKeysInEverySpelling: a key that restricts and is written where nobody reads it, or
// as nobody reads it, stops the start from every file, and is named to who only looks.
func TestS46_RestrictingKeysInEverySpelling(t *testing.T) {
	within := func(text string, names ...string) string {
		for _, name := range slices.Backward(names) {
			text = "{" + strconv.Quote(name) + ": " + text + "}"
		}
		return text
	}
	grants := []string{"env", "mcpServers", "enableAllProjectMcpServers", "enabledMcpjsonServers", "enabled", "allow", "additionalDirectories"}
	worlds := map[rule.Source]*world{}
	for _, source := range allSources {
		worlds[source] = newWorld(t)
	}
	checked := 0
	for _, key := range keysRead() {
		value := `["x"]`
		if key.name == "allowUnsandboxedCommands" {
			value = "false"
		}
		var parents []string
		if key.parent != "" {
			parents = []string{key.parent}
		}
		at := func(name string) string { return within(value, append(slices.Clone(parents), name)...) }
		written := []string{
			at(strings.ToUpper(key.name)), at(strings.ToUpper(key.name[:1]) + key.name[1:]), at(" " + key.name), at(key.name + " "),
			at(key.name + "\u200b"), at("_" + key.name), within(value, "permissions", "permissions", key.name), within(value, "sandbox", "x", key.name),
		}
		if lower := strings.ToLower(key.name); lower != key.name {
			written = append(written, at(lower))
		}
		if key.parent != "" {
			dotted := key.parent + "." + key.name
			written = append(
				written, within(value, dotted), within(value, strings.ToUpper(dotted)), within(value, " "+dotted),
				within(value, strings.ToUpper(key.name)), within(value, " "+key.name+" "),
				within(value, strings.ToUpper(key.parent), key.name), within(value, key.parent+" ", key.name), within(value, "settings", key.parent, key.name),
			)
			if key.parent != autoModeKey { // below which what is not known counts as a limit, too
				written = append(written, within(value, key.parent, dotted))
			}
		}
		if key.name != "disableAutoMode" { // which counts at the top and in permissions
			written = append(written, within(value, map[bool]string{true: "permissions", false: "sandbox"}[key.parent != "permissions"], key.name))
			if key.parent != "" {
				written = append(written, within(value, key.name))
			}
		}
		if !slices.Contains(grants, key.name) {
			written = append(
				written, within(value, "settings", key.name), within(value, "settings", strings.ToUpper(key.name)), within(value, "a", "b", key.name),
				within(value, "settings."+key.name), `{"profiles": [`+within(value, key.name)+`]}`,
			)
		}
		for _, text := range written {
			for _, source := range allSources {
				w := worlds[source]
				w.put(source, text)
				w.KeepsLimits = false
				_, err := Load(w.Options)
				broken, ok := errors.AsType[*BrokenError](err)
				if !ok || broken.Line != 1 || broken.Hint == "" && !strings.Contains(broken.Problem, "must be") {
					t.Errorf("%v %s: %v", source, text, err)
				}
				w.KeepsLimits = true
				if s, err := Load(w.Options); err == nil && !slices.ContainsFunc(s.Reports, func(r Report) bool { return r.Line == 1 && r.Kind != NoEffect }) {
					t.Errorf("%v %s is not named", source, text)
				}
				checked++
			}
		}
	}
	if checked < 1000 {
		t.Errorf("only %d were checked", checked)
	}
}

// TestKeysOfOthersAreLeftAlone: a key that nobody knows stops nothing unless it restricts.
func TestKeysOfOthersAreLeftAlone(t *testing.T) {
	for _, text := range []string{
		`{"theme.dark": true, "novelty": {"enabled": true, "allow": ["x"], "mode": "fast"}, "list": ["deny"]}`,
		`{"settings": {"permissions": {}, "deny": [], "disableAutoMode": false}}`,
		`{"editor.enabled": true, "": 1, "--": 2, "pluginConfigs": {"a": {"deny": ["x"]}}}`,
	} {
		w := newWorld(t)
		w.put(rule.UserSettings, text)
		if _, err := Load(w.Options); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}
