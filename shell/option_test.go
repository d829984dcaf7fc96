package shell

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func knownWords(texts ...string) []Word {
	words := make([]Word, len(texts))
	for i, text := range texts {
		words[i].Text = text
	}
	return words
}

func TestOption_Lists(t *testing.T) {
	for _, tt := range []struct {
		list   string
		letter byte
		want   arity
	}{
		{"ab:c::", 'a', takesNothing},
		{"ab:c::", 'b', takesValue},
		{"ab:c::", 'c', mayTakeValue},
		{"ab:c::", 'd', notListed},
		{"ab:c::", ':', notListed},
		{"", 'a', notListed},
	} {
		if got := shortArity(tt.list, tt.letter); got != tt.want {
			t.Errorf("shortArity(%q, %q) = %v, want %v", tt.list, tt.letter, got, tt.want)
		}
	}
	for _, tt := range []struct {
		name string
		want arity
	}{
		{"all", takesNothing},
		{"width", takesValue},
		{"color", mayTakeValue},
		{"colors", takesNothing},
		{"al", notListed},
		{"", notListed},
		{"width=", notListed},
		{"all color", notListed},
		{"ll", notListed},
	} {
		if got := longArity("all color? width= colors", tt.name); got != tt.want {
			t.Errorf("longArity(%q) = %v, want %v", tt.name, got, tt.want)
		}
	}
}

// A scan is written as its items: "o=f" for an option with a value, "o" for one
// without, ":f" for an operand.
func TestOption_Scan(t *testing.T) {
	spec := optionSpec{short: "abn:w::", long: "all name= width? nothing", harm: "-o --output: writes a file"}
	for _, tt := range []struct{ args, want string }{
		{"-ab f", "a b :f"},
		{"f -a g", ":f a :g"},
		{"-n 1 f", "n=1 :f"},
		{"-n1 f", "n=1 :f"},
		{"-an1 f", "a n=1 :f"},
		{"-an 1 f", "a n=1 :f"},
		{"-w f", "w :f"},
		{"-w5 f", "w=5 :f"},
		{"--all f", "all :f"},
		{"--al f", "all :f"},
		{"--name=x f", "name=x :f"},
		{"--name x f", "name=x :f"},
		{"--nam x", "name=x"},
		{"--width=3 --width f", "width=3 width :f"},
		{"-- -a --all", ":-a :--all"},
		{"-n -- -a", "n=-- a"},
		{"- -a", ":- a"},
		{"-n", "n"},
		{"--n x", "? t: the option --n is not known"},
		{"--all=x", "? t: the option --all is not known"},
		{"-x", "? t: the option -x is not known"},
		{"-ao f", "a ? t -o writes a file"},
		{"-of", "? t -o writes a file"},
		{"--output=f", "? t --output writes a file"},
		{"--ou f", "? t --ou writes a file"},
		{"-n -o f", "? t -o writes a file"},
		{"-n --out f", "? t --out writes a file"},
		{"-- -o f", "? t -o writes a file"},
		{"-n -x5 f", "n=-x5 :f"},
	} {
		words := knownWords(append([]string{"t"}, strings.Fields(tt.args)...)...)
		var got []string
		s := scanOptions(&spec, words, 1)
		for s.next() {
			switch {
			case s.option == "":
				got = append(got, ":"+s.value.Text)
			case s.value.Text == "":
				got = append(got, s.option)
			default:
				got = append(got, s.option+"="+s.value.Text)
			}
		}
		if s.doubt.Text != "" {
			got = append(got, "? "+s.doubt.Text)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %q, want %q", tt.args, got, tt.want)
		}
	}
}

// allSpecs are all programs with a list of options, by the words they start with.
func allSpecs() map[string]optionSpec {
	all := map[string]optionSpec{
		"sed":       sedOptions,
		"awk":       awkOptions,
		"date":      dateOptions,
		"xargs":     xargsReads,
		"sysctl":    sysctlOptions,
		"man":       manOptions,
		"systemctl": systemdOptions,
		"ss":        ssOptions,
		"mapfile":   *assigning.find("mapfile"),
	}
	for _, table := range []optionTable{textReaders, fileReaders, searchers, systemReaders, shellReaders, binaryReaders} {
		for _, row := range table {
			all[row.name] = *row.spec
		}
	}
	for _, row := range gitReaders {
		all["git "+row.name] = *row.spec
	}
	for name, spec := range map[string]optionSpec{"branch": gitBranch, "tag": gitTag, "config": gitConfig, "stash show": gitStashShow} {
		all["git "+name] = spec
	}
	return all
}

