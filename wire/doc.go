// Package wire is how a host and assent talk over stdin and stdout: messages as
// lines of JSON, and the control protocol among them.
//
// A [Message] is something that happens in a session; an [Output] prints messages
// as text, as one JSON value, or line by line as they come. A [Host] is the other
// end of the control protocol: its prompts and answers, what assent asks it, and what
// it asks of assent.
//
// The promises: a host that reads slowly or not at all never keeps assent from
// reading what it says; a line that cannot be understood is an error with its
// place and never something else; no line makes assent use more memory than its
// limit.
package wire
