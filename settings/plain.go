package settings

import "github.com/assent-dev/assent/internal/strictjson"

// Plain is settings that were written as text, with comments and trailing commas blanked
// out: the JSON object that readers without them understand.
func Plain(text string) (strictjson.Raw, error) {
	d, broken := parse(flagName, text)
	if broken != nil {
		return nil, broken
	}
	return strictjson.Raw(d.text), nil
}
