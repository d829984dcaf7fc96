// Package metrics says in figures how the calls that wait are doing, in the format of
// Prometheus: how many there are, how long people take, what became of them, and whether the
// database answers.
//
// No label says anything about a call, a person or a place: every label has a few values that
// stand in this package. What all processes share (tickets, answers) each of them counts, so
// figures of several processes are compared, and not added up; what a process does itself (runs)
// is its own.
package metrics
