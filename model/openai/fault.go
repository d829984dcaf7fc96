package openai

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
)

// fault explains {"error":…} in an answer that was called a success, wherever in it.
func fault(data []byte) *model.Error {
	var said struct {
		Error struct {
			Code    strictjson.Raw `json:"code"`
			Type    string         `json:"type"`
			Message string         `json:"message"`
		} `json:"error"`
	}
	if strictjson.Unmarshal(data, &said) != nil {
		return model.Failed(0, "", messageOf(data))
	}
	code := strings.Trim(string(said.Error.Code), `"`) // a word or a number
	if code == "null" {
		code = ""
	}
	status := statusOf(code)
	if status == 0 {
		status = statusOf(said.Error.Type)
	}
	return model.Failed(status, cmp.Or(code, said.Error.Type), cmp.Or(said.Error.Message, messageOf(data)))
}

// statusOf is the status that an error in the middle of a stream would have had.
func statusOf(word string) int {
	switch {
	case strings.Contains(word, "rate_limit"), strings.Contains(word, "quota"):
		return http.StatusTooManyRequests
	case strings.Contains(word, "overloaded"):
		return 529
	case strings.Contains(word, "api_key"), strings.Contains(word, "authentication"):
		return http.StatusUnauthorized
	case strings.Contains(word, "invalid_request"), strings.Contains(word, "context_length"):
		return http.StatusBadRequest
	}
	if status, err := strconv.Atoi(word); err == nil && status >= 400 && status < 600 {
		return status
	}
	return 0
}

// messageOf reads what servers other than OpenAI's say: {"error":"…"} or
// {"message":"…"} or anything.
func messageOf(body []byte) string {
	var fault struct {
		Error   strictjson.Raw `json:"error"`
		Message string         `json:"message"`
	}
	if strictjson.Unmarshal(body, &fault) != nil {
		return string(body)
	}
	var text string
	if strictjson.Unmarshal(fault.Error, &text) == nil && text != "" {
		return text
	}
	if fault.Message != "" {
		return fault.Message
	}
	return string(body)
}
