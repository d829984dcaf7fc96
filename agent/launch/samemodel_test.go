package launch

import "testing"

func TestS28_TheModelWithWhichASessionBegan(t *testing.T) {
	for _, tt := range []struct{ recorded, base, want string }{
		{"claude-opus-5-5", "", "claude-opus-5-5"},
		{"claude-opus-5-5", "http://localhost/v1", "claude-opus-5-5"},
		{"llama3:8b", "http://localhost/v1", "openai:llama3:8b"},
		{"llama3:8b", "", "llama3:8b"},
		{"script", "http://localhost/v1", ""},
		{"own", "", ""},
		{"", "http://localhost/v1", ""},
	} {
		env := func(name string) string {
			if name == "OPENAI_BASE_URL" {
				return tt.base
			}
			return ""
		}
		if got := sameModel(tt.recorded, env); got != tt.want {
			t.Errorf("%s with %q: %q", tt.recorded, tt.base, got)
		}
	}
}
