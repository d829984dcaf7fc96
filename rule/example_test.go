package rule_test

import (
	"fmt"

	"github.com/assent-dev/assent/rule"
)

func Example() {
	var list []rule.Rule
	for text, behavior := range map[string]rule.Behavior{
		"Bash(npm run test*)": rule.Allow,
		"Bash(rm:*)":          rule.Deny,
		"Read(~/.ssh/**)":     rule.Deny,
	} {
		r, ok, err := rule.Read(text, behavior, rule.Origin{Source: rule.ProjectSettings})
		if err != nil {
			fmt.Println(err)
		}
		if ok {
			list = append(list, r)
		}
	}
	set := rule.Compile(list, rule.Anchors{Root: "/home/dev/proj", Cwd: "/home/dev/proj", Home: "/home/dev"})

	fmt.Println(set.Bash(rule.Allow, "npm run test:unit"))
	fmt.Println(set.Bash(rule.Deny, "rm -rf build"))
	fmt.Println(set.Path("/home/dev/.ssh/id_rsa").Read.Deny)
	// Output:
	// Bash(npm run test*) yes
	// Bash(rm:*) yes
	// Read(~/.ssh/**)
}

func ExampleParse() {
	_, err := rule.Parse("bash(npm test)")
	fmt.Println(err)
	// Output:
	// rule "bash(npm test)" is malformed: tool names are case-sensitive; did you mean Bash(npm test)?
}
