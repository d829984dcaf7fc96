package shell

import (
	"strings"
	"sync"
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
	// reader is set when its options are all there is to know about whether it only reads.
	reader *optionSpec
}

// knowledgeTable is filled at the first use: detectors that find code in code use
// it again.
var knowledgeTable struct {
	once     sync.Once
	programs map[string]*knowledge
	dangers  map[string]detectors
}

// unfamiliar is a program that is in no table.
var unfamiliar = &knowledge{spec: unlisted}

// about is what is known about a program.
func about(program string) *knowledge {
	if program == "" {
		return unfamiliar
	}
	knowledgeTable.once.Do(gatherKnowledge)
	if k, ok := knowledgeTable.programs[program]; ok {
		return k
	}
	if plain := unversioned(program); plain != program || isFormatter(program) {
		return &knowledge{spec: specOf(program), danger: dangersOf(knowledgeTable.dangers, program)}
	}
	return unfamiliar
}

func gatherKnowledge() {
	dangers := dispatch()
	readers := []map[string]optionSpec{shellReaders, systemReaders, searchers, fileReaders, textReaders}
	programs := make(map[string]*knowledge, 1024)
	record := func(name string) *knowledge {
		k, ok := programs[name]
		if !ok {
			k = &knowledge{spec: specOf(name), danger: dangersOf(dangers, name)}
			programs[name] = k
		}
		return k
	}
	for name := range specs {
		record(name)
	}
	for name := range dangers {
		record(name)
	}
	for name, w := range wrappers {
		record(name).wrapper = &w
	}
	for _, row := range runningPrograms() {
		row.options = strings.Fields(row.code)
		for name := range strings.FieldsSeq(row.names) {
			record(name).running = &row
		}
	}
	for name := range subcommandPrograms {
		record(name).subcommands = true
	}
	for _, table := range readers {
		for name, spec := range table {
			record(name).reader = &spec
		}
	}
	knowledgeTable.programs, knowledgeTable.dangers = programs, dangers
}
