package shell

// Finding is one thing that makes a command dangerous.
type Finding struct {
	Kind    string // "rm", "git", "system", "infra", "remote-code", "control-files"
	Command int    // index in Script.Commands
	Span    Span
	// Word is the word that it is about: what is deleted or written, or the word that tells
	// the program to do it. Empty when it is the command as a whole.
	Word string
	Text string // for a person: "deletes the home directory"
	// Floor: on the danger floor, which needs a person in every mode.
	Floor bool
}

// AboutVerb: the word tells the program what to do, and what it does that to stands behind
// it.
func (f Finding) AboutVerb() bool { return f.Kind == kindGit || f.Kind == kindInfra }

// The kinds of finding.
const (
	kindRemove  = "rm"
	kindGit     = "git"
	kindSystem  = "system"
	kindInfra   = "infra"
	kindRemote  = "remote-code"
	kindControl = "control-files"
)

// detector judges one command by what its program is known to do. It returns the
// worst it finds, or nil.
type detector func(s *inspection, i int) *Finding

// detectors are those that a program is shown to.
type detectors struct {
	all []detector
	// floor are those that can find what is on the danger floor.
	floor []detector
}

// Danger lists what makes the script dangerous: it destroys data or history, cannot
// be undone, runs code from the network, sends secrets away, or changes files that
// decide over later commands. Text that only mentions such a command is none.
func (s *Script) Danger() []Finding {
	j := inspect(s)
	defer j.release()
	var list []Finding
	keep := func(f *Finding) {
		if f != nil {
			list = append(list, *f)
		}
	}
	for i := range s.Commands {
		keep(j.changes(i))
		keep(j.mayChange(i))
		keep(j.ontoDisk(i))
		for _, detect := range s.Commands[i].knowledge().danger.all {
			keep(detect(j, i))
		}
		keep(j.runsUnknown(i))
		keep(j.netRedirect(i))
	}
	keep(j.forkBomb())
	return list
}

// Floor is the first finding on the danger floor, or nil: what needs a person
// whatever rules and modes say.
func (s *Script) Floor() *Finding {
	j := inspect(s)
	defer j.release()
	for i := range s.Commands {
		if f := worse(worse(worse(j.changes(i), j.mayChange(i)), j.runsUnknown(i)), j.ontoDisk(i)); f != nil && f.Floor {
			return f
		}
		for _, detect := range s.Commands[i].knowledge().danger.floor {
			if f := detect(j, i); f != nil && f.Floor {
				return f
			}
		}
	}
	return j.forkBomb()
}

// at makes a finding about a word of command i; word 0 is the whole command.
func (s *inspection) at(kind string, i, word int, text string) *Finding {
	f := &Finding{Kind: kind, Command: i, Span: s.Commands[i].Span, Text: text}
	if word > 0 && word < len(s.Commands[i].Words) {
		f.Span, f.Word = s.Commands[i].Words[word].Span, s.Commands[i].Words[word].Text
	}
	return f
}

// onFloor marks a finding that needs a person in every mode.
func onFloor(f *Finding) *Finding {
	f.Floor = true
	return f
}

// worse keeps the finding that matters more: the first one on the floor, else the
// first.
func worse(a, b *Finding) *Finding {
	if a == nil || b != nil && b.Floor && !a.Floor {
		return b
	}
	return a
}
