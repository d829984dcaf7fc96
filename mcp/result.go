package mcp

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/tool"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// What the Messages API takes of images.
const (
	maxImage  = 5 << 20 // of base64
	maxImages = 20
)

// maxBlocks is how many blocks of a result the model sees.
const maxBlocks = 1000

// result makes of a server's answer what the model reads and what programs get: the
// content blocks as the Messages API has them.
func (l Limits) result(answer *sdk.CallToolResult) tool.Result {
	c := contents{left: l.Text}
	for i, block := range answer.Content {
		if i == maxBlocks {
			c.note(fmt.Sprintf("[%d more blocks of the result are left out]", len(answer.Content)-maxBlocks))
			break
		}
		c.add(block)
	}
	if len(c.blocks) == 0 && answer.StructuredContent != nil {
		if text, err := strictjson.Marshal(answer.StructuredContent); err == nil {
			c.text(string(text))
		}
	}
	if c.dropped > 0 {
		c.note(fmt.Sprintf("[The result is cut: %d bytes of its text are missing. Ask for less, or set MAX_MCP_OUTPUT_TOKENS.]", c.dropped))
	}
	text := strings.Join(c.texts, "\n")
	if answer.IsError {
		if text == "" {
			text = "The tool failed and did not say why."
		}
		return tool.Fail(text)
	}
	if len(c.blocks) == 0 {
		text = "The tool returned nothing."
	}
	result := tool.Succeed(text)
	result.Data, _ = strictjson.Marshal(c.blocks) // blocks are strings throughout
	if c.images > 0 {
		result.Blocks = c.raw()
	}
	return result
}

// contents gathers blocks within the limits.
type contents struct {
	left, dropped, images int
	texts                 []string
	blocks                []block
}

// block is a content block of the Messages API.
type block struct {
	Type   string  `json:"type"`
	Text   string  `json:"text,omitempty"`
	Source *source `json:"source,omitempty"`
}

type source struct {
	Type      string `json:"type"`
	MediaType string `json:"media_type"`
	Data      string `json:"data"`
}

func (c *contents) add(content sdk.Content) {
	switch b := content.(type) {
	case *sdk.TextContent:
		c.text(b.Text)
	case *sdk.ImageContent:
		c.image(b.MIMEType, b.Data)
	case *sdk.AudioContent:
		c.note(fmt.Sprintf("[%d bytes of audio (%s) cannot be shown]", len(b.Data), quoted(b.MIMEType)))
	case *sdk.ResourceLink:
		c.text(strings.TrimRight(fmt.Sprintf("[resource %s at %s] %s", b.Name, b.URI, b.Description), " "))
	case *sdk.EmbeddedResource:
		c.resource(b.Resource)
	default:
		c.note("[a block of a kind that cannot be shown]")
	}
}

func (c *contents) resource(r *sdk.ResourceContents) {
	switch {
	case r == nil:
		c.note("[an empty resource]")
	case strings.HasPrefix(r.MIMEType, "image/") && len(r.Blob) > 0:
		c.image(r.MIMEType, r.Blob)
	case len(r.Blob) > 0:
		c.text(fmt.Sprintf("[resource %s: %d bytes (%s) cannot be shown]", r.URI, len(r.Blob), r.MIMEType))
	default:
		c.text(fmt.Sprintf("[resource %s]\n%s", r.URI, r.Text))
	}
}

// text adds as much of a text as there is room for.
func (c *contents) text(text string) {
	text = valid(text)
	shown := cut(text, c.left, "")
	c.left -= len(shown)
	c.dropped += len(text) - len(shown)
	if shown != "" {
		c.note(shown)
	}
}

// note adds a text of ours, which needs no room.
func (c *contents) note(text string) {
	c.texts = append(c.texts, text)
	c.blocks = append(c.blocks, block{Type: "text", Text: text})
}

// image adds an image. A request with one whose bytes are something else is refused, and so
// are all that follow, as it stays in the conversation.
func (c *contents) image(kind string, data []byte) {
	switch kind {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
	default:
		c.note(fmt.Sprintf("[an image of type %s cannot be shown]", quoted(kind)))
		return
	}
	if c.images == maxImages || base64.StdEncoding.EncodedLen(len(data)) > maxImage || len(data) == 0 {
		c.note(fmt.Sprintf("[an image of %d bytes is left out: at most %d of at most %d bytes can be shown]", len(data), maxImages, maxImage/4*3))
		return
	}
	if found := http.DetectContentType(data); found != kind {
		c.note(fmt.Sprintf("[an image is left out: it is said to be %s, and its bytes are %s]", kind, found))
		return
	}
	c.images++
	c.blocks = append(c.blocks, block{Type: "image", Source: &source{Type: "base64", MediaType: kind, Data: base64.StdEncoding.EncodeToString(data)}})
}

func (c *contents) raw() []strictjson.Raw {
	all := make([]strictjson.Raw, len(c.blocks))
	for i, b := range c.blocks {
		all[i], _ = strictjson.Marshal(b)
	}
	return all
}

// valid is a text that every reader can take.
func valid(text string) string { return strings.ToValidUTF8(text, "�") }

// cut is at most so many bytes of a text, and a mark if something is missing.
func cut(text string, most int, mark string) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + mark
}
