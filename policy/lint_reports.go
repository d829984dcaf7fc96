package policy

import (
	"fmt"

	"github.com/assent-dev/assent/settings"
)

// reports turns what the settings say about themselves into findings. What is held
// back for want of trust is one finding a file: it is about this machine, not
// about the file.
func (l *linter) reports(all []settings.Report) {
	held := map[string]int{}
	for _, r := range all {
		if r.Kind == settings.HeldBackGrant {
			held[r.File]++
		}
	}
	told := map[string]bool{}
	for _, r := range all {
		if r.Kind == settings.HeldBackGrant {
			if told[r.File] {
				continue
			}
			told[r.File] = true
			r.Line, r.Text = 0, grantsHeldBack(held[r.File])
		}
		if r.Kind == settings.UnknownKey {
			continue // which is said with a suggestion, see keys
		}
		severity, code := rank(r.Kind)
		l.found = append(l.found, Finding{Severity: severity, Code: code, File: r.File, Line: r.Line, Text: r.Text, Fix: r.Hint})
	}
}

func grantsHeldBack(n int) string {
	verb := "are"
	if n == 1 {
		verb = "is"
	}
	return fmt.Sprintf("%d of its grants %s held back: nobody has trusted this workspace", n, verb)
}

func rank(k settings.Kind) (Severity, string) {
	switch k {
	case settings.MalformedRule:
		return Error, "malformed-rule"
	case settings.HeldBackGrant:
		return Info, "held-back"
	case settings.UnknownMode:
		return Error, "unknown-mode"
	case settings.BypassDisabled:
		return Warning, "bypass-disabled"
	case settings.DirectoryMissing:
		return Warning, "directory-missing"
	case settings.BrokenFile:
		return Error, "broken-file"
	case settings.MendedFile:
		return Info, "mended-file"
	case settings.TrustChanged:
		return Warning, "trust-changed"
	case settings.TrustUnreadable:
		return Error, "trust-unreadable"
	case settings.NotEnforced:
		return Error, "not-enforced"
	case settings.UnknownValue:
		return Error, "unknown-value"
	case settings.ModeRefused:
		return Warning, "mode-refused"
	case settings.UnknownKey:
		return Warning, "unknown-key"
	case settings.ManagedOnly:
		return Info, "managed-only"
	case settings.NoEffect:
		return Warning, "no-effect"
	}
	return Warning, "unknown"
}
