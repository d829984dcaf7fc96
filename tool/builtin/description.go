package builtin

import "embed"

// The texts are files of their own, so that they can be read and changed as prose.
//
//go:embed description/*.md
var descriptions embed.FS

// description is what the model reads about a tool.
func description(name string) string {
	text, err := descriptions.ReadFile("description/" + name + ".md")
	if err != nil {
		return "" // a test makes sure that every tool has one
	}
	return string(text)
}
