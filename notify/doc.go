// Package notify tells people elsewhere that a call waits for them.
//
// [Parse] reads the targets that settings name: a webhook, a channel of Slack, a topic of ntfy,
// a mailbox. [Sender.Send] brings one [Message] to one [Target] and says what came of it, an
// [Outcome]. It tries once. Who calls it keeps what is still to be sent, and tries again when
// the outcome says so; the message keeps its ID then, so that a receiver can tell.
//
// Whoever can write settings could make assent talk to what only its machine can reach. So the
// address that is really dialled is judged, after the name was looked up: see [Target]. Nothing
// that is a secret stands in settings, in an outcome or in an error.
package notify
