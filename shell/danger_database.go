package shell

import "strings"

// queries judges the clients of databases by the statements they are given: as
// words, in a here-document, or through a pipe from a constant.
func queries(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	for at := 1; at < len(c.Words); at++ {
		if text := destructive(statement(c.Words[at].Text)); text != "" {
			return s.at(kindInfra, i, at, text)
		}
	}
	if input, ok := s.inputText(i); ok {
		if text := destructive(input); text != "" {
			return s.at(kindInfra, i, 0, text)
		}
	}
	return nil
}

// statement is what an argument holds behind the option it may be glued to.
func statement(text string) string {
	switch {
	case !isOption(text):
	case text[1] != '-':
		return text[2:] // -cTRUNCATE
	default:
		if _, value, ok := strings.Cut(text, "="); ok {
			return value
		}
	}
	return text
}

// inputText is the constant text on the standard input of command i, as far as it
// is known: of a here-document, or what echo or cat with one writes into the pipe.
func (s *inspection) inputText(i int) (string, bool) {
	in := s.Commands[i].Stdin
	switch in.Kind {
	case StdinText, StdinUnknown:
		return in.Text, in.Text != ""
	case StdinPipe:
		for j := in.From; j < in.To && j < len(s.Commands); j++ {
			left := &s.Commands[j]
			switch left.Program() {
			case "echo", "printf":
				return left.Text(), true
			case "cat", "tee":
				if left.Stdin.Kind == StdinText {
					return left.Stdin.Text, true
				}
			}
		}
	case StdinInherited, StdinFile:
	}
	return "", false
}

// destructive says what the statements in a text destroy; "" when nothing.
func destructive(text string) string {
	var q query
	for q.read(text) {
		if verdict := q.verdict(); verdict != "" {
			return verdict
		}
	}
	return ""
}

// query is one statement, read word by word. Strings and comments are left out, so
// that a statement which only mentions another is not taken for it.
type query struct {
	at    int
	words [24]string // in capitals
	n     int
	where bool // it has a condition
	all   bool // the condition holds for every row
}

// read takes the next statement from the text.
func (q *query) read(text string) bool {
	q.n, q.where, q.all = 0, false, false
	if q.at >= len(text) {
		return false
	}
	for q.at < len(text) {
		switch c := text[q.at]; {
		case c == ';':
			q.at++
			return true
		case c == '\'' || c == '"' || c == '`':
			q.skipQuoted(text, c)
		case strings.HasPrefix(text[q.at:], "--") && q.n > 0, c == '#':
			q.skipTo(text, "\n")
		case strings.HasPrefix(text[q.at:], "/*"):
			q.skipTo(text, "*/")
		case isLetter(c):
			q.word(text)
		case c == '1' && q.where && strings.HasPrefix(strings.ReplaceAll(text[q.at:min(len(text), q.at+8)], " ", ""), "1=1"):
			q.all = true
			q.at++
		default:
			q.at++
		}
	}
	return true
}

func (q *query) skipQuoted(text string, quote byte) {
	end := strings.IndexByte(text[q.at+1:], quote)
	if end < 0 || q.n == 0 {
		q.at++ // printf 'DROP …' | psql: the quote is around the statement
		return
	}
	q.at += end + 2
}

func (q *query) skipTo(text, end string) {
	at := strings.Index(text[q.at:], end)
	if at < 0 {
		q.at = len(text)
		return
	}
	q.at += at + len(end)
}

func (q *query) word(text string) {
	start := q.at
	for q.at < len(text) && (isLetter(text[q.at]) || text[q.at] >= '0' && text[q.at] <= '9') {
		q.at++
	}
	word := strings.ToUpper(text[start:q.at])
	switch word {
	case "WHERE":
		q.where = true
	case "TRUE":
		q.all = q.all || q.where
	case "ECHO", "PRINTF", "E", "N", "BEGIN", "EXPLAIN", "ANALYZE", "SQL", "QUERY": // before a statement
		if q.n == 0 && word != "EXPLAIN" {
			return
		}
	}
	if q.n < len(q.words) {
		q.words[q.n] = word
		q.n++
	}
}

func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
}

func (q *query) verdict() string {
	conditional := q.where && !q.all
	for i, word := range q.words[:q.n] {
		next := ""
		if i+1 < q.n {
			next = q.words[i+1]
		}
		switch word {
		case "SELECT", "INSERT", "EXPLAIN", "SHOW", "DESCRIBE":
			if i == 0 && next != "ANALYZE" { // explain analyze runs the statement
				return ""
			}
		case "DROP":
			if dropped.has(next) {
				return "drops " + strings.ToLower(next)
			}
		case "TRUNCATE":
			if i == 0 && next != "" {
				return "empties a table"
			}
		case "DELETE":
			if next == "FROM" && !conditional {
				return "deletes every row of a table"
			}
		case "UPDATE":
			if i == 0 && q.n > 3 && q.has("SET") && !conditional {
				return "changes every row of a table"
			}
		case "FLUSHALL", "FLUSHDB", "DROPDATABASE":
			return "empties a database"
		}
	}
	return ""
}

func (q *query) has(word string) bool {
	for _, one := range q.words[:q.n] {
		if one == word {
			return true
		}
	}
	return false
}

var dropped = wordSet{list: "TABLE DATABASE SCHEMA VIEW INDEX COLUMN USER ROLE OWNED KEYSPACE SEQUENCE TYPE FUNCTION MATERIALIZED TABLESPACE EXTENSION " +
	"COLLECTION MEASUREMENT BUCKET STREAM PROCEDURE TRIGGER KEYSPACES SERIES"}

// documents judges mongosh: functions that drop or delete without a condition.
func documents(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	for at := 1; at < len(c.Words); at++ {
		if dropsDocuments(c.Words[at].Text) {
			return s.at(kindInfra, i, at, "drops a database or collection")
		}
	}
	if input, ok := s.inputText(i); ok && dropsDocuments(input) {
		return s.at(kindInfra, i, 0, "drops a database or collection")
	}
	return nil
}

func dropsDocuments(code string) bool {
	code = strings.Join(strings.Fields(code), "")
	for _, call := range [...]string{"dropDatabase(", ".drop(", "dropIndexes(", "deleteMany({})", "remove({})", "deleteMany()", "dropAllUsers", "dropUser("} {
		if strings.Contains(code, call) {
			return true
		}
	}
	return false
}
