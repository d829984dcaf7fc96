package builtin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// mostRegexp bounds the length of a regular expression.
const mostRegexp = 10_000

// expression is what Grep looks for.
type expression struct {
	re *regexp.Regexp
	// required is a text that every match holds, "" when none is known. Looking for it
	// first is many times faster than trying every line.
	required []byte
	// multiline: a match may go over several lines.
	multiline bool
	// keepReturn: the expression is about carriage returns, so the one at the end of a
	// line belongs to the line.
	keepReturn bool
	// size is how many instructions the expression has become: how costly a character is.
	size int
}

func newExpression(pattern string, ignoreCase, multiline bool) (*expression, error) {
	if len(pattern) > mostRegexp {
		return nil, fmt.Errorf("the regular expression has more than %d characters", mostRegexp)
	}
	if _, err := syntax.Parse(pattern, syntax.Perl); err != nil {
		return nil, explainRegexp(pattern, err)
	}
	flags := "(?m"
	if ignoreCase {
		flags += "i"
	}
	if multiline {
		flags += "s"
	}
	re, err := regexp.Compile(flags + ")" + pattern)
	if err != nil {
		return nil, explainRegexp(pattern, err)
	}
	e := &expression{re: re, multiline: multiline, keepReturn: multiline || strings.Contains(pattern, `\r`)}
	tree, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil {
		return nil, explainRegexp(pattern, err)
	}
	e.required = []byte(requiredText(tree))
	program, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, explainRegexp(pattern, err)
	}
	e.size = len(program.Inst)
	return e, nil
}

// explainRegexp says what is wrong in words that lead to a better expression.
func explainRegexp(pattern string, err error) error {
	var fault *syntax.Error
	if !errors.As(err, &fault) {
		return fmt.Errorf("the regular expression %q cannot be used: %w", pattern, err)
	}
	hint := ""
	switch {
	case strings.HasPrefix(fault.Expr, "(?=") || strings.HasPrefix(fault.Expr, "(?!") || strings.HasPrefix(fault.Expr, "(?<"):
		hint = ": the syntax is that of RE2, which has no look-around"
	case fault.Code == syntax.ErrInvalidEscape && len(fault.Expr) == 2 && '1' <= fault.Expr[1] && fault.Expr[1] <= '9':
		hint = ": the syntax is that of RE2, which has no backreferences"
	case fault.Code == syntax.ErrMissingRepeatArgument, fault.Code == syntax.ErrMissingParen, fault.Code == syntax.ErrMissingBracket, fault.Code == syntax.ErrUnexpectedParen:
		hint = `: write a backslash in front of a character that is meant as it is, as in \( or \[`
	case fault.Code == syntax.ErrInvalidRepeatOp:
		hint = ": the syntax is that of RE2, which has no possessive repetition"
	}
	return fmt.Errorf("the regular expression %q cannot be used: %s: %q%s", pattern, fault.Code, fault.Expr, hint)
}

// requiredText is the longest literal text that stands in every match.
func requiredText(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return string(re.Rune)
		}
	case syntax.OpCapture, syntax.OpPlus:
		return requiredText(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return requiredText(re.Sub[0])
		}
	case syntax.OpConcat:
		longest := ""
		for _, sub := range re.Sub {
			if text := requiredText(sub); len(text) > len(longest) {
				longest = text
			}
		}
		return longest
	}
	return ""
}

// mostWork is how many steps a match may take before it must listen for the end of
// the search.
const mostWork = 20_000_000

// find is where the first match in a text is. A costly one reads the text bit by bit,
// which is slower, and stops when the context ends.
func (e *expression) find(ctx context.Context, text []byte) (from, to int, ok bool) {
	var at []int
	if len(text)*e.size <= mostWork {
		at = e.re.FindIndex(text)
	} else {
		at = e.re.FindReaderIndex(&attentive{ctx: ctx, text: text})
	}
	if at == nil || ctx.Err() != nil {
		return 0, 0, false
	}
	return at[0], at[1], true
}

func (e *expression) matches(ctx context.Context, text []byte) bool {
	if len(text)*e.size <= mostWork {
		return e.re.Match(text)
	}
	return e.re.MatchReader(&attentive{ctx: ctx, text: text}) && ctx.Err() == nil
}

// next is the first group of lines at or behind an offset that matches: one line, or
// those that a match over several lines touches. The offset is that of a line. The
// group is without the last line feed.
func (e *expression) next(ctx context.Context, text []byte, at int) (from, to int, ok bool) {
	if e.multiline {
		return e.nextSpan(ctx, text, at)
	}
	for at < len(text) && ctx.Err() == nil {
		if len(e.required) > 0 {
			i := bytes.Index(text[at:], e.required)
			if i < 0 {
				break
			}
			at += bytes.LastIndexByte(text[at:at+i], '\n') + 1
		}
		end := lineEnd(text, at)
		if e.matches(ctx, e.line(text[at:end])) {
			return at, end, true
		}
		at = end + 1
	}
	return 0, 0, false
}

func (e *expression) nextSpan(ctx context.Context, text []byte, at int) (from, to int, ok bool) {
	if at >= len(text) || len(e.required) > 0 && !bytes.Contains(text[at:], e.required) {
		return 0, 0, false
	}
	from, to, ok = e.find(ctx, text[at:])
	from, to = from+at, to+at
	if !ok || from == len(text) && text[from-1] == '\n' {
		return 0, 0, false // behind the last line feed there is no line
	}
	if to > from && text[to-1] == '\n' {
		to-- // the line feed belongs to the line that it ends
	}
	return bytes.LastIndexByte(text[:from], '\n') + 1, lineEnd(text, to), true
}

// line is what of a line is compared and shown.
func (e *expression) line(line []byte) []byte {
	if e.keepReturn {
		return line
	}
	return bytes.TrimSuffix(line, []byte{'\r'})
}

// lineEnd is the offset of the line feed that ends the line at an offset.
func lineEnd(text []byte, at int) int {
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(text)
}

// attentive reads a text until its context ends.
type attentive struct {
	ctx  context.Context
	text []byte
	at   int
	read int
}

func (a *attentive) ReadRune() (rune, int, error) {
	if a.at >= len(a.text) {
		return 0, 0, io.EOF
	}
	if a.read++; a.read%256 == 0 && a.ctx.Err() != nil {
		return 0, 0, io.EOF
	}
	r, size := utf8.DecodeRune(a.text[a.at:])
	a.at += size
	return r, size, nil
}
