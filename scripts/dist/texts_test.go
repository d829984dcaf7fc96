package main

import "testing"

func TestOutward(t *testing.T) {
	r := release{version: "v1.2.3"}
	for text, want := range map[string]string{
		"[a](docs/a.md), [b](hook/doc.go)": "[a](https://github.com/assent-dev/assent/blob/v1.2.3/docs/a.md), [b](https://github.com/assent-dev/assent/blob/v1.2.3/hook/doc.go)",
		"[a](docs/a.md#part)":              "[a](https://github.com/assent-dev/assent/blob/v1.2.3/docs/a.md#part)",
		"[`a`](examples/sdk)":              "[`a`](https://github.com/assent-dev/assent/blob/v1.2.3/examples/sdk)",
		"[here](#part)":                    "[here](#part)",
		"[away](https://example.com/a)":    "[away](https://example.com/a)",
		"[inside](LICENSE)":                "[inside](LICENSE)",
		"[inside](CHANGELOG.md#new)":       "[inside](CHANGELOG.md#new)",
		"f(a)[0](b c)":                     "f(a)[0](b c)",
	} {
		if got := r.outward(text); got != want {
			t.Errorf("%s becomes %s, want %s", text, got, want)
		}
	}
}
