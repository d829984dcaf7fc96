package architecture

import (
	"fmt"
	"slices"
	"strings"
)

const module = "github.com/assent-dev/assent"

// layers are the rows of the house, lowest first. A package may import what
// stands in a lower row. A sub-package stands where its first element does; "."
// is the root package.
var layers = [][]string{
	{"shell"},
	{"rule"},
	{"permission"},
	{"hook", "tool", "mcp", "model", "settings"},
	{"wire", "session", "audit", "dialect", "policy", "classify"},
	{"agent", "approval", "depot", "people", "notify", "link", "guard", "driver"},
	{".", "desk", "clerk", "metrics", "alarm", "oidc"},
	{"crew", "herald"},
	{"inbox"},
	{"cmd", "scripts", "examples"},
}

// neighbours are imports inside one row that are meant to be.
var neighbours = map[string][]string{
	"mcp":    {"tool"},     // what a server offers is a tool like any other
	"policy": {"classify"}, // an explanation of auto mode says what the classifier says
	".":      {"desk"},     // a session of a Go program parks its calls like any other
	"people": {"approval"}, // people/voice says whose yes counts, wherever votes are counted and calls begin
}

// separate are imports that the rows would permit and the plan does not.
var separate = map[string]map[string]string{
	"inbox":  {"agent": "the inbox must be able to live elsewhere: it records the answer, a worker resumes"},
	"crew":   {"agent": "whoever employs it says how a session goes on: it only says when"},
	"herald": {"agent": "it says that a session can go on, and a crew lets it"},
	"clerk":  {"agent": "people answer where no agent runs: the inbox is built on it"},
}

// ground may be imported by everything and imports nothing of ours, but for what stands in
// foundations.
var ground = []string{"internal/strictjson", "internal/durable", "internal/chain", "internal/process", "internal/crashpoint", "internal/account", "internal/secret", "internal/ansi", "internal/heap", "internal/database", "internal/room", "internal/testdisk", "internal/testpostgres", "internal/testlimit", "internal/architecture"}

// foundations are imports inside the ground that are meant to be.
var foundations = map[string][]string{
	"internal/database": {"internal/durable"}, // a database in a file holds on to that file
	"internal/secret":   {"internal/durable"}, // a file is opened without waiting for whoever writes it
}

// importers says who may import what comes from outside. What is not listed is
// free. A path stands for everything below it, too.
var importers = map[string]struct {
	allowed []string
	reason  string
}{
	"github.com/go-json-experiment/json": {
		[]string{"internal/strictjson"}, "one place changes when the codec moves into the standard library",
	},
	"encoding/json": {
		[]string{"examples"}, "it takes the last of two keys and folds their case; use internal/strictjson",
	},
	"mvdan.cc/sh": {
		[]string{"shell"}, "one package understands bash",
	},
	"github.com/tailscale/hujson": {
		[]string{"settings"}, "one package reads settings files",
	},
	"github.com/spf13/cobra": {
		[]string{"cmd"}, "flags are the command's business",
	},
	"github.com/anthropics/anthropic-sdk-go": {
		[]string{"model/anthropic"}, "one package talks to that provider",
	},
	"github.com/sashabaranov/go-openai": {
		[]string{"model/openai"}, "one package talks to that provider",
	},
	"go.yaml.in/yaml": {
		[]string{"model/script"}, "only scripts of models are YAML",
	},
	"modernc.org/sqlite": {
		[]string{"internal/database"}, "one package knows how tables are kept",
	},
	"github.com/jackc/pgx": {
		[]string{"internal/database", "internal/testpostgres", "alarm"}, "one package knows how tables are kept; bells are set in its transactions",
	},
	"github.com/riverqueue": {
		[]string{"alarm"}, "one package knows how bells are kept",
	},
	"github.com/santhosh-tekuri/jsonschema": {
		nil, "it costs every process milliseconds at start; tests may use it",
	},
}

// impure are standard packages that reach outside of the process or the moment.
var impure = []string{
	"os", "net", "io/fs", "io/ioutil", "path/filepath", "syscall", "time", "crypto/rand", "math/rand", "log", "plugin", "unsafe",
}

// harmless are packages below impure ones that only work on text.
var harmless = []string{"net/url", "net/netip"}

// pure packages take values and return values; each lists its exceptions.
var pure = map[string][]string{
	"shell":      nil,
	"rule":       nil,
	"permission": {"time"}, // limits for the candidates that race for an answer
	"dialect":    nil,
}

// pkg is what `go list` says about one package.
type pkg struct {
	ImportPath string
	Imports    []string
}

// local is the path inside the module, "." for the root; ok is false for other
// modules.
func local(path string) (string, bool) {
	if path == module {
		return ".", true
	}
	return strings.CutPrefix(path, module+"/")
}

// place is the name under which a local package stands in the plan.
func place(path string) string {
	if slices.Contains(ground, path) {
		return path
	}
	first, _, _ := strings.Cut(path, "/")
	return first
}

func row(name string) (int, bool) {
	i := slices.IndexFunc(layers, func(names []string) bool { return slices.Contains(names, name) })
	return i, i >= 0
}

// within reports whether path is parent or lies below it.
func within(path, parent string) bool {
	return path == parent || strings.HasPrefix(path, parent+"/")
}

// violations lists every crossing of the plan, one sentence each.
func violations(packages []pkg) []string {
	var found []string
	for _, p := range packages {
		from, _ := local(p.ImportPath)
		name := place(from)
		if _, placed := row(name); !placed && !slices.Contains(ground, name) {
			found = append(found, fmt.Sprintf("%s has no place in the plan: add it to a row of layers", from))
			continue
		}
		for _, path := range p.Imports {
			crossing := crossesOutside(from, path)
			if to, ok := local(path); ok {
				crossing = crossesInside(name, place(to))
			}
			if crossing != "" {
				found = append(found, fmt.Sprintf("%s imports %s: %s", from, path, crossing))
			}
		}
	}
	return found
}

// crossesInside judges an import of one of our packages.
func crossesInside(from, to string) string {
	if from == to {
		return ""
	}
	if slices.Contains(foundations[from], to) {
		return ""
	}
	if slices.Contains(ground, from) {
		return "the ground imports nothing of ours"
	}
	if slices.Contains(ground, to) {
		return ""
	}
	if reason, ok := separate[from][to]; ok {
		return reason
	}
	below, _ := row(to)
	here, _ := row(from)
	switch {
	case below < here:
		return ""
	case below == here && slices.Contains(neighbours[from], to):
		return ""
	case below == here:
		return "packages of one row do not know each other"
	default:
		return "imports only point downward"
	}
}

// crossesOutside judges an import from another module or the standard library.
func crossesOutside(from, path string) string {
	for outside, rule := range importers {
		if within(path, outside) && !slices.ContainsFunc(rule.allowed, func(a string) bool { return within(from, a) }) {
			return rule.reason
		}
	}
	for name, exceptions := range pure {
		if within(from, name) && !slices.Contains(exceptions, path) && !slices.Contains(harmless, path) &&
			slices.ContainsFunc(impure, func(i string) bool { return within(path, i) }) {
			return name + " is pure: no files, clock or network"
		}
	}
	return ""
}
