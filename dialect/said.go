package dialect

import (
	"maps"
	"slices"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/rule"
)

// parameterWords are what agents call the parameters of assent's tools, beside assent's own names: "name";
// "name=value", where that value means true and others nothing; and "list/name" for every element
// of a list. Letter case and underscores do not matter.
func parameterWords(tool string) []spoken {
	switch tool {
	case "Agent":
		return agentWords[:]
	case "Bash":
		return bashWords[:]
	case "Edit":
		return editWords[:]
	case "Glob":
		return globWords[:]
	case "Grep":
		return grepWords[:]
	case "NotebookEdit":
		return notebookEditWords[:]
	case "Read":
		return readWords[:]
	case "TodoWrite":
		return todoWriteWords[:]
	case "WebSearch":
		return webSearchWords[:]
	case "Write":
		return writeWords[:]
	}
	return nil
}

// spoken are a parameter and the words for it. Maps of them would be made at the start of each process.
type spoken struct{ parameter, words string }

var (
	agentWords = [...]spoken{
		{"prompt", "message items objective task instructions query"},
		{"subagent_type", "subagent_type agent_type subagentType agentType"},
		{"run_in_background", "is_background background detach async mode=async mode=background"},
		{"max_turns", "turns"},
		{"model", "model_name"},
	}
	bashWords = [...]spoken{
		{"command", "cmd"},
		{"timeout", "timeout_ms timeout_seconds"},
		{"description", "explanation"},
		{"run_in_background", "is_background background detach async mode=async mode=background"},
		{"dangerouslyDisableSandbox", "sandbox_permissions=require_escalated with_escalated_permissions required_permissions=all disable_sandbox"},
	}
	editWords = [...]spoken{
		{"old_string", "old_str old_text edits/old_string edits/old_str"},
		{"new_string", "new_str new_text insert_text edits/new_string edits/new_str"},
		{"replace_all", "allow_multiple edits/replace_all"},
	}
	globWords = [...]spoken{
		{"pattern", "glob_pattern"},
	}
	grepWords = [...]spoken{
		{"glob", "include include_pattern"},
		{"-A", "after"},
		{"-B", "before"},
		{"head_limit", "total_max_matches max_results"},
	}
	notebookEditWords = [...]spoken{
		{"new_source", "new_string new_str"},
	}
	readWords = [...]spoken{
		{"offset", "start_line"},
		{"pages", "page_range"},
	}
	todoWriteWords = [...]spoken{
		{"todos", "plan items"},
	}
	webSearchWords = [...]spoken{
		{"query", "search_term"},
		{"allowed_domains", "domains"},
	}
	writeWords = [...]spoken{
		{"content", "contents file_text"},
	}
)

// otherWords are what agents say to a tool that is about none of its parameters. A name that is in neither
// list may be about any.
func otherWords(tool string) string {
	switch tool {
	case "Agent":
		return "attachments fork_context readonly reasoning_effort explanation"
	case "Bash":
		return "initial_wait initial_wait_seconds justification login max_output_tokens prefix_rule shell_id tty yield_time_ms session_id block_until_ms"
	case "Edit":
		return "command expected_replacements explanation insert_line instruction edits"
	case "Glob":
		return "case_sensitive respect_git_ignore respect_gemini_ignore explanation"
	case "Grep":
		return "names_only max_matches_per_file fixed_strings no_ignore explanation exclude_pattern"
	case "Read":
		return "force_read_large_files explanation should_read_entire_file"
	case "WebFetch":
		return "max_length start_index raw explanation"
	case "WebSearch":
		return "explanation"
	case "Write":
		return "explanation command instruction"
	case "TodoWrite":
		return "explanation merge"
	}
	return ""
}

// wordsFor are all names of a parameter.
func wordsFor(tool, parameter string) []string {
	names := []string{parameter}
	for _, s := range parameterWords(tool) {
		if s.parameter == parameter {
			names = append(names, strings.Fields(s.words)...)
		}
	}
	return names
}

func sameName(a, b string) bool {
	return a == b || strings.EqualFold(strings.ReplaceAll(a, "_", ""), strings.ReplaceAll(b, "_", ""))
}

