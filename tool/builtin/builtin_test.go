package builtin

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
)

// Every tool has what a model needs, and the schema it was judged by.
func TestNew(t *testing.T) {
	seen := map[string]bool{}
	for _, runner := range New(Options{}) {
		name := runner.Name()
		if seen[name] {
			t.Errorf("%s is there twice", name)
		}
		seen[name] = true
		if text := runner.Description(); len(text) < 100 || len(text) > 4000 || strings.Contains(text, "\r") {
			t.Errorf("%s: its description has %d bytes", name, len(text))
		}
		if err := strictjson.Valid(runner.Schema()); err != nil {
			t.Errorf("%s: its schema: %v", name, err)
		}
	}
	if len(seen) != 16 {
		t.Errorf("%d tools", len(seen))
	}
}

func TestDescriptionOfNoTool(t *testing.T) {
	if text := description("Nothing"); text != "" {
		t.Errorf("it has the description %q", text)
	}
}

// toolbox is the tools of one session.
type toolbox struct {
	bash     *bashTool
	read     *readTool
	write    *writeTool
	edit     *editTool
	notebook *notebookTool
	files    *Files
}

func newToolbox() toolbox {
	o := Options{Files: NewFiles()}
	return toolbox{newBash(o), newRead(o), newWrite(o), newEdit(o), newNotebookEdit(o), o.Files}
}

func TestDescription_SaysWhatIsLost(t *testing.T) {
	for _, name := range []string{"Write", "Edit"} {
		if text := description(name); !strings.Contains(text, "xtended attributes") || !strings.Contains(text, "setuid") {
			t.Errorf("%s: %s", name, text)
		}
	}
}
