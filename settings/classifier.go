package settings

import "github.com/assent-dev/assent/rule"

// BuiltinClassifier is the name of the classifier that needs no model.
const BuiltinClassifier = "builtin"

// classifier reads assent.classifier: "builtin", or the name of a model.
func (r *reader) classifier(m member) entry {
	const hint = `write {"model": "NAME"} or "builtin"`
	if m.value.Kind == '"' && m.value.Text() == BuiltinClassifier {
		return entry{text: BuiltinClassifier, line: m.line}
	}
	if m.value.Kind != '{' {
		r.fail(m.value, "classifier names no model", hint)
		return entry{}
	}
	chosen := entry{}
	for _, m := range r.object(m.value, "classifier", []string{"model"}) {
		if m.name != "model" || m.value.Kind != '"' || m.value.Text() == "" {
			r.fail(m.value, "classifier has "+visible(m.name)+", which names no model", hint)
			return entry{}
		}
		chosen = entry{text: m.value.Text(), line: m.line}
	}
	if !chosen.set() {
		r.fail(m.value, "classifier names no model", hint)
	}
	return chosen
}

// ClassifierChoice is who judges calls in auto mode, and which file says so.
type ClassifierChoice struct {
	// Name is that of a model, or BuiltinClassifier; empty when no file says.
	Name string
	File *File
	Line int
}

// Managed: the choice is the administrator's, and nobody else's counts.
func (c ClassifierChoice) Managed() bool {
	return c.File != nil && c.File.Source == rule.PolicySettings
}

// Classifier is the choice of the nearest file that may choose. The administrator's
// comes first; a workspace that nobody has trusted has none, for a classifier lets
// calls through.
func (s *Settings) Classifier() ClassifierChoice {
	for i := range s.Files {
		f := &s.Files[i]
		if !f.Trusted {
			continue
		}
		for _, t := range s.texts {
			if t.source == f.Source && t.path == f.Path && t.said != nil && t.said.classifier.set() {
				return ClassifierChoice{Name: t.said.classifier.text, File: f, Line: t.said.classifier.line}
			}
		}
	}
	return ClassifierChoice{}
}