// said adds to calls what the agent has said about them besides, for rules on parameters. An
// input of assent's words has only what its own judgement needs. own: the agent speaks in them, so that
// a name nobody knows is about no other parameter.
func (a *arguments) said(calls []Call, own bool) []Call {
	names := sortedNames(a.named)
	for i := range calls {
		if c := &calls[i]; !c.AnyServer && !c.Foreign && !isMCP(c.Tool) {
			a.addSaid(c, names, own)
		}
	}
	return calls
}

// addSaid adds the input as the agent wrote it, and what assent understands of it under its own names.
func (a *arguments) addSaid(c *Call, names []string, own bool) {
	var judged map[string]strictjson.Raw
	if strictjson.Unmarshal(c.Input, &judged) != nil {
		return
	}
	parameters, _ := rule.Parameters(c.Tool)
	if own && a.saysAll(c, judged, parameters) {
		c.Said = a.raw
		return
	}
	all := maps.Clone(a.named)
	for _, name := range parameters {
		if value := a.valueOf(c.Tool, name, names); value != nil {
			all[name] = value
		}
	}
	maps.Copy(all, c.texts)
	for name, value := range judged {
		if !all.has(name) && name != "glob" && string(value) != `""` { // which only fill a place
			all[name] = value
		}
	}
	c.Said = marshal(map[string]strictjson.Raw(all))
	if !c.Guess && (c.textsElsewhere || !own && a.unknownWord(c.Tool, parameters, names)) {
		for _, name := range parameters {
			if !all.has(name) {
				all[name] = strictjson.Raw("[]") // which may be any value
			}
		}
		c.Unsure = marshal(map[string]strictjson.Raw(all))
	}
}

// saysAll is the quick answer for most calls of an agent that speaks in assent's words: its input has all
// that is judged, and no name in it may be another one for a parameter.
func (a *arguments) saysAll(c *Call, judged map[string]strictjson.Raw, parameters []string) bool {
	if c.texts != nil || c.textsElsewhere {
		return false
	}
	for name := range a.named {
		for _, s := range parameterWords(c.Tool) {
			if strings.Contains(s.words, name) {
				return false
			}
		}
		if !slices.Contains(parameters, name) {
			return false
		}
	}
	for name := range judged {
		if !a.named.has(name) {
			return false
		}
	}
	return true
}

// valueOf is what the agent says about a parameter, under any name; all of it where it says so more
// than once.
func (a *arguments) valueOf(tool, parameter string, names []string) strictjson.Raw {
	var values []strictjson.Raw
	for _, word := range wordsFor(tool, parameter) {
		word, want, meant := strings.Cut(word, "=")
		list, inner, nested := strings.Cut(word, "/")
		for _, name := range names {
			value := a.named[name]
			switch {
			case !a.named.has(name) || !sameName(name, list):
			case nested:
				values = append(values, membersOf(value, inner)...)
			case !meant:
				values = append(values, value)
			case slices.Contains(textsOf(value), want):
				values = append(values, strictjson.Raw("true"))
			}
		}
	}
	switch len(values) {
	case 0:
		return nil
	case 1:
		return values[0]
	}
	return marshal(values)
}

// membersOf are the values of a property in all elements of a list.
func membersOf(list strictjson.Raw, property string) (all []strictjson.Raw) {
	root, err := strictjson.Tree(list)
	if err != nil {
		return nil
	}
	for n := range root.Elements() {
		for _, m := range n.Members() {
			if sameName(m.Name.Text(), property) {
				all = append(all, strictjson.Raw(m.Value.Raw()))
			}
		}
	}
	return all
}

// textsOf is a text, or a list of them.
func textsOf(raw strictjson.Raw) []string {
	var one string
	if strictjson.Unmarshal(raw, &one) == nil {
		return []string{one}
	}
	var many []string
	if strictjson.Unmarshal(raw, &many) != nil {
		return nil
	}
	return many
}

// unknownWord: the agent says something under a name that may be about any parameter.
func (a *arguments) unknownWord(tool string, parameters, names []string) bool {
	known := strings.Fields(otherWords(tool))
	for _, parameter := range parameters {
		for _, word := range wordsFor(tool, parameter) {
			word, _, _ = strings.Cut(word, "=")
			known = append(known, word)
		}
	}
	for _, name := range names {
		switch string(a.named[name]) {
		case "null", "false", `""`, "[]", "{}":
			continue
		}
		if !slices.Contains(a.asked, name) && !slices.ContainsFunc(known, func(word string) bool { return sameName(word, name) }) {
			return true
		}
	}
	return false
}
