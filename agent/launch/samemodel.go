package launch

import (
	"strings"

	"github.com/assent-dev/assent/model/script"
)

// sameModel is the name by which to ask for the model with which a session began; empty
// when its record does not say which that is. A record has the name alone, so the
// environment says how a model is reached that is not one of Anthropic's.
func sameModel(recorded string, env func(string) string) string {
	switch {
	case recorded == script.Model || recorded == ownModel:
		return ""
	case recorded != "" && !strings.HasPrefix(recorded, "claude") && (env("OPENAI_BASE_URL") != "" || env("OPENAI_API_KEY") != ""):
		return "openai:" + recorded
	}
	return recorded
}
