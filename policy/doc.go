// Package policy answers the questions people have about their rules: what is
// decided for this call and why ([Checker.Judge], [Judgement.Explain]), what would
// change that ([Judgement.Flips]), which rules do not mean what they seem to
// ([Lint]), and does the policy still say what we agreed on ([RunTests]).
//
// Start with a [Checker]: it finds the rules that hold in a directory, or takes
// given ones, and judges calls without running them.
//
// What programs exchange with the command line is written down here as Go types,
// and the names of their keys are part of the interface:
//
//   - reply.go: a decision, the answer of `assent check --json`
//   - line.go: a line of `assent check --jsonl` and its answer
//   - shellreport.go: `assent shell`, with --json and --jsonl
//   - explain.go and parts.go: `assent explain --json`
//   - lint.go: a finding of `assent lint --json`
//   - testfile.go and testrun.go: test files, and the results of `assent test --json`
//   - permissions.go: permissions in a line or a test file
//
// The promise: nothing here decides. Every answer comes from the permission
// engine that the runtime uses, and every flip was tried out on it before it is
// stated.
package policy
