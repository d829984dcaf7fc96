package shell

import "strings"

// spec says which words of a program are paths and what is done with them.
type spec struct {
	names    string // the programs, separated by blanks
	operands operandRule
	grammar
}

// operandRule is what a program does with its operands.
type operandRule uint8

// The rules. Those from editInPlace on can change files.
const (
	// mayRead is the rule for programs that are not in the table: every operand,
	// every value could be a file that is read.
	mayRead operandRule = iota
	noPaths
	readAll
	readMost     // gcc: every operand, but an option that is not listed may take it and write it
	scriptFirst  // python: the first operand is a script, and the others are the script's
	testOperands // test, [
	textFirst    // grep: the first operand is text unless an option gave it
	twoValued    // jq: as before; some options take a name and a value

	editInPlace   // sed: as textFirst; -i edits the files
	writeAll      // tee
	deleteAll     // rm
	copyLast      // cp: the last operand is written, the others read
	moveLast      // mv: the others vanish
	linkLast      // ln
	modeFirst     // chmod: the first operand is a mode
	readThenWrite // uniq: input, output
	writeFirst    // zip: the archive, then what goes into it
	database      // sqlite3: the file, then statements
	compressor    // gzip: replaces the file unless it writes to standard output
	patcher       // patch: the file, then the patch
	keyEqualsPath // dd if=x of=y
	archiver      // tar
	extractor     // unzip: reads the archive
	remoteCopy    // scp, rsync: host:path is elsewhere
	cloudCopy     // aws s3 cp: scheme://path is elsewhere
	transfer      // curl, wget: URLs; @file is sent
	finder
	versionControl
	container
	editor // vim: +command is no path
)

// unlisted is the spec of a program that is in no table.
var unlisted = &spec{operands: mayRead}

// specOf finds the spec of a program. What a wrapper names is listed with the
// command that it runs.
func specOf(program string) *spec {
	if found := specNamed(program); found != unlisted {
		return found
	}
	return specNamed(unversioned(program))
}

// specNamed is the spec under this very name.
func specNamed(name string) *spec {
	for _, table := range [...][]spec{writingPrograms, readingPrograms, textPrograms} {
		for i := len(table) - 1; i >= 0; i-- {
			if listed(table[i].names, name) {
				return &table[i]
			}
		}
	}
	return unlisted
}

// unversioned is the name without what packagers add: python3.12, git.exe.
func unversioned(program string) string {
	program = strings.TrimSuffix(program, ".exe")
	end := len(program)
	for end > 0 && (program[end-1] >= '0' && program[end-1] <= '9' || program[end-1] == '.' || program[end-1] == '-') {
		end--
	}
	return program[:end]
}

