// Package provider chooses how to reach a model, by its name and the environment.
//
//	script:FILE     plays the turns of a YAML file; see package script
//	openai:NAME     asks an OpenAI-compatible server
//	anthropic:NAME  asks the Anthropic Messages API
//	NAME            asks an OpenAI-compatible server if OPENAI_BASE_URL is set and no
//	                key for Anthropic is, and the Anthropic Messages API otherwise
//
// It is the only package that knows all of them.
package provider

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/model/anthropic"
	"github.com/assent-dev/assent/model/openai"
	"github.com/assent-dev/assent/model/script"
)

// Options are for tests and embedders; the zero value and nil are good.
type Options struct {
	// Client sends the requests; nil means one with the defaults of Go.
	Client *http.Client
	// Retry says how patient the provider is. Its Max counts where the environment
	// says nothing.
	Retry model.RetryOptions
}

// KeySource is where the key comes from, as hosts are told.
type KeySource string

// The sources.
const (
	NoKey        KeySource = "none"
	AnthropicKey KeySource = "ANTHROPIC_API_KEY"
	AuthToken    KeySource = "ANTHROPIC_AUTH_TOKEN"
	OpenAIKey    KeySource = "OPENAI_API_KEY"
)

// Choice is what Open has chosen.
type Choice struct {
	Provider model.Provider
	// Model is the name to ask for, aliases resolved.
	Model string
	Key   KeySource
}

// Open chooses a provider. name is that of --model and may be empty; env reads the
// environment. The provider tries again what may succeed in a while.
func Open(name string, env func(string) string, o *Options) (Choice, error) {
	if o == nil {
		o = &Options{}
	}
	retry := o.Retry
	if err := readRetries(&retry, env); err != nil {
		return Choice{}, err
	}
	c, err := choose(name, env, o)
	if err != nil {
		return Choice{}, err
	}
	c.Provider = model.Retry(c.Provider, retry)
	return c, nil
}

func choose(name string, env func(string) string, o *Options) (Choice, error) {
	way, name := wayTo(name, env)
	switch way {
	case scripted:
		p, err := script.Open(name)
		return Choice{p, script.Model, NoKey}, err
	case compatible:
		p, err := openOpenAI(name, env, o)
		return Choice{p, name, openAIKey(env)}, err
	case claude:
		p, err := openAnthropic(env, o)
		return Choice{p, Resolve(name, env), anthropicKey(env)}, err
	}
	return Choice{}, errNoKey
}

// way is how a model is reached.
type way uint8

const (
	claude way = iota
	compatible
	scripted
)

// wayTo takes the way out of a name.
func wayTo(name string, env func(string) string) (way, string) {
	name = cmp.Or(name, env("ASSENT_MODEL"), env("ANTHROPIC_MODEL"))
	prefix, rest, _ := strings.Cut(name, ":")
	switch {
	case prefix == "script":
		return scripted, rest
	case prefix == "openai":
		return compatible, rest
	case prefix == "anthropic":
		return claude, rest
	case anthropicKey(env) == NoKey && env("OPENAI_BASE_URL") != "":
		return compatible, name // with its colon: llama3:8b
	}
	return claude, name
}

var errNoKey = errors.New("there is no model to ask: set ANTHROPIC_API_KEY for Claude, " +
	"or OPENAI_BASE_URL and --model openai:NAME for an OpenAI-compatible server such as Ollama, " +
	"or play a file with --model script:FILE")

func openAnthropic(env func(string) string, o *Options) (model.Provider, error) {
	base := env("ANTHROPIC_BASE_URL")
	if anthropicKey(env) == NoKey {
		return nil, errNoKey
	}
	if err := checkBase("ANTHROPIC_BASE_URL", base); err != nil {
		return nil, err
	}
	return anthropic.New(anthropic.Options{
		BaseURL: base, Key: env("ANTHROPIC_API_KEY"), Token: env("ANTHROPIC_AUTH_TOKEN"), Client: o.Client,
	}), nil
}

func anthropicKey(env func(string) string) KeySource {
	switch {
	case env("ANTHROPIC_API_KEY") != "":
		return AnthropicKey
	case env("ANTHROPIC_AUTH_TOKEN") != "":
		return AuthToken
	}
	return NoKey
}

func openAIKey(env func(string) string) KeySource {
	if env("OPENAI_API_KEY") != "" {
		return OpenAIKey
	}
	return NoKey
}

func openOpenAI(name string, env func(string) string, o *Options) (model.Provider, error) {
	base, key := env("OPENAI_BASE_URL"), env("OPENAI_API_KEY")
	if err := checkBase("OPENAI_BASE_URL", base); err != nil {
		return nil, err
	}
	switch {
	case base == "" && key == "":
		return nil, errors.New("there is no OpenAI-compatible server to ask: " +
			"set OPENAI_BASE_URL, for instance to http://localhost:11434/v1 for Ollama, or OPENAI_API_KEY for OpenAI itself")
	case name == "":
		return nil, errors.New("an OpenAI-compatible server needs the name of a model: use --model openai:NAME")
	}
	return openai.New(openai.Options{BaseURL: base, Key: key, Client: o.Client}), nil
}

// checkBase finds a wrong address before the first request does.
func checkBase(variable, base string) error {
	if base == "" {
		return nil
	}
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("%s is not the address of a server: it must start with http:// or https://", variable)
	}
	return nil
}

// Resolve is the full name of a model of Anthropic's: sonnet, opus, haiku, fable and
// default stand for the current ones, or for those that the environment names.
func Resolve(name string, env func(string) string) string {
	switch strings.ToLower(name) {
	case "", "default", "sonnet":
		return cmp.Or(env("ANTHROPIC_DEFAULT_SONNET_MODEL"), "claude-sonnet-5-5")
	case "opus":
		return cmp.Or(env("ANTHROPIC_DEFAULT_OPUS_MODEL"), "claude-opus-5-5")
	case "haiku":
		return cmp.Or(env("ANTHROPIC_DEFAULT_HAIKU_MODEL"), "claude-haiku-5-5")
	case "fable":
		return "claude-fable-5-1"
	}
	return name
}

// readRetries takes the number of retries from the environment.
func readRetries(o *model.RetryOptions, env func(string) string) error {
	for _, variable := range []string{"ASSENT_MAX_RETRIES", "CLAUDE_CODE_MAX_RETRIES"} {
		value := env(variable)
		if value == "" {
			continue
		}
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 {
			return fmt.Errorf("%s is %q: it must be a number, 0 for none", variable, value)
		}
		if o.Max = n; n == 0 {
			o.Max = -1 // zero means the default
		}
		return nil
	}
	return nil
}
