package wire

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/mcp"
)

// Initialize is how a host begins: it says what it brings to the session. Fields that are
// not known are ignored.
type Initialize struct {
	// Hooks by event; each matcher names callbacks.
	Hooks map[string][]HookMatcher `json:"hooks"`
	// Servers are the names of MCP servers inside of the host, ServerConfigs what else is
	// to be known about some of them.
	Servers       []string                `json:"sdkMcpServers"`
	ServerConfigs map[string]ServerConfig `json:"sdkMcpServerConfigs"`
	// SystemPrompt replaces the instructions of the session, AppendSystemPrompt adds to
	// them. Nil or empty, they change nothing.
	SystemPrompt       *Instructions `json:"systemPrompt"`
	AppendSystemPrompt *Instructions `json:"appendSystemPrompt"`
	// Agents are kinds of sub-agents, an object by their name.
	Agents strictjson.Raw `json:"agents"`
	// JSONSchema is what the last answer should be an instance of.
	JSONSchema strictjson.Raw `json:"jsonSchema"`
	// SubagentText: also what sub-agents say is to be told, and not only what they do.
	SubagentText bool `json:"forwardSubagentText"`
	// WaitForPrompt: calls that wait are taken up with the first prompt, which may be empty.
	WaitForPrompt bool `json:"waitForPrompt"`
	// Plugins are to be loaded, which assent cannot.
	Plugins []strictjson.Raw `json:"plugins"`
}

// HookMatcher is one registration.
type HookMatcher struct {
	Matcher     string   `json:"matcher"`
	CallbackIDs []string `json:"hookCallbackIds"`
	// Timeout is how long a callback may take, in seconds; zero means the default.
	Timeout float64 `json:"timeout"`
	// OnFailure is "continue", "block" or nothing: what the failure of a callback means.
	OnFailure string `json:"onFailure"`
}

// ServerConfig is what a host wants of one of its servers.
type ServerConfig struct {
	Tools []ToolPolicy `json:"tools"`
}

// ToolPolicy is what a host says about a tool of its own server.
type ToolPolicy struct {
	Name   string `json:"name"`
	Policy string `json:"permission_policy"`
}

// Instructions is a text that hosts send as one string or as a list of them.
type Instructions string

// UnmarshalJSON reads either form.
func (i *Instructions) UnmarshalJSON(text []byte) error {
	var one string
	if err := strictjson.Unmarshal(text, &one); err == nil {
		*i = Instructions(one)
		return nil
	}
	var list []string
	if err := strictjson.Unmarshal(text, &list); err != nil {
		return errors.New("instructions are a text or a list of texts")
	}
	*i = Instructions(strings.Join(slices.DeleteFunc(list, func(s string) bool { return s == "" }), "\n\n"))
	return nil
}

// ReadInitialize reads the request of a host.
func ReadInitialize(r Request) (Initialize, error) {
	var request Initialize
	if err := strictjson.Unmarshal(r.Body, &request); err != nil {
		return request, misfit(err)
	}
	if len(request.JSONSchema) > 0 && string(request.JSONSchema) != "null" {
		return request, errors.New("jsonSchema: assent cannot hold a model to a schema (leave out the output format, and ask for JSON in the prompt)")
	}
	return request, nil
}

// Restrictions are the rules that a host makes for servers, mostly its own: deny and ask
// rules for their tools. What a host would allow that way does not count, as it would for
// nobody else; a policy that cannot be understood asks. Rules only restrict, so they hold
// for servers of any kind.
func (request Initialize) Restrictions() (deny, ask []string, err error) {
	var all mcp.Restrictions
	for _, server := range slices.Sorted(maps.Keys(request.ServerConfigs)) {
		for _, t := range request.ServerConfigs[server].Tools {
			if t.Name == "" {
				return nil, nil, fmt.Errorf("a tool policy of the server %s names no tool", server)
			}
			all.Add(server, t.Name, t.Policy)
		}
	}
	return all.Deny, all.Ask, nil
}
