package shell

import "strings"

// Programs whose operands or whose way of reading options make the difference.

var dateOptions = optionSpec{
	short: "d:f:I::jnRr:uv:z:",
	long:  "date= debug file= iso-8601? resolution rfc-email rfc-822 rfc-2822 rfc-3339= reference= utc universal uct help version",
	harm:  "-s --set: sets the clock",
}

// doubtDate: an operand that is not a format sets the clock, except with -j of BSD.
func doubtDate(words []Word) Doubt {
	s := scanOptions(&dateOptions, words, 1)
	sets, keeps := -1, false
	for s.next() {
		switch {
		case s.option == "j":
			keeps = true
		case s.option == "" && !strings.HasPrefix(s.value.Text, "+"):
			sets = s.word
		}
	}
	if s.doubt.Text == "" && sets >= 0 && !keeps {
		return doubtOf(words, sets, "the operand sets the clock")
	}
	return s.doubt
}

// xxdOptions have one dash and several letters; "=" marks those with a value.
const xxdOptions = "a autoskip b bits C capitalize c= cols= d e E EBCDIC g= group= groupsize= h help i include l= len= n= name= " +
	"o= offset= p ps plain postscript r revert R= s= seek= skip= u uppercase v version"

// doubtXxd: what follows the first operand is an output file, even "-p".
func doubtXxd(words []Word) Doubt {
	input := false
	for i := 1; i < len(words); i++ {
		text := words[i].Text
		if !words[i].Known() || words[i].Split {
			return doubtOf(words, i, "an argument that is only known when it runs may be an output file")
		}
		if input {
			return doubtOf(words, i, "the second operand is an output file")
		}
		if input = len(text) < 2 || text[0] != '-'; input {
			continue
		}
		switch longArity(xxdOptions, text[1:]) {
		case takesNothing:
		case takesValue:
			i++
		default:
			if !isGluedNumber(text) {
				return doubtOf(words, i, "the option "+text+" is not known")
			}
		}
	}
	return Doubt{}
}

// isGluedNumber: -c16, -l0x20.
func isGluedNumber(text string) bool {
	return strings.IndexByte("cgls", text[1]) >= 0 && len(text) > 2 && text[2] >= '0' && text[2] <= '9'
}

const treeOptions = "a d l f x L P I p u g s h D F q N Q r t c U v i A S n C X J H T " +
	"inodes device sort? dirsfirst filesfirst filelimit? timefmt? charset? du si prune noreport nolinks matchdirs metafirst " +
	"ignore-case gitignore gitfile? info infofile? fromfile fromtabfile fflinks opt-toggle hintro? houtro? version help"

// doubtTree: tree reads every letter of a cluster as an option and takes the
// values from the words that follow. So no letter may be harmful, wherever it stands.
func doubtTree(words []Word) Doubt {
	for i := 1; i < len(words); i++ {
		text := words[i].Text
		switch {
		case startsWithHome(&words[i]):
			continue
		case words[i].Split, text != "" && (text[0] == Unknown || text[0] == Glob):
			return doubtOf(words, i, "an argument that is only known when it runs may be an option")
		case len(text) < 2 || text[0] != '-' || text == "--":
			continue
		case !words[i].Known():
			return doubtOf(words, i, "an option that is only known when it runs")
		case text[1] == '-':
			if name, _, _ := strings.Cut(text[2:], "="); len(name) < 2 || longArity(treeOptions, name) == notListed {
				return doubtOf(words, i, "the option "+text+" is not known")
			}
			continue
		}
		for _, letter := range text[1:] {
			switch {
			case letter == 'o' || letter == 'R':
				return Doubt{Text: words[0].Text + " -" + string(letter) + " writes a file", Word: i}
			case letter >= '0' && letter <= '9':
			case longArity(treeOptions, string(letter)) == notListed:
				return doubtOf(words, i, "the option -"+string(letter)+" is not known")
			}
		}
	}
	return Doubt{}
}

// binaryReaders are of one family with a linker: plugins are code.
var binaryReaders = optionTable{
	{"nm", &optionSpec{
		short: "AaBCDf:gnoPprSst:UuVvW",
		long: "debug-syms print-file-name demangle? dynamic defined-only extern-only format= portability no-sort no-demangle " +
			"numeric-sort print-armap print-size radix= reverse-sort size-sort special-syms synthetic target= undefined-only " +
			"with-symbol-versions help version",
		harm: "-X --plugin --plugin-opt: loads code",
	}},
	{"size", &optionSpec{short: "ABdhotVx", long: "format= radix= common target= totals help version", harm: "--plugin: loads code"}},
	{"objdump", &optionSpec{
		short: "aCDdEfghHj:M:m:PpRrsTtVwxz",
		long: "archive-headers file-headers private-headers headers section-headers all-headers disassemble? disassemble-all " +
			"full-contents dynamic-syms syms reloc dynamic-reloc architecture= demangle? disassembler-options= " +
			"no-show-raw-insn section= start-address= stop-address= target= wide help version info",
		harm: "--plugin: loads code",
	}},
}

// doubtBinary: "@file" reads options from a file.
func doubtBinary(words []Word) Doubt {
	for i := range words {
		if strings.HasPrefix(words[i].Text, "@") {
			return doubtOf(words, i, "reads options from a file")
		}
	}
	return binaryReaders.of(words[0].Text[strings.LastIndexByte(words[0].Text, '/')+1:]).check(words, 1)
}
