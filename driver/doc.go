// Package driver starts a program that speaks the control protocol, assent or another
// agent, and drives it: it is the host's end of what package wire is the agent's end of.
//
// [Start] starts the program and tells it which hooks and tools there are here;
// [Driver.Prompt] gives it work; what it says goes to Options.Tell, and what it asks is
// answered by the functions of [Options]. [Driver.Close] ends it, and nothing of it is
// left afterwards.
//
// The promises: what is asked and cannot be answered, because a function failed, panicked
// or took too long, is refused. A program that dies, prints nonsense, says nothing or
// does not want to end is an [*ExitError], and never a hang. Whatever is waited for ends
// with its context.
package driver
