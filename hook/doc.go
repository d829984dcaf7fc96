// Package hook runs the hooks that people put around an agent's work: at fixed
// moments (an [Event]) every hook that matches is told what happens and may answer.
//
// [Parse] turns the hooks of a settings file into [Entry] values, [NewRunner] makes
// a [Runner] of them, and [Runner.Run] tells all that match one [Occasion], side by
// side, and merges what they say into one [Verdict]. [Pipeline] is the way of a tool
// call through validation, PreToolUse hooks and the rules.
//
// A hook is a shell command, a program with arguments, an HTTP endpoint, a Go
// function or a callback of a host that drives the agent: each is a [Handler].
//
// The promise: a PreToolUse hook that does not work never lets a call through. It
// crashed, timed out, could not start or said something that cannot be understood:
// the call is denied with a reason that starts with "hook broken" and names the
// hook. At all other events a broken hook is reported and the work goes on. Whatever
// was ignored, changed or refused is in the [Run] of that hook.
package hook
