package main

import (
	"fmt"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/wire"
)

// interrupt ends the work on a prompt. Prompts behind it have their turn, unless the host
// wants them dropped.
func (c *conversation) interrupt(body strictjson.Raw) (any, error) {
	var request struct {
		CancelQueued bool `json:"cancel_queued"`
	}
	if err := strictjson.Unmarshal(body, &request); err != nil {
		return nil, err
	}
	answer := struct {
		StillQueued []string `json:"still_queued"`
		Cancelled   []string `json:"cancelled,omitzero"`
	}{StillQueued: []string{}}
	var stop func()
	if request.CancelQueued {
		answer.Cancelled, stop = c.host.Interrupt(wire.Dropped)
	} else {
		answer.StillQueued, stop = c.host.Interrupt(wire.Kept)
	}
	return wire.Reply{Body: answer, Then: stop}, nil
}

// withdraw takes back a prompt that waits.
func (c *conversation) withdraw(body strictjson.Raw) (any, error) {
	var request struct {
		UUID string `json:"message_uuid"`
	}
	if err := strictjson.Unmarshal(body, &request); err != nil {
		return nil, err
	}
	return struct {
		Cancelled bool `json:"cancelled"`
	}{c.host.Withdraw(request.UUID)}, nil
}

func (c *conversation) setMode(body strictjson.Raw) (any, error) {
	var request struct {
		Mode string `json:"mode"`
	}
	if err := strictjson.Unmarshal(body, &request); err != nil {
		return nil, err
	}
	mode, err := permission.ParseMode(request.Mode)
	if err != nil {
		return nil, err
	}
	tell, err := c.session.Agent.ChangeMode(mode)
	if err != nil {
		return nil, err
	}
	return wire.Reply{Body: struct {
		Mode string `json:"mode"`
	}{mode.String()}, Then: tell}, nil
}

// setModel changes the model; no name is that of the start.
func (c *conversation) setModel(body strictjson.Raw) (any, error) {
	var request struct {
		Model *string `json:"model"`
	}
	if err := strictjson.Unmarshal(body, &request); err != nil {
		return nil, err
	}
	if request.Model == nil || *request.Model == "" || *request.Model == "default" {
		c.session.Agent.SetModel(c.firstModel)
	} else {
		c.session.SetModel(*request.Model)
	}
	return struct{}{}, nil
}

// reloaded answers requests to read things again that are read when they are used, or do
// not exist. It says what there is.
func (c *conversation) reloaded() any {
	return struct {
		Commands     []commandJSON  `json:"commands"`
		Skills       []commandJSON  `json:"skills"`
		Agents       []agentJSON    `json:"agents"`
		Plugins      []struct{}     `json:"plugins"`
		OutputStyles []string       `json:"available_output_styles"`
		MCPServers   []mcpStateJSON `json:"mcpServers"`
		Errors       int            `json:"error_count"`
	}{c.commands(), c.commands(), c.agents(), []struct{}{}, []string{"default"}, c.serverStates(), 0}
}

// rewind says that files cannot be brought back. Whether they could is a question that
// has an answer; to do it is an error.
func (c *conversation) rewind(body strictjson.Raw) (any, error) {
	var request struct {
		DryRun bool `json:"dry_run"`
	}
	if err := strictjson.Unmarshal(body, &request); err != nil {
		return nil, err
	}
	if !request.DryRun {
		return nil, unsupported("rewind_files")
	}
	return struct {
		CanRewind bool   `json:"canRewind"`
		Error     string `json:"error"`
	}{Error: whyNot["rewind_files"]}, nil
}

// whyNot are requests that hosts know and assent does not do, and what to do instead.
var whyNot = map[string]string{
	"apply_flag_settings":              "settings stay those of the start: change a settings file, use set_permission_mode or set_model, or answer a question with updatedPermissions",
	"background_tasks":                 "no tool goes on in the background",
	"get_settings":                     "`assent explain` and `assent lint` say which settings hold and where they come from",
	"rewind_files":                     "assent keeps no copies of files: use git",
	"seed_read_state":                  "a file must be read in the session before it is edited",
	"set_mcp_permission_mode_override": "write an ask rule for the server: mcp__SERVER",
	"stop_task":                        "no task goes on in the background: use interrupt",
	"update_settings":                  "change the settings file itself",
}

func unsupported(subtype string) error {
	err := wire.Unsupported(subtype)
	if why := whyNot[subtype]; why != "" {
		err = fmt.Errorf("%w (%s)", err, why)
	}
	return err
}

// weigh remembers how much the conversation weighs, as the model counts it.
func (c *conversation) weigh(m wire.Message) {
	said, ok := m.(*wire.Assistant)
	if !ok || said.ParentToolUseID != "" || said.Error != "" {
		return
	}
	usage := said.Usage
	c.mu.Lock()
	defer c.mu.Unlock()
	c.usage = &usage
}

type categoryJSON struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Tokens int    `json:"tokens"`
	Color  string `json:"color"`
	Kind   string `json:"kind"`
}

// contextUsage says how full the model's window is. Nobody has counted the parts.
func (c *conversation) contextUsage() any {
	c.mu.Lock()
	usage := c.usage
	c.mu.Unlock()
	name := c.session.Agent.Model()
	size, used := model.ContextWindow(name), 0
	if usage != nil {
		used = usage.InputTokens + usage.CacheCreationInputTokens + usage.CacheReadInputTokens + usage.OutputTokens
	}
	return struct {
		Categories  []categoryJSON `json:"categories"`
		Total       int            `json:"totalTokens"`
		Max         int            `json:"maxTokens"`
		RawMax      int            `json:"rawMaxTokens"`
		Percentage  int            `json:"percentage"`
		GridRows    []struct{}     `json:"gridRows"`
		Model       string         `json:"model"`
		MemoryFiles []struct{}     `json:"memoryFiles"`
		MCPTools    []struct{}     `json:"mcpTools"`
		Agents      []struct{}     `json:"agents"`
		AutoCompact bool           `json:"isAutoCompactEnabled"`
		APIUsage    *model.Usage   `json:"apiUsage"`
	}{
		Categories: []categoryJSON{
			{"messages", "Messages", used, "blue", "used"},
			{"free_space", "Free space", max(size-used, 0), "grey", "free"},
		},
		Total: used, Max: size, RawMax: size, Percentage: percentage(used, size), GridRows: []struct{}{}, Model: name,
		MemoryFiles: []struct{}{}, MCPTools: []struct{}{}, Agents: []struct{}{}, AutoCompact: true, APIUsage: usage,
	}
}

// percentage is 0 of a window whose size nobody knows.
func percentage(used, size int) int {
	if size <= 0 {
		return 0
	}
	return used * 100 / size
}