// Programs whose words are no paths at all, or text before paths.
var textPrograms = []spec{
	{
		names: "echo printf true false : seq sleep exit return break continue pwd whoami id uname hostname expr let (( type which kill " +
			"export declare typeset local readonly unset set shift read trap eval wait jobs basename dirname tr yes factor numfmt tput clear " +
			"systemctl service alias unalias ulimit umask killall ping dig nslookup host " +
			"sudo doas su env watch busybox toybox timeout gtimeout time nice nohup stdbuf command builtin exec setsid ionice",
		operands: noPaths,
	},
	{names: "test [ [[", operands: testOperands},
	{names: "parallel", operands: noPaths, grammar: grammar{values: "j P n N L I S d", reads: "a arg-file", writes: "joblog results tmpdir"}},
	{names: "logger", operands: noPaths, grammar: grammar{values: "p t n P T S u i?", reads: "f file"}},
	{names: "look", operands: textFirst, grammar: grammar{values: "t terminate"}},
	{names: "fd fdfind", operands: textFirst, grammar: grammar{
		values: "e t E d j c S o extension type exclude max-depth min-depth exact-depth threads color size owner changed-within changed-before and format",
		reads:  "base-directory search-path ignore-file",
	}},
	{names: "ag", operands: textFirst, grammar: grammar{values: "A? B? C? m G", reads: "p path-to-ignore"}},
	{names: "ack", operands: textFirst, grammar: grammar{values: "A? B? C? m G", reads: "files-from ackrc"}},
	{names: "pgrep pkill", operands: noPaths, grammar: grammar{values: "d G g N O P r s t U u", reads: "F pidfile"}},
	{names: "history", operands: readAll, grammar: grammar{values: "d p s", reads: "n r", writes: "a w"}},
	{names: "grep egrep fgrep zgrep ggrep", operands: textFirst, grammar: grammar{
		values: "e m A B C d D regexp max-count after-context before-context context include exclude exclude-dir include-dir label binary-files " +
			"directories devices group-separator",
		reads: "f file exclude-from",
	}},
	{names: "rg", operands: textFirst, grammar: grammar{
		values: "e m A B C g t T M j r E d regexp max-count after-context before-context context glob iglob type type-not max-columns threads replace " +
			"encoding max-depth maxdepth sort sortr color colors pre pre-glob context-separator field-context-separator field-match-separator " +
			"path-separator dfa-size-limit regex-size-limit max-filesize engine type-add type-clear hyperlink-format generate hostname-bin",
		reads: "f file ignore-file",
	}},
	{names: "jq gojq jaq", operands: twoValued, grammar: grammar{values: "indent", reads: "f L from-file library-path"}},
	{names: "sed gsed", operands: editInPlace, grammar: grammar{values: "e l i? expression line-length", reads: "f file"}},
	{names: "awk gawk mawk nawk original-awk goawk frawk", operands: editInPlace, grammar: grammar{
		values: "v F e W assign field-separator source", reads: "f E i l file exec include load", posix: true,
	}},
	{names: "perl ruby", operands: editInPlace, grammar: grammar{values: "e E M? m? I r F? C? 0? i? x?", posix: true}},
	{names: "yq", operands: editInPlace, grammar: grammar{values: "I p o indent input-format output-format expression", reads: "from-file"}},
	{names: "xargs gxargs", operands: noPaths, grammar: grammar{
		values: "d E I J L n P s delimiter max-args max-procs max-chars max-lines", reads: "a arg-file",
	}},
	{names: "ssh", operands: noPaths, grammar: grammar{values: "B b c D e J L l m O o p Q R W w", reads: "i F", writes: "E S"}},
	{names: "psql", operands: noPaths, grammar: grammar{
		values: "c d h p U v F R P T command dbname host port username set variable", reads: "f file", writes: "o L output log-file",
	}},
	{names: "pg_dump pg_dumpall", operands: noPaths, grammar: grammar{values: "h p U d t n", writes: "f file"}},
	{names: "mysqldump", operands: noPaths, grammar: grammar{values: "h P u", writes: "r result-file"}},
	{names: "ssh-keygen", operands: noPaths, grammar: grammar{values: "t b C N P m", writes: "f"}},
	{names: "visudo", operands: noPaths, grammar: grammar{writes: "f file"}},
}

