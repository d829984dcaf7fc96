package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// pages are the pages that people read, by their names from the top of the checkout.
func pages(t *testing.T) map[string]string {
	t.Helper()
	top := filepath.Join("..", "..")
	found := map[string]string{}
	for _, pattern := range []string{"README.md", "docs/*.md", "examples/*.md", "examples/*/README.md"} {
		files, err := filepath.Glob(filepath.Join(top, filepath.FromSlash(pattern)))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d pages, %v", pattern, len(files), err)
		}
		for _, file := range files {
			name, err := filepath.Rel(top, file)
			if err != nil {
				t.Fatal(err)
			}
			found[filepath.ToSlash(name)] = file
		}
	}
	return found
}

// Nothing on a page escapes the tests by the way it is written: commands and JSON stand in
// blocks that say so, and every block says what it is.
func TestDocumentation_Form(t *testing.T) {
	for name, file := range pages(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, complaint := range complaints(name, string(text)) {
			t.Error(complaint)
		}
	}
}

// onlyFiles are the languages of files: the commands of the page use them. A block in one of
// them that names no file would be read by nobody.
var onlyFiles = []string{"yaml", "sh", "js", "markdown", "make"}

// complaints say what would escape the tests on a page.
func complaints(page, text string) []string {
	var all []string
	complain := func(line int, format string, values ...any) {
		all = append(all, fmt.Sprintf("%s:%d: %s", page, line, fmt.Sprintf(format, values...)))
	}
	for _, part := range splitPage(text) {
		if !part.fenced {
			for i, line := range indented(part.body) {
				complain(part.line+i, "indented code: %q (put it between ``` lines)", line)
			}
			continue
		}
		language, file, isFile := strings.Cut(part.info, " ")
		switch {
		case isFile && strings.HasPrefix(page, "examples/"):
			complain(part.line, "%s is a file of the example: link to it", file)
		case isFile && language == "text" && path.Ext(file) == ".json" && checkSample(file, part.body) == nil:
			complain(part.line, "%s is JSON: say so", file)
		case isFile && (language == "text" || language == "json" || language == "go" || slices.Contains(onlyFiles, language)):
		case part.info == "sh" && page == "docs/api.md": // TestDocumentation_API
		case isFile || slices.Contains(onlyFiles, language):
			complain(part.line, "```%s: name the file behind the language, and nothing else", part.info)
		case language == "console":
			for i, line := range strings.Split(part.body, "\n") {
				if i == 0 && !strings.HasPrefix(line, "$ ") {
					complain(part.line+1, "a console begins with a command, \"$ …\", not with %q", line)
				}
			}
		case language == "text":
			if first, _, _ := strings.Cut(part.body, "\n"); looksLikeCode(first) {
				complain(part.line, "%q looks like a command or JSON and is called text", first)
			}
		case language == "terminal" && page == "docs/terminal.md": // TestTerminal_Documentation
		case language == "go" && strings.HasPrefix(page, "docs/"): // TestSDKGuide_Compiles
		case language == "json":
		default:
			complain(part.line, "no test knows what ```%s is", part.info)
		}
		if part.open {
			complain(part.line, "the block has no end")
		}
	}
	return all
}

// indented are the lines that begin what Markdown takes for code without a fence, or with
// one that is not at the beginning of its line. They are numbered from 0.
func indented(text string) map[int]string {
	found := map[int]string{}
	before, inside := "", false
	for i, line := range strings.Split(text, "\n") {
		words := strings.TrimLeft(line, " \t")
		deep := len(line)-len(words) >= 4 || strings.HasPrefix(line, "\t")
		switch {
		case strings.HasPrefix(words, "```") || strings.HasPrefix(words, "~~~"):
			found[i] = line
		case words == "":
		case deep && !inside && before == "":
			found[i], inside = line, true
		case !deep:
			inside = false
		}
		before = words
	}
	return found
}

