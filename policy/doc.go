// Package policy answers the questions people have about their rules: what is
// decided for this call and why ([Checker.Judge], [Judgement.Explain]), what would
// change that ([Judgement.Flips]), which rules do not mean what they seem to
// ([Lint]), and does the policy still say what we agreed on ([RunTests]).
//
// Start with a [Checker]: it finds the rules that hold in a directory, or takes
// given ones, and judges calls without running them.
//
// The promise: nothing here decides. Every answer comes from the permission
// engine that the runtime uses, and every flip was tried out on it before it is
// stated.
package policy
