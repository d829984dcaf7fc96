// Package classify answers for a person in auto mode: it approves or refuses calls
// that no rule settles.
//
// A [Classifier] gives a [Verdict] on a [Question]. There are two: [Builtin] judges
// by what a call would change, needs no model and is the default; [Model] asks a
// language model. [Candidate] lets one of them take part in the race for an answer,
// and a [Breaker] hands the questions back to the person when too much was refused.
//
// The promise: only an explicit approval lets a call through. An error, a panic, an
// answer that comes late or cannot be read is no answer. What needs a person
// (protected paths, the danger floor) is never approved here.
package classify
