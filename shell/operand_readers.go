package shell

import "strings"

// operandReaders are test runners, checkers and clients that read the files among their
// operands. Their options may write others, so they are in no table of programs that only
// read.
var operandReaders = wordSet{list: "pytest nose2 jest vitest mocha ava tap karma cypress playwright rspec phpunit bats " +
	"mypy pyright pylint flake8 pycodestyle pydocstyle bandit semgrep golangci-lint staticcheck tsc vue-tsc cloc tokei scc gitleaks trivy " +
	"kubectl gh ansible-lint tflint kubeconform conftest"}

// taskRunners do what their first words say.
var taskRunners = wordSet{list: "npm yarn pnpm bun deno make gmake just task cargo go dotnet mvn gradle tox nox uv poetry pipenv bundle rake composer"}

// checkingTasks are words by which such a runner tests or checks files.
var checkingTasks = wordSet{list: "test tests vet lint check typecheck type-check clippy bench"}

// MayWrite reports whether the program, of which nothing else is known, may write a file that
// a word at a place names. A plain word says what a runner of tasks does.
func (c *Command) MayWrite(word string, span Span) bool {
	program := c.Program()
	if unversioned(program) == "python" && len(c.Words) > 2 && c.Words[1].Text == "-m" {
		program = c.Words[2].Text
	}
	switch {
	case operandReaders.has(program):
		return c.mayBeWritten(span)
	case !taskRunners.has(program):
		return !c.knowledge().subcommands || strings.ContainsAny(word, "./")
	case !strings.ContainsAny(word, "./"):
		return false
	}
	for _, task := range c.Words[1:min(len(c.Words), 4)] {
		if checkingTasks.has(task.Text) {
			return c.mayBeWritten(span)
		}
	}
	return true
}
