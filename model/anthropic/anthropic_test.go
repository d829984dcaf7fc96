package anthropic_test

import (
	"testing"

	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/model/anthropic"
	"github.com/assent-dev/assent/model/modeltest"
)

func open(t testing.TB, replies ...modeltest.Reply) (model.Provider, *modeltest.Server) {
	server := modeltest.Messages(t, replies...)
	return anthropic.New(anthropic.Options{BaseURL: server.URL, Key: modeltest.Key, Client: server.Client}), server
}

func TestSuite(t *testing.T) {
	modeltest.Run(t, modeltest.Subject{
		Open: open, Usage: model.Usage{InputTokens: 10, OutputTokens: 20, CacheReadInputTokens: 4},
	})
}
