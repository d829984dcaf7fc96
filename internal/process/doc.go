// Package process runs commands that end as a whole: a [Group] is a process and all
// that it starts, and what they print is read without ever waiting for those who hold
// it open.
//
// Start with [Start]. The promise: after [Group.Release] everything of the group was
// killed, its main process was waited for, and no signal went to a stranger who got its
// number. A process that leaves the group (setsid) or belongs to another user is out of
// reach; [Group.Survived] tells of those that can be seen.
//
// What to wait for and how long is the business of the caller: a command of the Bash
// tool ends with its call, while a hook may say in its first line that it goes on, and
// nobody waits for one that prints without an end.
package process
