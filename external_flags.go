package assent

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/driver"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/settings"
)

// flags are the arguments of an external program: its own first, then those that make it
// speak the protocol, then what options stand for. Flags that only assent has are there
// only if somebody asked for what they do.
func (c *config) flags() ([]string, error) {
	given, err := c.flagSettings()
	if err != nil {
		return nil, err
	}
	a := arguments{append(append([]string{}, c.program.args...), driver.Flags...)}
	a.on("include-hook-events", true) // the result says which hooks ran
	a.on("include-partial-messages", c.Options.Partial)
	a.on("replay-user-messages", c.goesOn())
	if c.canUseTool != nil {
		a.value("permission-prompt-tool", "stdio")
	}
	a.value("model", absoluteScript(c.Options.Model))
	a.value("system-prompt", c.System)
	a.value("append-system-prompt", c.Append)
	if c.Options.MaxTurns > 0 {
		a.value("max-turns", strconv.Itoa(c.Options.MaxTurns))
	}
	if c.Settings.Mode != 0 {
		a.value("permission-mode", c.Settings.Mode.String())
	}
	a.on("allow-dangerously-skip-permissions", c.Settings.AllowBypass)
	a.each("allowedTools", c.Settings.AllowedTools)
	a.each("disallowedTools", c.Settings.DisallowedTools)
	a.each("add-dir", c.Settings.AddDirs)
	a.value("settings", given)
	var sources []string
	for _, s := range c.Settings.Sources {
		sources = append(sources, strings.TrimSuffix(s.String(), "Settings"))
	}
	a.list = append(a.list, "--setting-sources="+strings.Join(sources, ","))
	if c.Options.Tools != nil {
		a.list = append(a.list, "--tools", strings.Join(c.Options.Tools, ","))
	}
	for _, servers := range c.Options.MCPConfig {
		a.value("mcp-config", absoluteFile(servers))
	}
	a.on("strict-mcp-config", c.Options.StrictMCP)
	a.value("agents", c.Options.Agents)
	a.value("resume", c.Options.Resume)
	a.on("continue", c.Last)
	a.on("fork-session", c.Options.Fork)
	a.value("session-id", c.ID)
	a.on("no-session-persistence", c.Options.Forget)
	a.value("classifier", absoluteScript(c.Options.Classifier))
	a.on("trust-workspace", c.Settings.TrustWorkspace)
	a.on("defer-batch", c.Parking == agent.ParkBatch)
	return a.list, nil
}

// absoluteFile is the path of a file for a program that works in another directory than
// this one; JSON stays what it is.
func absoluteFile(fileOrJSON string) string {
	if strings.HasPrefix(strings.TrimSpace(fileOrJSON), "{") {
		return fileOrJSON
	}
	if path, err := filepath.Abs(fileOrJSON); err == nil {
		return path
	}
	return fileOrJSON
}

// absoluteScript is absoluteFile for the name of a model that is a file.
func absoluteScript(model string) string {
	if file, isScript := strings.CutPrefix(model, "script:"); isScript && file != "" {
		return "script:" + absoluteFile(file)
	}
	return model
}

// arguments is a command line that grows.
type arguments struct{ list []string }

// value adds a flag with a value, as one argument: the value may look like a flag.
func (a *arguments) value(name, value string) {
	if value != "" {
		a.list = append(a.list, "--"+name+"="+value)
	}
}

func (a *arguments) each(name string, values []string) {
	for _, v := range values {
		a.value(name, v)
	}
}

func (a *arguments) on(name string, wanted bool) {
	if wanted {
		a.list = append(a.list, "--"+name)
	}
}

// flagSettings are the settings of the command line with the ask rules, for which there
// is no flag.
func (c *config) flagSettings() (string, error) {
	text := strings.TrimSpace(c.Settings.Flag)
	if len(c.Settings.AskTools) == 0 {
		return text, nil
	}
	if text == "" {
		text = "{}"
	}
	if !strings.HasPrefix(text, "{") {
		return "", fmt.Errorf("assent.Ask and a file for assent.Settings do not go together with an external program (write the rules %s into the file)", strings.Join(c.Settings.AskTools, ", "))
	}
	plain, err := settings.Plain(text)
	if err != nil {
		return "", fmt.Errorf("assent.Settings: %w", err)
	}
	var all map[string]strictjson.Raw
	if err := strictjson.Unmarshal(plain, &all); err != nil {
		return "", fmt.Errorf("assent.Settings: %w", err)
	}
	var permissions map[string]strictjson.Raw
	var ask []string
	err = errors.Join(member(all, "permissions", &permissions), member(permissions, "ask", &ask))
	if err != nil {
		return "", fmt.Errorf("assent.Settings: %w", err)
	}
	if permissions == nil {
		permissions = map[string]strictjson.Raw{}
	}
	if permissions["ask"], err = strictjson.Marshal(append(ask, c.Settings.AskTools...)); err != nil {
		return "", err
	}
	if all["permissions"], err = strictjson.Marshal(permissions); err != nil {
		return "", err
	}
	merged, err := strictjson.Marshal(all)
	return string(merged), err
}

// member reads a member of an object, if there is one.
func member(object map[string]strictjson.Raw, name string, into any) error {
	if object[name] == nil {
		return nil
	}
	return strictjson.Unmarshal(object[name], into)
}