var readingPrograms = []spec{
	// No list of values: what is no path is then taken for one, which is harmless,
	// while a flag wrongly thought to take a value would hide one.
	{names: "less", operands: readAll, grammar: grammar{values: "b h j P p t x y z D # pattern prompt tag tabs window", reads: "k T lesskey-file tag-file", writes: "o O log-file LOG-FILE"}},
	{names: "cat strings stat paste join fold fmt expand unexpand column more bat batcat ls dir vdir " +
		"df eza exa namei tsort sum nm readelf objdump size c++filt gofmt who lzcat gzcat zstdcat realpath readlink cksum md5sum md5 sha1sum sha224sum sha256sum sha384sum sha512sum shasum b2sum " +
		"comm cmp diff3 pr rev zcat bzcat xzcat zless lsattr getfacl source . cd pushd view zipinfo", operands: readAll},
	{names: "pv", operands: readAll, grammar: grammar{values: "D i w H F L B N s d", writes: "o P output pidfile"}},
	{names: "bc", operands: readAll, grammar: grammar{reads: "f file"}},
	{names: "sdiff", operands: readAll, grammar: grammar{values: "I w", writes: "o output"}},
	{names: "diff", operands: readAll, grammar: grammar{values: "x exclude", reads: "X exclude-from from-file to-file"}},
	{names: "hexdump hd", operands: readAll, grammar: grammar{reads: "f format-file"}},
	{names: "lsblk", operands: noPaths, grammar: grammar{reads: "sysroot"}},
	{names: "lscpu", operands: noPaths, grammar: grammar{reads: "s sysroot"}},
	{names: "head", operands: readAll, grammar: grammar{values: "n c lines bytes"}},
	{names: "tail", operands: readAll, grammar: grammar{values: "n c s lines bytes sleep-interval pid max-unchanged-stats"}},
	{names: "cut", operands: readAll, grammar: grammar{values: "b c d f bytes characters delimiter fields output-delimiter"}},
	{names: "tac", operands: readAll, grammar: grammar{values: "s separator"}},
	{names: "nl", operands: readAll, grammar: grammar{
		values: "b d f h i l n s v w body-numbering section-delimiter footer-numbering header-numbering line-increment join-blank-lines number-format " +
			"number-separator starting-line-number number-width",
	}},
	{names: "od", operands: readAll, grammar: grammar{values: "A j N t address-radix endian skip-bytes read-bytes format"}},
	{names: "wc", operands: readAll, grammar: grammar{values: "total", reads: "files0-from"}},
	{names: "du", operands: readAll, grammar: grammar{values: "B d t block-size max-depth threshold exclude time-style", reads: "X files0-from exclude-from"}},
	{names: "file", operands: readAll, grammar: grammar{values: "e F P exclude exclude-quiet separator parameter", reads: "f m files-from magic-file"}},
	{names: "tree", operands: readAll, grammar: grammar{reads: "gitfile hintro houtro infofile", writes: "o"}},
	{names: "iconv", operands: readAll, grammar: grammar{values: "f t from-code to-code", writes: "o output"}},
	{names: "basenc", operands: readAll, grammar: grammar{values: "w wrap"}},
	{names: "base64 base32", operands: readAll, grammar: grammar{reads: "i? input", writes: "o output"}}, // -o of macOS
	{names: "locate", operands: noPaths, grammar: grammar{values: "l n limit", reads: "d database"}},
	{names: "date gdate", operands: noPaths, grammar: grammar{values: "d date", reads: "f r file reference"}},
	{names: "compgen", operands: readAll, grammar: grammar{values: "A o P S W C F X", reads: "G"}},
	{names: "dmesg", operands: noPaths, grammar: grammar{reads: "F K file kmsg-file"}},
	{names: "findmnt", operands: noPaths, grammar: grammar{reads: "F tab-file"}},
	{names: "journalctl", operands: noPaths, grammar: grammar{values: "u t n S U p o", reads: "D file directory root image"}},
	{names: "last lastb", operands: noPaths, grammar: grammar{reads: "f file"}},
	{names: "crontab", operands: readAll, grammar: grammar{values: "u"}},
	{names: "sort", operands: readAll, grammar: grammar{
		values: "k S t key buffer-size field-separator parallel batch-size sort compress-program", reads: "T files0-from random-source", writes: "o output",
	}},
	{names: "shuf", operands: readAll, grammar: grammar{values: "i n input-range head-count", reads: "random-source", writes: "o output"}},
	{names: "csplit", operands: readAll, grammar: grammar{values: "b n suffix-format digits", writes: "f prefix"}},
	{names: "shellcheck yamllint actionlint hadolint", operands: readAll},
	{names: "eslint stylelint prettier jsonlint", operands: readAll, grammar: grammar{
		values: "ignore-pattern", writes: "o output-file cache-location cache-file",
	}},
	{names: "pandoc", operands: readMost, grammar: grammar{values: "f t from to", writes: "o output"}},
	{names: "gpg gpg2", operands: readMost, grammar: grammar{values: "r u recipient local-user", writes: "o output"}},
	{names: "cc gcc g++ clang clang++ c++ ld rustc nasm", operands: readMost, grammar: grammar{writes: "o MF MJ output out-dir", single: true}},
	{names: "bash sh dash zsh ksh mksh ash rbash fish", operands: scriptFirst, grammar: grammar{values: "c o O", reads: "rcfile init-file"}},
	{names: "python pypy ipython", operands: scriptFirst, grammar: grammar{values: "c m W X"}},
	{names: "node nodejs bun deno", operands: scriptFirst, grammar: grammar{
		values: "e p eval print",
		reads:  "r require env-file env-file-if-exists import loader experimental-loader",
		writes: "redirect-warnings snapshot-blob diagnostic-dir report-dir report-directory report-filename cpu-prof-dir cpu-prof-name heap-prof-dir " +
			"heap-prof-name trace-event-file-pattern localstorage-file",
	}},
	{names: "php", operands: scriptFirst, grammar: grammar{values: "r B E R d", reads: "f c"}},
	{names: "lua luajit", operands: scriptFirst, grammar: grammar{values: "e l"}},
	{names: "make gmake", operands: mayRead, grammar: grammar{values: "j l o W", reads: "f C I file makefile directory"}},
	{names: "openssl", operands: mayRead, grammar: grammar{
		values: "k K iv pass passin passout subj days", reads: "in inkey key cert CA CAfile", writes: "out keyout", single: true,
	}},
	{names: "go", operands: mayRead, grammar: grammar{
		values: "run tags ldflags gcflags count timeout bench", writes: "o coverprofile cpuprofile memprofile", single: true,
	}},
}
