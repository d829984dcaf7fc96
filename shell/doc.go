// Package shell says what a bash command would do, without running it.
//
// Start with [Parse]. It reads the text once with a real bash grammar and
// returns a [Script]: every simple command that bash, or a program bash starts,
// would run, through wrappers, substitutions, `sh -c`, eval, find -exec and
// xargs. Three questions are answered on that one tree: which commands run
// ([Script.Commands]), does it only read ([Script.ReadOnly]), is it dangerous
// ([Script.Danger]); besides, [Script.Accesses] lists the paths it names.
//
//	s := shell.Parse(`timeout 5 git log | sh`)
//	s.Commands[1].Text() // "git log"
//	s.ReadOnly()         // not: the shell runs what it is fed
//
// The promise: when in doubt the answer is the strict one. Text that bash would
// not parse, that is too large or too deep, or that holds control characters
// has a [Problem] and must never be allowed; the commands read so far are still
// listed, so that a deny rule can fire on them.
//
// The package is pure: no files, no environment, no clock. It never looks at the
// raw text again after parsing, except to refuse it.
package shell
