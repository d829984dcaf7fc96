package assent_test

import (
	"fmt"
	"go/doc"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
)

// sdkGuide is the page about this package.
const sdkGuide = "docs/sdk.md"

func page(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash(path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestK4_EveryExample that people know from the TypeScript SDK's reference exists here and
// is run, and so does every way of a call that is deferred.
func TestK4_EveryExample(t *testing.T) {
	listed := listedExamples(t)
	for _, what := range []string{
		// hooks
		"PreToolUse: block dangerous commands", "PostToolUse: log how tools are used", "UserPromptSubmit: add context",
		"SessionStart: prepare a session", "PreCompact: archive the conversation", "several hooks with matchers",
		// permissions
		"a handler of one's own", "permissions by directory", "log what is asked and answered", "approval in several stages", "switch the mode",
		// patterns
		"permissions by environment", "permissions by role", "permissions by content: critical files", "a person's answers that last",
		// more
		"a hook under a condition: business hours", "a cache of decisions", "an asynchronous hook", "hooks and answers together",
		// calls that wait
		"park a call, approve it, go on", "defer again, then deny", "a question that waits for its answer",
	} {
		if listed[what] == "" {
			t.Errorf("%s has no row for %q", sdkGuide, what)
		}
	}

	files, run := examples(t)
	for name, file := range files {
		if link := fmt.Sprintf("[%s](../%s)", name, file); !slices.Contains(slices.Collect(maps.Values(listed)), link) {
			t.Errorf("%s has no row with %s", sdkGuide, link)
		}
		if !run[name] {
			t.Errorf("%s is not run: an example needs an output", name)
		}
	}
	for what, link := range listed {
		name, _, _ := strings.Cut(strings.TrimPrefix(link, "["), "]")
		if files[name] == "" {
			t.Errorf("%s: %q: there is no %s", sdkGuide, what, name)
		}
	}
}

// TestK4_EveryAnswer that a function can give is in an example that runs, and so are the
// options that people know from the examples of the TypeScript SDK.
func TestK4_EveryAnswer(t *testing.T) {
	names := []string{"AddDirs", "On", "Hooks", "CanUseTool", "PermissionMode", "Allow", "Deny"}
	scope := loaded(t).packages[module].Scope()
	for _, name := range scope.Names() {
		if f, ok := scope.Lookup(name).(*types.Func); ok && f.Exported() && strings.HasPrefix(types.TypeString(f.Signature().Results().At(0).Type(), (*types.Package).Name), "assent.Answer") {
			names = append(names, name)
		}
	}
	if len(names) < 13 {
		t.Errorf("only %q", names)
	}
	paths, err := filepath.Glob("example*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var text string
	for _, path := range paths {
		text += page(t, path)
	}
	for _, name := range names {
		if !strings.Contains(text, "assent."+name+"(") {
			t.Errorf("no example has assent.%s", name)
		}
	}
}

// Whoever copies the snippet that approves what waits must not approve the calls of others.
func TestSDKGuide_ApprovesOnlyItsOwn(t *testing.T) {
	for _, query := range regexp.MustCompile(`approval\.Query\{.*`).FindAllString(page(t, sdkGuide), -1) {
		if !strings.Contains(query, "Session: ") {
			t.Errorf("it lists the tickets of every session: %s", query)
		}
	}
}

// listedExamples are the links of the guide by what they show.
func listedExamples(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, row := range regexp.MustCompile(`(?m)^\| (.+) \| (\[Example\w*\]\(\S+\)) \|$`).FindAllStringSubmatch(page(t, sdkGuide), -1) {
		found[row[1]] = row[2]
	}
	return found
}

// examples are those of this package: in which file, and whether it is run.
func examples(t *testing.T) (files map[string]string, run map[string]bool) {
	t.Helper()
	paths, err := filepath.Glob("example*_test.go")
	if err != nil || len(paths) < 5 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	files, run = map[string]string{}, map[string]bool{}
	for _, path := range paths {
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range doc.Examples(parsed) {
			name := "Example" + e.Name
			files[name], run[name] = path, e.Output != "" || e.EmptyOutput
			if e.Doc == "" {
				t.Errorf("%s does not say what it shows", name)
			}
		}
	}
	return files, run
}

// The guide tells of every option, and of nothing that is not there.
func TestSDKGuide_NamesWhatIsThere(t *testing.T) {
	words := map[string]int{}
	for _, word := range regexp.MustCompile(`\bassent\.([A-Z]\w*)`).FindAllStringSubmatch(page(t, sdkGuide), -1) {
		words[word[1]]++
	}
	if len(words) < 50 {
		t.Errorf("it names only %d things", len(words))
	}
	scope := loaded(t).packages[module].Scope()
	for _, name := range scope.Names() {
		f, ok := scope.Lookup(name).(*types.Func)
		if !ok || !f.Exported() || f.Signature().Results().Len() != 1 {
			continue
		}
		if result, ok := f.Signature().Results().At(0).Type().(*types.Named); ok && result.Obj().Name() == "Option" && words[name] == 0 {
			t.Errorf("%s says nothing of assent.%s", sdkGuide, name)
		}
	}
	for word := range words {
		if scope.Lookup(word) == nil {
			t.Errorf("%s speaks of assent.%s, which is not there", sdkGuide, word)
		}
	}
}

// The links of the pages about Go lead somewhere.
func TestSDKGuide_Links(t *testing.T) {
	pages, err := filepath.Glob("examples/*/README.md")
	if err != nil || len(pages) < 4 {
		t.Fatalf("%q, %v", pages, err)
	}
	checked := 0
	link := regexp.MustCompile(`\]\(([^)#\s]*)(#[^)\s]*)?\)`)
	for _, path := range append(pages, sdkGuide, "docs/start-go.md", "examples/README.md") {
		text := page(t, path)
		for _, to := range link.FindAllStringSubmatch(text, -1) {
			checked++
			if strings.HasPrefix(to[1], "https://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), filepath.FromSlash(to[1]))); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			if to[1] == "" && !slices.Contains(headings(text), to[2]) {
				t.Errorf("%s has no heading for %s", path, to[2])
			}
		}
	}
	if checked < 50 {
		t.Errorf("the pages have only %d links", checked)
	}
}

// headings are those of a page, as links name them.
func headings(text string) []string {
	var all []string
	for _, line := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1) {
		all = append(all, "#"+strings.ReplaceAll(strings.ToLower(line[1]), " ", "-"))
	}
	return all
}

// docsPrelude is what the snippets of the pages take for granted.
const docsPrelude = `package %s

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/model/script"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/settings"
	"github.com/assent-dev/assent/settings/oslinks"
	"github.com/assent-dev/assent/tool"
)

var (
	_ = json.Valid
	_ = errors.New
	_ = fmt.Sprint
	_ = strings.Cut
	_ time.Time
	_ = approval.Open
	_ hook.Event
	_ mcp.Answer
	_ = script.New
	_ permission.Mode
	_ policy.Query
	_ rule.Source
	_ settings.Options
	_ oslinks.Links
	_ = tool.NewSet

	ctx                     context.Context
	id, dir, home, stateDir string
	decide, later, noForce  assent.Option
	answer                  func() string
	save                    func(string)
)

func use(...any) error { return nil }
`

// TestSDKGuide_Compiles: whoever copies Go code from a page gets something that works. A
// block that starts with a package clause is a program, any other one the body of a
// function.
func TestSDKGuide_Compiles(t *testing.T) {
	pages, err := filepath.Glob("docs/*.md")
	if err != nil || len(pages) < 9 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{} // packages that are there for the compiler only
	args := []string{"build", "-overlay", filepath.Join(t.TempDir(), "overlay.json"), "-trimpath", "-ldflags=-s -w"}
	blocks := 0
	for _, path := range append(pages, "README.md") {
		for i, code := range goPackages(page(t, path), path) {
			name := fmt.Sprintf("snippets_%s_%d", regexp.MustCompile(`\W`).ReplaceAllString(path, "_"), i)
			file := filepath.Join(t.TempDir(), "snippets.go")
			put(t, file, strings.Replace(code, "%s", name, 1))
			replace[filepath.Join(here, "internal", name, "snippets.go")] = file
			args = append(args, "./internal/"+name)
			blocks += strings.Count(code, "//line ")
		}
	}
	if blocks < 15 {
		t.Errorf("the pages have only %d blocks", blocks)
	}
	overlay, err := strictjson.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	put(t, args[2], string(overlay))
	build := exec.CommandContext(t.Context(), "go", args...)
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as `make build` does it, or all of it would be compiled twice
	if said, err := build.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}

// goPackages makes packages of the Go blocks of a page: one of each program, and one of all
// that are not. Their name is still to be filled in.
func goPackages(text, path string) []string {
	var programs []string
	bodies := docsPrelude
	line, start := 0, 0
	block, open := "", false
	for l := range strings.Lines(text) {
		line++
		switch fence := strings.TrimRight(l, "\n"); {
		case !open && fence == "```go":
			block, start, open = "", line+1, true
		case open && fence == "```":
			open = false
			at := fmt.Sprintf("//line %s:%d\n", path, start)
			if program, ok := strings.CutPrefix(block, "package main\n"); ok {
				programs = append(programs, "package %s\n"+fmt.Sprintf("//line %s:%d\n", path, start+1)+program)
				continue
			}
			bodies += fmt.Sprintf("\nfunc _() error {\n%s%s\treturn use(%s)\n}\n", at, block, strings.Join(declared(block), ", "))
		case open:
			block += l
		}
	}
	if bodies != docsPrelude {
		programs = append(programs, bodies)
	}
	return programs
}

// TestSDKGuide_SeesABrokenSnippet: what does not compile is found, whichever form it has.
func TestSDKGuide_SeesABrokenSnippet(t *testing.T) {
	const text = "```go\nx := 1\n```\n\n```go\npackage main\n\nfunc main() {}\n```\n"
	all := goPackages(text, "a.md")
	if len(all) != 2 || !strings.Contains(all[1], "//line a.md:2\nx := 1\n\treturn use(x)") || !strings.HasPrefix(all[0], "package %s\n//line a.md:7\n") {
		t.Errorf("%q", all)
	}
	for _, code := range all {
		if _, err := parser.ParseFile(token.NewFileSet(), "", strings.Replace(code, "%s", "p", 1), 0); err != nil {
			t.Error(err)
		}
	}
	if all := goPackages("```json\n{}\n```\n", "a.md"); len(all) != 0 {
		t.Errorf("%q", all)
	}
}
