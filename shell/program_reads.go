package shell

import "strings"

// readingCalls are functions of the usual languages that change no file, and the keywords
// that may stand before a bracket or a string.
var readingCalls = wordSet{list: "print println printf sprintf format puts p pp pprint say echo log info warn error debug table exit quit die " +
	"len length size count str int float bool list dict tuple set map object array string number date regexp url counter defaultdict " +
	"sorted sort sort_by reversed reverse sum min max abs round range enumerate zip filter reduce some every any all next iter first last uniq slice concat flat flatmap " +
	"isinstance hasattr type repr ord chr " +
	"open read readline readlines read_text read_bytes readtextfile readtextfilesync readfile readfilesync file_get_contents file lines each each_line each_with_index foreach " +
	"load loads safe_load load_file parse parse_file stringify dumps to_json to_s to_i inspect json_decode json_encode var_dump print_r tostring tonumber " +
	"get keys values items entries has includes include indexof index find findall finditer search match matchall test split splitlines strip rstrip lstrip trim join lower upper " +
	"tolowercase touppercase startswith endswith start_with end_with sub gsub strpos substr str_contains implode explode pairs ipairs " +
	"exists existssync isfile isdir is_file is_dir file_exists stat statsync lstat getsize filesize listdir readdir readdirsync scandir glob iglob globsync rglob walk iterdir " +
	"path purepath posixpath resolve relative relative_to basename dirname expanduser abspath realpath cwd getcwd home require from import then catch " +
	"if elsif elif else while for foreach unless until switch case with not and or in is of return lambda function async await assert except yield do end new " +
	"f r b u rb br rf fr q qq qw m"}

// changingWords are words that stand without brackets where files are changed.
var changingWords = wordSet{list: "rename link symlink unlink copy move cp mv ln ln_s ln_sf chmod chown utime truncate mkdir rmdir sysopen touch install"}

// onlyReads reports whether every function that the program calls is known to change no
// file. It is rough, and says no where it does not know.
func (p *program) onlyReads() bool {
	for constant := range p.strings {
		if strings.Trim(constant, "rwaxbtU+") == "" && strings.ContainsAny(constant, "wax+") {
			return false // the mode in which a file is opened
		}
	}
	text := p.text
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '"' || c == '\'' || c == '`':
			i = p.afterString(i)
		case isNameByte(c) || c == '$':
			end := i + 1
			for end < len(text) && isNameByte(text[end]) {
				end++
			}
			if !p.wordReads(i, end) {
				return false
			}
			i = end
		case (c == ')' || c == ']') && strings.HasPrefix(text[i+1:], "("):
			return false // what is called has no name
		default:
			i++
		}
	}
	return true
}

// afterString is the place behind the string that starts at i.
func (p *program) afterString(i int) int {
	quote := p.text[i]
	for i++; i < len(p.text) && p.text[i] != quote; i++ {
		if p.text[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// wordReads judges the word from start to end: what is no call does nothing.
func (p *program) wordReads(start, end int) bool {
	word := strings.ToLower(p.text[start:end])
	if changingWords.has(word) {
		return false
	}
	rest := strings.TrimLeft(strings.TrimLeft(p.text[end:], "?!"), " \t")
	if rest == "" || strings.IndexByte(`("'`, rest[0]) < 0 || word[0] >= '0' && word[0] <= '9' {
		return true
	}
	if word == "open" && (strings.HasSuffix(p.text[:start], "os.") || strings.HasSuffix(p.text[:start], "fs.")) {
		return false // the mode is a number, or a constant
	}
	return readingCalls.has(word)
}
