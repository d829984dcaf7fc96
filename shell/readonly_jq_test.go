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
		"jq -n 'import@text \"s\" as $d; $d'":        false,
		"jq -n 'include@json\"m\"; z'":               false,
		"jq -n 'module$__loc__; import \"s\" as $d'": false,
		"jq '#import' import.json":                   false,
		"jq . import.json":                           true,
		"jq . include-dir/x":                         true,
		"yq -n 'import@text \"s\" as $d; $d'":        false,
		"yq -n 'str_load(\".env\")'":                 false,
		"yq -n 'strload(\".env\")'":                  false,
		"yq -n 'load \"s\"'":                         false,
		"yq -n '[1]|mapload(\"s\")'":                 false,
		"yq '.spec.workload[\"load(\"]' x.yaml":      true,
		"yq '.a \\\"load' x.yaml":                    true,
		`jq -f filter.jq x`:                          false,
		`jq -nf filter.jq`:                           false,
		`jq --from-file filter.jq x`:                 false,
		`yq '.load' x.yaml`:                          true,
		`yq '.payload | .eval' x.yaml`:               true,
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

// A part of a filter that is only known when it runs may be what reads a file, where it can still
// begin one.
func TestS5_FiltersThatMayReadFiles(t *testing.T) {
	for command, asked := range map[string]bool{
		`jq -n "$A"`: true, `jq -n "im$A"`: true, `jq -n " $A"`: true, `jq -n "#$A"`: true, `jq -n "module$A"`: true,
		`jq ".$KEY" f`: false, `jq ".a[$N]" f`: false, `jq "map($A)" f`: false, `jq --arg a "$A" .a f`: false,
	} {
		script := Parse(command)
		unknown := slices.ContainsFunc(script.Accesses(), func(a Access) bool { return a.Path == unknownMark && a.Mode == Reads })
		if unknown != asked {
			t.Errorf("%s: %+v", command, script.Accesses())
		}
	}
}
