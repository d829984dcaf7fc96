package hook

import (
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// What a hook says could be anybody's words, so it never stands without the hook and its place.
func TestD1_WhatHooksSayNamesThem(t *testing.T) {
	guard := Run{Hook: "guard.sh", Origin: rule.Origin{File: "/home/ann/settings.json", Line: 2}, Event: PreToolUse, Decision: permission.Defer, Reason: "a person has to see it"}
	silent, function, before, asks, later := guard, guard, guard, guard, guard
	silent.Reason = "hook guard.sh (/home/ann/settings.json:2) says defer"
	function.Hook, function.Origin, function.Reason = "night", rule.Origin{}, "Not at night."
	asks.Decision = permission.Ask
	before.Decision = permission.Pass
	later.Event = PermissionRequest
	for name, c := range map[string]struct {
		runs []Run
		want string
	}{
		"a reason":          {[]Run{guard}, "a person has to see it, says hook guard.sh (/home/ann/settings.json:2)"},
		"no reason":         {[]Run{silent}, "hook guard.sh (/home/ann/settings.json:2) says defer"},
		"no file":           {[]Run{function}, "Not at night, says hook night"},
		"two of them":       {[]Run{guard, function}, "1. a person has to see it, says hook guard.sh (/home/ann/settings.json:2)\n2. Not at night, says hook night"},
		"beside other ones": {[]Run{before, asks, function, later}, "Not at night, says hook night"},
		"none":              {[]Run{asks}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := WhoSays(permission.Defer, c.runs); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
