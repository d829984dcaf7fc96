// Package tool knows the built-in tools: their names, what their input must look
// like, and what family of tool the permission engine has to treat them as. It
// implements the engine's Tools and Tool.
//
// Start with [Builtin] and [NewSet]. [Definition.Decode] is the first stage of
// the pipeline: it reads the input strictly, checks it against the tool's JSON
// Schema and reports every problem at once, each with its place, because the
// model has to mend all of them and a person has to see what was wrong.
//
// The schemas stand in schema/, one file for each tool. They close every object:
// a property that no tool reads could still be read by somebody else.
//
// A schema is compiled when its tool is first used: the guard is a short-lived
// process that judges one call. For the same reason they are checked by the small
// validator in this package. A complete JSON Schema library spends several
// milliseconds when the process starts; the tests use one to prove that both
// agree.
package tool
