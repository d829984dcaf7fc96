package main

import (
	"fmt"
	"math/rand/v2"
)

// effect is what a statement of the policy does.
type effect uint8

const (
	permit effect = iota + 1
	forbid
)

// statement is one rule in words that every contender has an equivalent for.
type statement struct {
	effect effect
	tool   string
	// dir: only files below it; empty means every call of the tool.
	dir string
}

// verdict is the answer in words that every contender has: some peers know only
// whether a call may run.
type verdict uint8

const (
	permitted verdict = iota + 1
	refused
)

func (v verdict) String() string {
	switch v {
	case permitted:
		return "permitted"
	case refused:
		return "refused"
	}
	return "no verdict"
}

// The project that all calls are about.
const (
	home    = "/home/dev"
	project = home + "/proj"
)

// pattern is the repeating group of statements that a policy is made of, as a large
// organisation would have them: tools and directories by name, some closed.
var pattern = [...]struct {
	effect    effect
	tool, dir string // with the number of the group
}{
	{permit, "mcp__server%d__read", ""},
	{permit, "Edit", project + "/dir%d"},
	{permit, "Read", "/srv/team%d"},
	{forbid, "mcp__server%d__drop", ""},
	{forbid, "Edit", project + "/dir%d/secret"},
}

// statements is a policy of n statements.
func statements(n int) []statement {
	all := make([]statement, n)
	for i := range all {
		p, group := pattern[i%len(pattern)], i/len(pattern)
		all[i] = statement{p.effect, numbered(p.tool, group), numbered(p.dir, group)}
	}
	return all
}

// question is one call, put to every contender.
type question struct {
	tool, path string // path is empty for tools that name no file
	want       verdict
}

// workload is a kind of call that is measured.
type workload struct {
	name       string
	tool, path string // with the number of a group
	want       verdict
}

var workloads = []workload{
	{"tool, permitted", "mcp__server%d__read", "", permitted},
	{"tool, forbidden", "mcp__server%d__drop", "", refused},
	{"tool, no rule", "mcp__server%d__list", "", refused},
	{"Read, permitted", "Read", "/srv/team%d/app/internal/server/handler.go", permitted},
	{"Read, no rule", "Read", "/opt/team%d/app/internal/server/handler.go", refused},
	{"Edit, permitted", "Edit", project + "/dir%d/internal/server/handler.go", permitted},
	{"Edit, forbidden", "Edit", project + "/dir%d/secret/server/key.pem", refused},
	{"Edit, no rule", "Edit", project + "/app%d/internal/server/handler.go", refused},
}

// mostQuestions bounds the calls of one workload.
const mostQuestions = 256

// questions are calls all over a policy of n statements, so that caches are as cold
// as in real life. They come in no order, so that a contender that answers only a
// few of them, and stops at the first match, meets it in the middle on average.
func (w workload) questions(n int) []question {
	groups := n / len(pattern)
	all := make([]question, min(groups, mostQuestions))
	for i, place := range rand.New(rand.NewPCG(1, 2)).Perm(len(all)) {
		group := place * groups / len(all)
		all[i] = question{numbered(w.tool, group), numbered(w.path, group), w.want}
	}
	return all
}

func numbered(form string, n int) string {
	for i := range len(form) {
		if form[i] == '%' {
			return fmt.Sprintf(form, n)
		}
	}
	return form
}
