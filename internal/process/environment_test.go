package process_test

import (
	"slices"
	"testing"

	"github.com/assent-dev/assent/internal/process"
)

// TestT1_WhatAnswersForAPersonIsNotHandedOn: the token of the inbox and the database stay.
func TestT1_WhatAnswersForAPersonIsNotHandedOn(t *testing.T) {
	given := []string{"A=1", "ASSENT_TOKEN=sesame", "ASSENT_TOKENS=2", "assent_token=sesame", "ASSENT_DATABASE=postgres://u:sesame@h/n", "ASSENT_TOKEN", "CREDENTIALS_DIRECTORY=/run/credentials/x", "ASSENT_HOME=/h", "odd", ""}
	before := slices.Clone(given)
	if got, want := process.HandedOn(given), []string{"A=1", "ASSENT_TOKENS=2", "ASSENT_HOME=/h", "odd", ""}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if !slices.Equal(given, before) {
		t.Errorf("what was handed in is changed: %q", given)
	}
}

// What this process learns to be a secret later is not handed on either.
func TestT1_WhatIsWithheldIsNotHandedOn(t *testing.T) {
	given := []string{"OPS_SECRET=sesame", "OPS_SECRETS=2", "ops_secret=sesame"}
	if got := process.HandedOn(given); !slices.Equal(got, given) || process.Withheld("OPS_SECRET") {
		t.Fatalf("%q", got)
	}
	process.Withhold("OPS_SECRET")
	process.Withhold("OPS_SECRET", "OTHER")
	if got := process.HandedOn(given); !slices.Equal(got, []string{"OPS_SECRETS=2"}) || !process.Withheld("OTHER") {
		t.Errorf("%q", got)
	}
}
