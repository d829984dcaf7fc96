package launch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assent-dev/assent/tool"
	"github.com/assent-dev/assent/tool/builtin"
)

// checkTools refuses names of tools that no session offers: whoever writes one counts on
// it.
func checkTools(names []string) error {
	offered := []string{"Task"}
	for _, r := range builtin.New(builtin.Options{}) {
		offered = append(offered, r.Name())
	}
	slices.Sort(offered)
	for _, name := range names {
		if name != "Agent" && !slices.Contains(offered, name) {
			return fmt.Errorf("there is no built-in tool %q (there are: %s)", name, strings.Join(offered, ", "))
		}
	}
	return nil
}

// offers: the model is offered a built-in tool.
func (o Options) offers(name string) bool {
	return o.Tools == nil || slices.ContainsFunc(o.Tools, func(wanted string) bool {
		return wanted == name || wanted == "Agent" && name == "Task" // two names of one tool
	})
}

// pick leaves out what the model is not offered.
func (o Options) pick(all []tool.Runner) []tool.Runner {
	return slices.DeleteFunc(all, func(r tool.Runner) bool { return !o.offers(r.Name()) })
}

// ReadTools reads a list of names, separated by commas or blanks. "default" means all of
// them, which is nil; an empty list means none.
func ReadTools(texts []string) ([]string, error) {
	names := []string{}
	for _, text := range texts {
		names = append(names, strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })...)
	}
	if len(names) == 1 && names[0] == "default" {
		return nil, nil
	}
	return names, checkTools(names)
}
