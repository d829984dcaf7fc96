package main

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
)

// The table of what hooks are told names every field of every event, and no other.
func TestH1_TheInputsAreDocumented(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "hooks.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## What a hook is told\n")
	section, _, _ = strings.Cut(section, "\n## ")
	intro, _, _ := strings.Cut(section, "\n| event ")
	inputs := []hook.Input{
		hook.PreToolUseInput{},
		hook.PostToolUseInput{},
		hook.PostToolUseFailureInput{},
		hook.PermissionRequestInput{},
		hook.PermissionDeniedInput{},
		hook.NotificationInput{},
		hook.UserPromptSubmitInput{},
		hook.SessionStartInput{},
		hook.SessionEndInput{},
		hook.StopInput{},
		hook.SubagentStartInput{},
		hook.SubagentStopInput{},
		hook.PreCompactInput{},
	}
	if len(inputs) != len(hook.Events) {
		t.Fatalf("%d inputs for %d events", len(inputs), len(hook.Events))
	}
	for _, in := range inputs {
		row := regexp.MustCompile("(?m)^\\| `" + string(in.Event()) + "` \\| (.*) \\| (.*)\\|$").FindStringSubmatch(section)
		if row == nil {
			t.Errorf("%s has no row", in.Event())
			continue
		}
		told := fieldsOf(t, in)
		for _, field := range told {
			switch {
			case field == "permission_mode":
			case !strings.Contains(row[1]+intro, "`"+field+"`"):
				t.Errorf("%s: %s is not documented", in.Event(), field)
			}
		}
		for _, field := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(row[1], -1) {
			if !slices.Contains(told, field[1]) {
				t.Errorf("%s: there is no %s", in.Event(), field[1])
			}
		}
		if mode := strings.TrimSpace(row[2]) == "yes"; mode != slices.Contains(told, "permission_mode") {
			t.Errorf("%s: permission_mode: %v", in.Event(), mode)
		}
	}
}

// fieldsOf are the names of all fields that hooks may be told at an event.
func fieldsOf(t *testing.T, in hook.Input) []string {
	t.Helper()
	full := reflect.New(reflect.TypeOf(in)).Elem()
	fill(t, full)
	text, err := hook.Encode(full.Interface().(hook.Input))
	if err != nil {
		t.Fatal(err)
	}
	var object map[string]strictjson.Raw
	if err := strictjson.Unmarshal(text, &object); err != nil {
		t.Fatal(err)
	}
	var names []string
	for name := range object {
		names = append(names, name)
	}
	return names
}

// fill gives every field a value, so that none is left out.
func fill(t *testing.T, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i))
		}
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Slice: // JSON
		v.SetBytes([]byte(`{}`))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem())
	default:
		t.Fatalf("a field of type %v", v.Type())
	}
}
