package permission_test

import (
	"fmt"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/shell"
)

func manyRules(n int) lists {
	var l lists
	for i := range n / 2 {
		l.Allow = append(l.Allow, fmt.Sprintf("Edit(/dir%d/**)", i), fmt.Sprintf("mcp__server%d__tool", i))
	}
	l.Deny = []string{"Read(/secret/**)", "mcp__bad"}
	return l
}

func BenchmarkDecide(b *testing.B) {
	for _, n := range []int{10, 1000, 100_000} {
		w := newWorld(b, manyRules(n))
		for name, call := range map[string]*permission.Call{
			"edit": w.validate("Edit", fileInput("Edit", "dir3/sub/a.go")),
			"read": w.validate("Read", fileInput("Read", "other/sub/a.go")),
			"mcp":  w.validate("mcp__server3__tool", map[string]any{}),
		} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					w.engine.Decide(w.ctx, call)
				}
			})
		}
	}
}

func BenchmarkDecideBash(b *testing.B) {
	w := newWorld(b, lists{Allow: []string{"Bash(go test:*)", "Bash(npm run:*)"}, Ask: []string{"Bash(git push:*)"}, Deny: []string{"Bash(rm -rf *)", "Read(.env)"}})
	for _, command := range []string{
		"git status",
		"go test -race ./internal/... 2>&1 | tail -50",
		"cd web && npm run build --if-present && ls -la dist",
		"find . -name '*.go' -not -path './vendor/*' | xargs grep -n \"func Test\" | sort | uniq -c",
		"for f in logs/*.log; do gzip -9 \"$f\"; done",
		"docker compose -f deploy/compose.yml up -d --build && docker compose logs --tail=100 api",
	} {
		call := w.validate("Bash", map[string]any{"command": command})
		b.Run("decide "+command, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				fresh := *call
				w.engine.Decide(w.ctx, &fresh)
			}
		})
		b.Run("parse "+command, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				shell.Parse(command)
			}
		})
	}
}

// A script is read again only for a question that needs it: here no rule is about files, and
// gzip is asked about whatever it packs.
func TestDecideReadsAScriptOnce(t *testing.T) {
	w := newWorld(t, lists{Deny: []string{"Bash(rm -rf *)"}})
	allocations := func(command string) float64 {
		call := w.validate("Bash", map[string]any{"command": command})
		return testing.AllocsPerRun(100, func() {
			fresh := *call
			w.engine.Decide(w.ctx, &fresh)
		})
	}
	hidden, seen := allocations(`for f in logs/*.log; do gzip -9 "$f"; done`), allocations(`for f in logs/*.log; do gzip -9 f; done`)
	if hidden > seen+12 {
		t.Errorf("%.0f allocations, and %.0f where nothing may hide behind a word", hidden, seen)
	}
}

func TestDecideAllocatesNothing(t *testing.T) {
	w := newWorld(t, manyRules(1000))
	for name, call := range map[string]*permission.Call{
		"edit": w.validate("Edit", fileInput("Edit", "dir3/sub/a.go")),
		"read": w.validate("Read", fileInput("Read", "other/sub/a.go")),
		"mcp":  w.validate("mcp__server3__tool", map[string]any{}),
		"deny": w.validate("Read", fileInput("Read", "secret/x")),
	} {
		if n := testing.AllocsPerRun(100, func() { w.engine.Decide(w.ctx, call) }); n != 0 {
			t.Errorf("%s: %.1f allocations", name, n)
		}
	}
}