// programs are those that the pages call.
var programs = []string{"api", "assent", "assent-hook", "bash", "cat", "cd", "curl", "echo", "export", "git", "go", "make", "node", "npm", "sh"}

func looksLikeCode(line string) bool {
	word, _, _ := strings.Cut(line, " ")
	name, _, assigns := strings.Cut(word, "=")
	return assigns && name == strings.ToUpper(name) || strings.HasPrefix(line, "$ ") || strings.HasPrefix(line, "{") || strings.HasPrefix(word, "./") || slices.Contains(programs, word)
}

func TestDocumentation_NothingEscapes(t *testing.T) {
	for _, c := range []struct {
		name, page, text, wants string
	}{
		{"plain text", "docs/a.md", "# A\n\ntext\n- list\n  more\n\n  more\n", ""},
		{"a table that is indented a little", "docs/a.md", "\n   | a |\n", ""},
		{"an indented command", "docs/a.md", "Do\n\n    assent init\n", `docs/a.md:3: indented code: "    assent init"`},
		{"an indented sample", "docs/a.md", "\n\t{\"a\": tru}\n", "docs/a.md:2: indented code"},
		{"indented in a list", "docs/a.md", "- do\n\n      make test\n", "docs/a.md:3: indented code"},
		{"the second one", "docs/a.md", "\n    a\n\n    b\n\nc\n\n    d\n", "docs/a.md:8: indented code"},
		{"below a block", "docs/a.md", "```json\n{}\n```\n\n    make\n", "docs/a.md:5: indented code"},
		{"a fence in a list", "docs/a.md", "- do\n  ```sh\n  make\n  ```\n", "docs/a.md:2: indented code"},
		{"a fence of other signs", "docs/a.md", "~~~console\n$ false\n~~~\n", "docs/a.md:1: indented code"},
		{"a longer fence", "docs/a.md", "````console\n$ false\n````\n", "docs/a.md:1: no test knows what ```"},
		{"commands", "docs/a.md", "```console\n$ true\n```\n", ""},
		{"another word for commands", "docs/a.md", "```shell\n$ false\n```\n", "docs/a.md:1: no test knows what ```shell is"},
		{"no word at all", "docs/a.md", "```\n$ false\n```\n", "no test knows"},
		{"a sentence behind it", "docs/a.md", "```console if you like\n$ false\n```\n", "name the file"},
		{"a console that begins with an output", "docs/a.md", "```console\nfalse\n```\n", "begins with a command"},
		{"a script that nobody runs", "docs/a.md", "```sh\nfalse\n```\n", "name the file"},
		{"a script", "docs/a.md", "```sh hook\ntrue\n```\n", ""},
		{"a command that is called text", "docs/a.md", "```text\nassent lint\n```\n", "is called text"},
		{"an assignment that is called text", "docs/a.md", "```text\nBASE=http://127.0.0.1\n```\n", "is called text"},
		{"JSON that is called text", "docs/a.md", "```text\n{\"a\": tru}\n```\n", "is called text"},
		{"a file of JSON that is called text", "docs/a.md", "```text a.json\n{}\n```\n", "is JSON"},
		{"a broken file", "docs/a.md", "```text a.json\n{\n```\n", ""},
		{"text", "docs/a.md", "```text\nwhole: 5 records\n```\n", ""},
		{"Go where it is compiled", "docs/a.md", "```go\nx := 1\n```\n", ""},
		{"Go where it is not", "examples/a/README.md", "```go\nx := 1\n```\n", "no test knows"},
		{"a screen that nobody sees", "docs/a.md", "```terminal\n$ assent\n```\n", "no test knows"},
		{"a block without an end", "docs/a.md", "```json\n{}\n", "has no end"},
		{"a file of an example", "examples/a/README.md", "```json a.json\n{}\n```\n", "link to it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := strings.Join(complaints(c.page, c.text), "\n")
			if (c.wants == "") != (got == "") || !strings.Contains(got, c.wants) {
				t.Errorf("got %q, want %q", got, c.wants)
			}
		})
	}
}
