// Package agent is the loop: it asks the model, puts every tool call through the
// pipeline, runs what is allowed and tells the model what came of it.
//
// [New] makes an [Agent] from a [Config]; [Agent.Start] begins the session,
// [Agent.Prompt] works off one prompt and returns its result, [Agent.Close] ends the
// session. While a prompt is worked off, another goroutine may call
// [Agent.Interrupt], [Agent.SetMode], [Agent.SetModel] and [Agent.Rebase].
//
// What happens is told as messages of package wire, in the order in which it
// happens, to Config.Emit. Everything that has to survive the process is in the
// transcript before the next step is taken; every decision is in the audit log
// before anything runs. If one of them cannot be written the agent stops: what is
// not on record does not happen.
package agent
