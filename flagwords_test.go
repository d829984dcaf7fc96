package assent_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/permission"
)

// TestK1_ErrorsNameOptions: a Go program has no flags.
func TestK1_ErrorsNameOptions(t *testing.T) {
	for name, tt := range map[string]struct {
		option assent.Option
		want   string
	}{
		"servers":             {assent.MCPConfig("/no/such/file"), "assent.MCPConfig"},
		"agents":              {assent.Agents("["), "assent.Agents"},
		"settings":            {assent.Settings("{"), "assent.Settings"},
		"the last session":    {assent.Continue(), "assent.Run"},
		"a model":             {assent.Options(assent.Provider(nil), assent.Model("script:/no/such/file")), ""},
		"no model at all":     {assent.Options(assent.Provider(nil), assent.Model("")), "assent.Model"},
		"a classifier":        {assent.Options(assent.PermissionMode(permission.Auto), assent.Classifier("nobody:x")), "assent.Classifier"},
		"no session of an id": {assent.Resume(anID), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("ANTHROPIC_API_KEY", "")
			t.Setenv("OPENAI_API_KEY", "")
			p := newPlace(t)
			_, err := assent.Open(t.Context(), p.with(greets, tt.option)...)
			if err == nil || strings.Contains(err.Error(), "--") || strings.Contains(err.Error(), "assent -p") || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v", err)
			}
		})
	}
	t.Run("a mode", func(t *testing.T) {
		p := newPlace(t)
		err := opened(t, p.with(greets)...).SetPermissionMode(t.Context(), permission.BypassPermissions)
		if err == nil || strings.Contains(err.Error(), "--") || !strings.Contains(err.Error(), "assent.AllowBypass") {
			t.Errorf("%v", err)
		}
	})
	t.Run("a warning", func(t *testing.T) {
		p := newPlace(t)
		watch(t, "hi", p.with(greets, assent.PermissionMode(permission.BypassPermissions), assent.SessionID(anID)))
		_, warnings := warned(t, p.with(greets, assent.Resume(anID)))
		if !strings.Contains(warnings, "assent.PermissionMode") || strings.Contains(warnings, "--") {
			t.Errorf("%q", warnings)
		}
	})
	t.Run("the type stays", func(t *testing.T) {
		p := newPlace(t)
		_, err := assent.Open(t.Context(), p.with(greets, assent.Continue())...)
		if none := new(assent.NoSessionError); !errors.As(err, &none) {
			t.Errorf("%T", err)
		}
	})
}
