package shell

import (
	"strings"
	"sync"
	"sync/atomic"
)

// knowledge is what the tables say about a program, gathered under its name so that
// a command needs one look-up however many questions are asked about it.
type knowledge struct {
	// wrapper is the syntax of a program that runs its arguments, nil for others.
	wrapper *wrapper
	// running says which of its options name something that it runs.
	running *running
	// subcommands: options may stand before a subcommand and must not hide it.
	subcommands bool
	// spec says which words are paths.
	spec *spec
	// danger judges it, if it can be dangerous.
	danger detectors
	// verbs are its subcommands that destroy something.
	verbs []verbRule
	// reader is set when its options are all there is to know about whether it only reads.
	reader *optionSpec
	// version are the arguments with which it only prints its version; "" if none.
	version string
}

// remembered is what has been asked before: looking a program up in all the tables
// takes microseconds. Names are bounded because texts may hold any.
var remembered struct {
	programs sync.Map // string to *knowledge
	count    atomic.Int32
}

const mostRemembered = 8192

// unfamiliar is a program that is in no table.
var unfamiliar = &knowledge{spec: unlisted}

// about is what is known about a program.
func about(program string) *knowledge {
	if program == "" {
		return unfamiliar
	}
	if k, ok := remembered.programs.Load(program); ok {
		return k.(*knowledge)
	}
	k := lookUp(program)
	if remembered.count.Load() < mostRemembered {
		if _, had := remembered.programs.LoadOrStore(strings.Clone(program), k); !had {
			remembered.count.Add(1)
		}
	}
	return k
}

func lookUp(program string) *knowledge {
	k := knowledge{
		wrapper:     wrapperOf(program),
		running:     runningOf(program),
		subcommands: subcommandPrograms.has(program),
		spec:        specOf(program),
		danger:      dangersOf(program),
		verbs:       toolRules(program),
		reader:      readerOf(program),
		version:     versionOf(program),
	}
	if k.verbs == nil {
		k.verbs = toolRules(unversioned(program))
	}
	if k.wrapper == nil && k.running == nil && !k.subcommands && k.spec == unlisted && len(k.danger.all) == 0 && k.reader == nil && k.version == "" {
		return unfamiliar
	}
	return &k
}

func readerOf(program string) *optionSpec {
	for _, table := range []optionTable{textReaders, fileReaders, searchers, systemReaders, shellReaders} {
		if spec := table.find(program); spec != nil {
			return spec
		}
	}
	return nil
}
