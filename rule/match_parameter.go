package rule

import (
	"bytes"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
)

// parameterPattern is the content of a rule on a parameter.
type parameterPattern struct {
	name     string
	extended bool
	value    wildcard
	number   decimal // what the value is, or is compared with
	isNumber bool
	sign     string // of a comparison; empty for equality
}

func parsePattern(p parameter) (parameterPattern, *fault) {
	if strings.Contains("."+p.name+".", "..") {
		return parameterPattern{}, &fault{"a part of the parameter's name is empty", "write the name of a parameter, or a nested one as order.country"}
	}
	sign, limit, signed, f := p.comparison()
	if f != nil {
		return parameterPattern{}, f
	}
	q := parameterPattern{name: p.name, extended: p.extended, value: parseWildcard(p.value)}
	switch {
	case signed:
		q.sign, q.number, q.isNumber = sign, limit, true
	case q.value.literal():
		q.number, q.isNumber = parseDecimal([]byte(p.value))
	}
	return q, nil
}

// match says whether an input has the parameter with such a value: Maybe where it cannot be
// compared, or where there are several and only some are such.
func (q *parameterPattern) match(input []byte) Match {
	var t tally
	q.visit(strictjson.ValueOf(input), q.name, &t)
	return t.match()
}

// tally counts the values that a parameter has in a call.
type tally struct{ yes, maybe, no int }

func (t *tally) add(m Match) {
	switch m {
	case Yes:
		t.yes++
	case Maybe:
		t.maybe++
	case No:
		t.no++
	}
}

func (t *tally) match() Match {
	switch {
	case t.yes > 0 && t.maybe+t.no == 0:
		return Yes
	case t.yes+t.maybe > 0:
		return Maybe
	}
	return No
}

// visit looks for the parameter inside a value. A name with a dot may be nested, or may be
// written with the dot; one in another letter case may be the same to who reads it.
func (q *parameterPattern) visit(v strictjson.Value, path string, t *tally) {
	items := v.Items()
	switch v.Kind() {
	case '{':
		for name, value, ok := items.Next(); ok; name, value, ok = items.Next() {
			q.member(name.Text(), value, path, t)
		}
	case '[':
		for _, value, ok := items.Next(); ok; _, value, ok = items.Next() {
			q.visit(value, path, t)
		}
	case 'n':
	default:
		t.add(Maybe) // another reader may find the parameter in it
	}
}

func (q *parameterPattern) member(name []byte, value strictjson.Value, path string, t *tally) {
	switch {
	case string(name) == path:
		q.leaf(value, t)
	case q.extended && len(name) == len(path) && bytes.EqualFold(name, []byte(path)):
		var folded tally
		q.leaf(value, &folded)
		t.add(doubtful(folded))
	case q.extended && len(name) < len(path) && path[len(name)] == '.' && strings.HasPrefix(path, string(name)):
		q.visit(value, path[len(name)+1:], t)
	case q.extended && len(name) < len(path) && path[len(name)] == '.' && strings.EqualFold(path[:len(name)], string(name)):
		var folded tally
		q.visit(value, path[len(name)+1:], &folded)
		if folded != (tally{}) {
			t.add(doubtful(folded))
		}
	}
}

// doubtful is what a value says that may be that of another parameter.
func doubtful(t tally) Match { return min(t.match(), Maybe) }

// leaf compares the value of the parameter. All elements of a list are values of it.
func (q *parameterPattern) leaf(v strictjson.Value, t *tally) {
	switch v.Kind() {
	case '[':
		items, empty := v.Items(), true
		for _, value, ok := items.Next(); ok; _, value, ok = items.Next() {
			empty = false
			q.leaf(value, t)
		}
		if empty {
			t.add(Maybe)
		}
	case '{':
		t.add(Maybe)
	case '0':
		t.add(q.numeric(v))
	default:
		t.add(q.text(v))
	}
}

// text compares a string, true, false or null.
func (q *parameterPattern) text(v strictjson.Value) Match {
	text := []byte(v)
	if v.Kind() == '"' {
		text = v.Text()
	}
	switch {
	case q.sign != "":
		return Maybe
	case q.value.match(string(text)):
		return Yes
	}
	return No
}

// numeric compares a number: with another one by its value, with a pattern as it is
// written, unless it can be written in other ways.
func (q *parameterPattern) numeric(v strictjson.Value) Match {
	d, ok := parseDecimal(v)
	if q.isNumber {
		switch {
		case !ok:
			return Maybe
		case q.holds(d.compare(q.number)):
			return Yes
		}
		return No
	}
	every := !q.value.literal() && q.value.match("")
	switch fits := q.value.match(string(v)); {
	case q.value.literal():
		return No
	case every || ok && d.plain && fits:
		return Yes
	case ok && d.plain:
		return No
	}
	return Maybe
}

// holds: the order of a value and the number of the rule is the one that the rule names.
func (q *parameterPattern) holds(order int) bool {
	switch q.sign {
	case ">":
		return order > 0
	case ">=":
		return order >= 0
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	}
	return order == 0
}
