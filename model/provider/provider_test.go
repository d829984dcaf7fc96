package provider_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/model/modeltest"
	"github.com/assent-dev/assent/model/provider"
)

type env map[string]string

func (e env) get(name string) string { return e[name] }

func file(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.yaml")
	if err := os.WriteFile(path, []byte("turns: [{say: from the script}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOpenChooses(t *testing.T) {
	key := "ANTHROPIC_API_KEY"
	tests := []struct {
		name     string
		model    string
		env      env
		provider string
		want     string
		source   provider.KeySource
	}{
		{"default", "", env{key: "k"}, "anthropic", "claude-sonnet-5-5", provider.AnthropicKey},
		{"the word default", "default", env{key: "k"}, "anthropic", "claude-sonnet-5-5", provider.AnthropicKey},
		{"sonnet", "sonnet", env{key: "k"}, "anthropic", "claude-sonnet-5-5", provider.AnthropicKey},
		{"opus", "Opus", env{key: "k"}, "anthropic", "claude-opus-5-5", provider.AnthropicKey},
		{"haiku", "haiku", env{key: "k"}, "anthropic", "claude-haiku-5-5", provider.AnthropicKey},
		{"haiku of the environment", "haiku", env{key: "k", "ANTHROPIC_DEFAULT_HAIKU_MODEL": "h"}, "anthropic", "h", provider.AnthropicKey},
		{"a full name", "claude-x", env{key: "k"}, "anthropic", "claude-x", provider.AnthropicKey},
		{"a token", "", env{"ANTHROPIC_AUTH_TOKEN": "t"}, "anthropic", "claude-sonnet-5-5", provider.AuthToken},
		{"the environment's model", "", env{key: "k", "ANTHROPIC_MODEL": "opus"}, "anthropic", "claude-opus-5-5", provider.AnthropicKey},
		{"assent's own comes first", "", env{key: "k", "ANTHROPIC_MODEL": "opus", "ASSENT_MODEL": "haiku"}, "anthropic", "claude-haiku-5-5", provider.AnthropicKey},
		{"the flag comes first", "sonnet", env{key: "k", "ASSENT_MODEL": "haiku"}, "anthropic", "claude-sonnet-5-5", provider.AnthropicKey},
		{"Anthropic before OpenAI", "", env{key: "k", "OPENAI_BASE_URL": "http://localhost:1/v1"}, "anthropic", "claude-sonnet-5-5", provider.AnthropicKey},
		{"openai by name", "openai:gpt-x", env{key: "k", "OPENAI_API_KEY": "k"}, "openai", "gpt-x", provider.OpenAIKey},
		{"openai by environment", "llama3:8b", env{"OPENAI_BASE_URL": "http://localhost:1/v1"}, "openai", "llama3:8b", provider.NoKey},
		{"openai by environment alone", "", env{"OPENAI_BASE_URL": "http://localhost:1/v1", "ASSENT_MODEL": "llama3"}, "openai", "llama3", provider.NoKey},
		{"anthropic by name", "anthropic:opus", env{key: "k"}, "anthropic", "claude-opus-5-5", provider.AnthropicKey},
		{"script", "script:" + file(t), env{key: "k"}, "script", "script", provider.NoKey},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := provider.Open(test.model, test.env.get, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got.Provider.Name() != test.provider || got.Model != test.want || got.Key != test.source {
				t.Errorf("got %s, %+v", got.Provider.Name(), got)
			}
		})
	}
}

func TestOpenExplains(t *testing.T) {
	tests := []struct {
		name, model string
		env         env
		want        []string
	}{
		{"nothing set", "", env{}, []string{"ANTHROPIC_API_KEY", "OPENAI_BASE_URL", "openai:NAME", "script:FILE"}},
		{"no key for Anthropic", "anthropic:opus", env{"OPENAI_BASE_URL": "http://x/v1"}, []string{"ANTHROPIC_API_KEY", "script:FILE"}},
		{"no server", "openai:llama3", env{}, []string{"OPENAI_BASE_URL", "OPENAI_API_KEY"}},
		{"no model", "", env{"OPENAI_BASE_URL": "http://x/v1"}, []string{"name of a model", "openai:NAME"}},
		{"no model after the colon", "openai:", env{"OPENAI_BASE_URL": "http://x/v1"}, []string{"name of a model"}},
		{"no file", "script:" + filepath.Join(t.TempDir(), "none"), env{}, []string{"script cannot be read"}},
		{"a broken address", "", env{"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": "localhost:8080"}, []string{"ANTHROPIC_BASE_URL", "http://"}},
		{"another broken address", "openai:x", env{"OPENAI_BASE_URL": "file:///x"}, []string{"OPENAI_BASE_URL", "http://"}},
		{"retries", "", env{"ANTHROPIC_API_KEY": "k", "ASSENT_MAX_RETRIES": "many"}, []string{"ASSENT_MAX_RETRIES", `"many"`}},
		{"fewer than none", "", env{"ANTHROPIC_API_KEY": "k", "CLAUDE_CODE_MAX_RETRIES": "-1"}, []string{"CLAUDE_CODE_MAX_RETRIES"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := provider.Open(test.model, test.env.get, nil)
			if err == nil {
				t.Fatal("it opens")
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not name %s", err, want)
				}
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q is more than a sentence", err)
			}
		})
	}
}

func TestOpenAsksTheServersOfTheEnvironment(t *testing.T) {
	messages, chat := modeltest.Messages(t, modeltest.Say("from messages")), modeltest.Chat(t, modeltest.Say("from chat"))
	tests := []struct {
		model  string
		env    env
		server *modeltest.Server
		want   string
	}{
		{"opus", env{"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": messages.URL}, messages, "from messages"},
		{"openai:x", env{"OPENAI_BASE_URL": chat.URL}, chat, "from chat"},
		{"script:" + file(t), env{}, chat, "from the script"},
	}
	for _, test := range tests {
		c, err := provider.Open(test.model, test.env.get, &provider.Options{Client: test.server.Client})
		if err != nil {
			t.Fatal(err)
		}
		turn, err := c.Provider.Ask(t.Context(), modeltest.Ask(), nil)
		if err != nil || model.PlainText(turn.Content) != test.want {
			t.Errorf("%s: got %+v, %v", test.model, turn, err)
		}
	}
}

func TestRetriesOfTheEnvironment(t *testing.T) {
	tests := []struct {
		env  env
		want int // requests
	}{
		{env{}, 11},
		{env{"ASSENT_MAX_RETRIES": "2", "CLAUDE_CODE_MAX_RETRIES": "5"}, 3},
		{env{"CLAUDE_CODE_MAX_RETRIES": "1"}, 2},
		{env{"ASSENT_MAX_RETRIES": "0"}, 1},
	}
	for _, test := range tests {
		server := modeltest.Messages(t, modeltest.Fail(500, "broken"))
		test.env["ANTHROPIC_API_KEY"], test.env["ANTHROPIC_BASE_URL"] = "k", server.URL
		c, err := provider.Open("", test.env.get, &provider.Options{Client: server.Client, Retry: model.RetryOptions{First: time.Nanosecond, Longest: time.Nanosecond}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Provider.Ask(t.Context(), modeltest.Ask(), nil)
		if _, ok := errors.AsType[*model.Error](err); !ok || len(server.Requests()) != test.want {
			t.Errorf("%v: %d requests, %v", test.env, len(server.Requests()), err)
		}
	}
}
