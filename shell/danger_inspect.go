package shell

import (
	"cmp"
	"slices"
	"sync"
)

// inspection is a script while it is judged, with what its commands say about each
// other. That is gathered once, and only when some command asks: a long script must
// not be read again for each of its commands.
type inspection struct {
	*Script
	gathered bool

	// sources are the commands that print what was fetched or hidden, by where they start.
	sources []source
	// taken says from which command on a variable may hold such text.
	taken [downloaded + 1]int
	// homes are values that start with $HOME, assigned to some variable.
	homes []Word
	// tries counts the values that were tried for what is deleted.
	tries int
	// looked counts the commands at which valueSearch has looked.
	looked int
	// lost is the last answer of loss.
	lost loss
	// functions are the names of functions that the script defines.
	functions map[string]bool
	// says: a protected path stands in the script. It is asked once.
	asked, says bool
	// network is the first exec that opens a connection for what follows.
	network int
}

// loss is what a command leaves in the files that it writes.
type loss struct {
	command                              int
	known, empties, overwrites, constant bool
}

// source is a command that prints text of doubtful origin.
type source struct {
	command int
	start   int32
	origin  origin
}

// lookAround bounds how far a command is compared with its neighbours where nothing
// is gathered beforehand.
const lookAround = 256

// maxTries bounds the values that are tried for the variables of all commands that delete.
const maxTries = 20_000

var inspections = sync.Pool{New: func() any { return new(inspection) }}

func inspect(s *Script) *inspection {
	j := inspections.Get().(*inspection)
	j.Script = s
	return j
}

func (s *inspection) release() {
	clear(s.homes)
	*s = inspection{sources: s.sources[:0], homes: s.homes[:0]}
	inspections.Put(s)
}

func (s *inspection) gather() {
	if s.gathered {
		return
	}
	s.gathered = true
	s.network = len(s.Commands)
	for o := range s.taken {
		s.taken[o] = len(s.Commands)
	}
	for i := range s.Commands {
		c := &s.Commands[i]
		if o := c.origin(); o != plainOrigin {
			s.sources = append(s.sources, source{command: i, start: c.Span.Start, origin: o})
		}
		if c.opensNetwork() && c.Program() == "exec" {
			s.network = min(s.network, i)
		}
		for k := range c.Assigns {
			if c.Assigns[k].Value.Home {
				s.homes = append(s.homes, c.Assigns[k].Value)
			}
		}
	}
	if len(s.sources) > 0 {
		slices.SortStableFunc(s.sources, func(a, b source) int { return cmp.Compare(a.start, b.start) })
		s.gatherTaken()
	}
}

// gatherTaken notes which variables are filled from a source: by an assignment, or
// by read.
func (s *inspection) gatherTaken() {
	for i := range s.Commands {
		c := &s.Commands[i]
		worst := plainOrigin
		for k := range c.Assigns {
			if value := c.Assigns[k].Value; !value.Known() {
				worst = max(worst, s.insideOrigin(value.Span, i))
			}
		}
		switch c.Program() {
		case "read", "mapfile", "readarray":
			worst = max(worst, s.inputOrigin(i))
		}
		s.taken[worst] = min(s.taken[worst], i)
	}
}

func (c *Command) opensNetwork() bool {
	for k := range c.Redirects {
		if c.Redirects[k].Kind == RedirectNetwork {
			return true
		}
	}
	return false
}
