package shell

import (
	"slices"
	"strings"
	"testing"
)

// A filter of jq or yq can read files that no operand names.
func TestS5_FiltersThatReadFiles(t *testing.T) {
	for command, reads := range map[string]bool{
		`jq . x.json`:                                true,
		`jq -r '.include' include`:                   true,
		`jq '.import "x"' import.json`:               true,
		`jq 'importance' x`:                          true,
		`jq '# a filter⏎.x' x.json`:                  true,
		`jq --arg import x '.y' f`:                   true,
		`jq -n 'import "s" as $d {search:"./"}; $d'`: false,
		`jq -n -L . 'import "s" as $d; $d'`:          false,
		`jq -n ' include "m" {search:"../out"}; z'`:  false,
		`jq -n 'import"s"as $d;$d'`:                  false,
		`jq -n '# x⏎import "s" as $d; $d'`:           false,
		`jq -n '# x\⏎.x⏎import "s" as $d; $d'`:       false,
		`jq -n 'module {}; import "s" as $d; $d'`:    false,
		`jq --arg a b 'import "s" as $d; $d' f`:      false,
		`jq -f filter.jq x`:                          false,
		`jq -nf filter.jq`:                           false,
		`jq --from-file filter.jq x`:                 false,
		`yq '.load' x.yaml`:                          true,
		`yq '.payload("x")' x.yaml`:                  true,
		`yq -n 'load("secret.json")'`:                false,
		`yq -n '.a = load_str (".env")'`:             false,
		`yq '.a | eval("lo" + "ad(\"s\")")' x.yaml`:  false,
		`yq 'import "s" as $d; $d' x.yaml`:           false,
	} {
		script := Parse(strings.ReplaceAll(command, "⏎", "\n"))
		doubt := script.Commands[0].doubt()
		if (doubt.Text == "") != reads {
			t.Errorf("%s: %q", command, doubt.Text)
		}
		unknown := slices.ContainsFunc(script.Accesses(), func(a Access) bool { return a.Path == unknownMark && a.Mode == Reads })
		if unknown == reads {
			t.Errorf("%s: %+v", command, script.Accesses())
		}
	}
}
