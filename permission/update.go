package permission

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/rule"
)

// UpdateType names one of the six permission updates.
type UpdateType string

// The six updates.
const (
	AddRules          UpdateType = "addRules"
	ReplaceRules      UpdateType = "replaceRules"
	RemoveRules       UpdateType = "removeRules"
	SetMode           UpdateType = "setMode"
	AddDirectories    UpdateType = "addDirectories"
	RemoveDirectories UpdateType = "removeDirectories"
)

// Update is a change of permissions, as a person or host asks for it.
type Update struct {
	Type        UpdateType
	Destination rule.Source
	Behavior    rule.Behavior // addRules, replaceRules, removeRules
	Rules       []string      // rule texts: "Bash(npm test)"
	Mode        Mode          // setMode
	Directories []string      // addDirectories, removeDirectories
}

// wireUpdate is an update as clients send and receive it.
type wireUpdate struct {
	Type        UpdateType `json:"type"`
	Rules       []wireRule `json:"rules,omitempty"`
	Behavior    string     `json:"behavior,omitempty"`
	Mode        string     `json:"mode,omitempty"`
	Directories []string   `json:"directories,omitempty"`
	Destination string     `json:"destination"`
}

type wireRule struct {
	ToolName    string  `json:"toolName"`
	RuleContent *string `json:"ruleContent,omitzero"` // an empty one is written, too
}

// UnmarshalJSON refuses what could make a rule broader than it was meant: a content
// under a misspelt key, or null.
func (r *wireRule) UnmarshalJSON(data []byte) error {
	var known struct {
		ToolName    string         `json:"toolName"`
		RuleContent strictjson.Raw `json:"ruleContent,omitempty"`
	}
	if err := strictjson.UnmarshalKnown(data, &known); err != nil {
		return err
	}
	if known.ToolName == "" {
		return errors.New("a rule without toolName")
	}
	*r = wireRule{ToolName: known.ToolName}
	if known.RuleContent == nil {
		return nil
	}
	var content string
	if string(known.RuleContent) == "null" {
		return fmt.Errorf("rule for %s: ruleContent is null; leave it out to name every call", known.ToolName)
	}
	if err := strictjson.Unmarshal(known.RuleContent, &content); err != nil {
		return err
	}
	r.RuleContent = &content
	return nil
}

// MarshalJSON writes the form that clients know.
func (u Update) MarshalJSON() ([]byte, error) {
	w := wireUpdate{Type: u.Type, Destination: u.Destination.String(), Directories: u.Directories}
	if u.Behavior != 0 {
		w.Behavior = u.Behavior.String()
	}
	if u.Mode != 0 {
		w.Mode = u.Mode.String()
	}
	for _, text := range u.Rules {
		w.Rules = append(w.Rules, splitRule(text))
	}
	return strictjson.Marshal(w)
}

// UnmarshalJSON reads that form; a missing destination is the session. A key that is
// not known is refused: under its right name it would have said something else.
func (u *Update) UnmarshalJSON(data []byte) error {
	var w wireUpdate
	if err := strictjson.UnmarshalKnown(data, &w); err != nil {
		return err
	}
	if err := noNullLists(data); err != nil {
		return err
	}
	out := Update{Type: w.Type, Directories: w.Directories, Destination: rule.Session}
	var err error
	if w.Destination != "" {
		if out.Destination, err = rule.ParseSource(w.Destination); err != nil {
			return fmt.Errorf("permission update %s: %w", w.Type, err)
		}
	}
	if w.Behavior != "" {
		if out.Behavior, err = rule.ParseBehavior(w.Behavior); err != nil {
			return fmt.Errorf("permission update %s: %w", w.Type, err)
		}
	}
	if w.Mode != "" {
		if out.Mode, err = ParseMode(w.Mode); err != nil {
			return fmt.Errorf("permission update %s: %w", w.Type, err)
		}
	}
	for _, r := range w.Rules {
		out.Rules = append(out.Rules, r.text())
	}
	if err := out.Validate(); err != nil {
		return err
	}
	*u = out
	return nil
}

// noNullLists: null where rules or directories are listed would be read as nothing,
// which is a list or a name of its own.
func noNullLists(data []byte) error {
	var lists struct {
		Rules       strictjson.Raw `json:"rules"`
		Directories strictjson.Raw `json:"directories"`
	}
	if err := strictjson.Unmarshal(data, &lists); err != nil {
		return err
	}
	for name, list := range map[string]strictjson.Raw{"rules": lists.Rules, "directories": lists.Directories} {
		if list == nil {
			continue
		}
		var elements []strictjson.Raw
		if err := strictjson.Unmarshal(list, &elements); err != nil {
			return err
		}
		isNull := func(element strictjson.Raw) bool { return string(element) == "null" }
		if isNull(list) || slices.ContainsFunc(elements, isNull) {
			return fmt.Errorf("%s: null is no list and no element of one", name)
		}
	}
	return nil
}

func splitRule(text string) wireRule {
	name, rest, ok := strings.Cut(text, "(")
	content, closed := strings.CutSuffix(rest, ")")
	if !ok || !closed {
		return wireRule{ToolName: text}
	}
	return wireRule{ToolName: name, RuleContent: &content}
}

func (r wireRule) text() string {
	if r.RuleContent == nil {
		return r.ToolName
	}
	// An empty content stays: Tool() is malformed, and never a rule for every call.
	return r.ToolName + "(" + *r.RuleContent + ")"
}
