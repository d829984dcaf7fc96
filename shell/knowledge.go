package shell

import (
	"maps"
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
	// judge says whether it only reads, if that takes more than its options.
	judge func(words []Word) Doubt
	// reader is set when its options are all there is to know about whether it only reads.
	reader *optionSpec
	// version are the arguments with which it only prints its version; "" if none.
	version string
	// taking is what it may do with its words besides.
	taking taking
}

// memory is what has been asked before: looking a program up in all the tables takes
// microseconds.
type memory struct {
	programs atomic.Pointer[map[string]*knowledge] // replaced by a larger one, never changed
	adding   sync.Mutex
}

var remembered memory

// mostRemembered bounds the names, because texts may hold any. Programs that are in no
// table take no more than half of it.
const mostRemembered = 2048

// unfamiliar is a program that is in no table.
var unfamiliar = &knowledge{spec: unlisted}

// about is what is known about a program.
func about(program string) *knowledge { return remembered.about(program) }

func (m *memory) about(program string) *knowledge {
	if program == "" {
		return unfamiliar
	}
	if programs := m.programs.Load(); programs != nil {
		if k := (*programs)[program]; k != nil {
			return k
		}
	}
	k := lookUp(program)
	m.add(program, k)
	return k
}

func (m *memory) add(program string, k *knowledge) {
	m.adding.Lock()
	defer m.adding.Unlock()
	var known map[string]*knowledge
	if programs := m.programs.Load(); programs != nil {
		known = *programs
	}
	if len(known) >= mostRemembered || k == unfamiliar && len(known) >= mostRemembered/2 {
		return
	}
	more := make(map[string]*knowledge, len(known)+1)
	maps.Copy(more, known)
	more[strings.Clone(program)] = k
	m.programs.Store(&more)
}

func lookUp(program string) *knowledge {
	k := knowledge{
		wrapper:     wrapperOf(program),
		running:     runningOf(program),
		subcommands: listed(subcommandPrograms, program),
		spec:        specOf(program),
		danger:      dangersOf(program),
		verbs:       toolRules(program),
		judge:       judgeOf(program),
		reader:      readerOf(program),
		version:     versionOf(program),
	}
	if plain := unversioned(program); k.verbs == nil && plain != program {
		k.verbs = toolRules(plain)
	}
	k.taking = k.takes(program)
	if k.taking == takesCommands && k.version == "" {
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