// spellings of the harmful options of a program.
func spellings(spec optionSpec) (short []byte, long []string) {
	for entry := range strings.SplitSeq(spec.harm, "; ") {
		names, _, _ := strings.Cut(entry, ": ")
		for name := range strings.FieldsSeq(names) {
			if strings.HasPrefix(name, "--") {
				long = append(long, name[2:])
			} else {
				short = append(short, name[1])
			}
		}
	}
	return short, long
}

// flags are the one-letter options of a program that take nothing.
func flags(spec optionSpec) (letters []byte) {
	for i := range len(spec.short) {
		if shortArity(spec.short, spec.short[i]) == takesNothing {
			letters = append(letters, spec.short[i])
		}
	}
	return letters
}

// Every harmful option raises a doubt in every spelling: alone, with a glued or a
// separate value, in a cluster, behind an operand, and in every abbreviation.
func TestOption_HarmInEverySpelling(t *testing.T) {
	checked := 0
	for program, spec := range allSpecs() {
		if spec.harm == "" {
			continue
		}
		refused := func(args ...string) {
			t.Helper()
			checked++
			words := knownWords(append(strings.Fields(program), args...)...)
			if doubtWords(words).Text == "" {
				t.Errorf("%s %q raises no doubt", program, args)
			}
		}
		short, long := spellings(spec)
		for _, letter := range short {
			if shortArity(spec.short, letter) != notListed {
				t.Errorf("%s: -%c is listed as harmless and as harmful", program, letter)
			}
			option := string(letter)
			refused("-" + option)
			refused("-"+option, "value")
			refused("-" + option + "value")
			if !spec.posix {
				refused("operand", "-"+option)
			}
			for _, flag := range flags(spec) {
				refused("-" + string(flag) + option)
				refused("-"+string(flag), "-"+option, "value")
			}
		}
		for _, name := range long {
			if longArity(spec.long, name) != notListed {
				t.Errorf("%s: --%s is listed as harmless and as harmful", program, name)
			}
			refused("--"+name, "value")
			refused("--" + name + "=value")
			for end := 1; end < len(name); end++ {
				if longArity(spec.long, name[:end]) == notListed {
					refused("--" + name[:end] + "=value")
					refused("--"+name[:end], "value")
				}
			}
		}
	}
	if checked < 1000 {
		t.Errorf("only %d spellings were checked", checked)
	}
}

// A list is not ambiguous in itself, and has no stray blank or sign.
func TestOption_ListsAreClean(t *testing.T) {
	for program, spec := range allSpecs() {
		seen := map[string]bool{}
		for field := range strings.SplitSeq(spec.long, " ") {
			name := strings.TrimRight(field, "=?")
			if spec.long != "" && (name == "" || seen[name] || name[0] == '-') {
				t.Errorf("%s: %q is empty or listed twice", program, field)
			}
			seen[name] = true
		}
		letters := strings.ReplaceAll(spec.short, ":", "")
		sorted := []byte(letters)
		slices.Sort(sorted)
		if len(slices.Compact(sorted)) != len(letters) {
			t.Errorf("%s: a letter of %q is listed twice", program, spec.short)
		}
		if spec.loose && spec.harm != "" {
			t.Errorf("%s: no argument can do harm, yet harm is listed", program)
		}
	}
}

// Whatever else is said to a program that reads its options anywhere, a harmful
// option that comes first is never talked away.
func TestOption_NothingHidesHarm(t *testing.T) {
	all := allSpecs()
	programs := slices.DeleteFunc(slices.Sorted(maps.Keys(all)), func(name string) bool { return all[name].harm == "" })
	rapid.Check(t, func(t *rapid.T) {
		program := rapid.SampledFrom(programs).Draw(t, "program")
		spec := all[program]
		short, long := spellings(spec)
		harmful := make([]string, 0, len(short)+len(long))
		for _, letter := range short {
			harmful = append(harmful, "-"+string(letter))
		}
		for _, name := range long {
			harmful = append(harmful, "--"+name+"=x")
		}
		words := knownWords(append(strings.Fields(program), rapid.SampledFrom(harmful).Draw(t, "harmful"))...)
		for _, text := range rapid.SliceOfN(rapid.SampledFrom([]string{"x", "--", "-", "-n", "--list", "-l", "-v", "\xff", "\xfe"}), 0, 4).Draw(t, "rest") {
			words = append(words, Word{Text: text})
		}
		if doubtWords(words).Text == "" {
			t.Fatalf("%v raises no doubt", words)
		}
	})
}
