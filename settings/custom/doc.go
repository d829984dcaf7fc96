// Package custom reads what people keep beside their settings to save typing: commands,
// which are prompts in files, and agents, which are kinds of sub-agents.
//
// Start with [Read], or with [ReadBelow] for a directory that a stranger may have
// written; [Called] takes a prompt apart, [Command.Expand] makes one. [ReadFlag] reads
// agents of a command line.
//
// The promises: only regular files of a limited size are read, no link leads out of the
// directory, and a file that is not understood completely is a [Fault] with its line, and
// never half a command. The package decides nothing about trust; see package settings.
package custom
