package rule

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestS47_WhatIsAParameterRule(t *testing.T) {
	for text, want := range map[string]string{
		"Bash(run_in_background:true)": "run_in_background=true", "Bash(run_in_background:*)": "run_in_background=*", "Bash(timeout:5)": "timeout=5",
		"Bash(npm run test:*)": "", "Bash(timeout:*)": "", "Bash(timeout:**)": "", "Bash(command:*)": "", "Bash(make:*)": "", "Bash(make:all)": "", "Bash(time:5)": "",
		"Read(limit:5)": "limit=5", "Read(a:b)": "", "Read(c:/x)": "", "Edit(limit:5)": "", "WebFetch(domain:a.b)": "", "WebFetch(prompt:x)": "prompt=x",
		"Agent(model:opus)": "model=opus", "Task( model: opus )": "model=opus", "Agent(plugin:reviewer)": "", "Skill(a:b)": "", "Grep(-i:true)": "-i=true",
		"mcp__a__b(c:d)": "c=d", "mcp__a__b(c.d:>5)": "c.d=>5", "mcp__a(c:d:e)": "c=d:e", "mcp__a__b(c)": "", "mcp__a__b(:c)": "", "mcp__a__b": "", "mcp__a__b(c:)": "c=",
		"deploy(env:prod)": "env=prod", "deploy(a b:c)": "", "deploy(prod)": "",
	} {
		r, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got := ""
		if name, value, ok := r.Parameter(); ok {
			got = name + "=" + value
		}
		if got != want {
			t.Errorf("%s is about %q, want %q", text, got, want)
		}
	}
}

func drawNumber(t *rapid.T, name string) string {
	return rapid.StringMatching(`-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,2})?`).Draw(t, name)
}

func TestDecimalsCompareExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawNumber(t, "a"), drawNumber(t, "b")
		if rapid.Bool().Draw(t, "close") {
			b = rapid.SampledFrom([]string{a, a + "0", a + "1", strings.TrimPrefix(a, "-"), a + "e0", a + ".0"}).Draw(t, "b")
		}
		x, okX := new(big.Rat).SetString(a)
		y, okY := new(big.Rat).SetString(b)
		d, okD := parseDecimal([]byte(a))
		e, okE := parseDecimal([]byte(b))
		if okX && okY && (!okD || !okE) {
			t.Fatalf("%s or %s is taken for no number", a, b)
		}
		if okD && okE && d.compare(e) != x.Cmp(y) {
			t.Fatalf("%s and %s compare as %d, want %d", a, b, d.compare(e), x.Cmp(y))
		}
	})
}

func TestDecimalsBeyondSense(t *testing.T) {
	for _, c := range []struct {
		value string
		want  Match
	}{{"1e400", Yes}, {"1e-400", No}, {"1e99999999999999999999", Maybe}, {"-1e99999999999999999999", Maybe}, {"500.0000000000000000000000000000000001", Yes}} {
		p, ok := parameterOf("mcp__a__b", "n:>500")
		q, f := parsePattern(p)
		if !ok || f != nil {
			t.Fatal(f)
		}
		if got := q.match([]byte(`{"n":` + c.value + `}`)); got != c.want {
			t.Errorf("%s > 500: %v, want %v", c.value, got, c.want)
		}
	}
}

// What restricts does so for every call that the same rule would allow.
func FuzzParameterRules(f *testing.F) {
	f.Add("amount:>500", `{"amount":501,"Amount":[1,"2"]}`)
	f.Add("order.country:D*", `{"order":{"country":"DE"},"order.country":null}`)
	f.Add("a:1e2", `{"a":100.0}`)
	f.Fuzz(func(t *testing.T, content, input string) {
		deny, ok, err := Read("mcp__a__b("+content+")", Deny, Origin{Source: Session})
		if !ok || err != nil || deny.Bare {
			return
		}
		allow := deny
		allow.Behavior, allow.List = Allow, Allow
		hits := Compile([]Rule{deny, allow}, Anchors{}).Parameters("mcp__a__b", []byte(input))
		if hits.Allow != nil && hits.Deny == nil {
			t.Errorf("%s allows %s and does not deny it", content, input)
		}
	})
}

func BenchmarkParameters(b *testing.B) {
	for _, n := range sizes {
		list := manyRules(b, n)
		for _, text := range []string{"mcp__pay__refund(amount:>500)", "mcp__pay__refund(order.country:DE)"} {
			r, _, _ := Read(text, Deny, Origin{Source: PolicySettings})
			list = append(list, r)
		}
		s := Compile(list, smallAnchors)
		for name, tool := range map[string]string{"hit": "mcp__pay__refund", "other": "mcp__pay__charge"} {
			input := []byte(`{"id":"ch_1234","amount":499.99,"order":{"country":"US","lines":[{"sku":"a","count":2}]}}`)
			b.Run(name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					s.Parameters(tool, input)
				}
			})
		}
	}
}
