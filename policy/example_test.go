package policy_test

import (
	"fmt"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/tool"
)

// checker is a policy checker for the built-in tools.
func checker() *policy.Checker {
	tools, err := tool.NewSet(tool.Builtin()...)
	if err != nil {
		panic(err)
	}
	return &policy.Checker{Tools: tools, Links: permission.NoLinks{}}
}

// A call is judged without being run; the flips say what would change the answer.
func ExampleChecker_Judge() {
	call, err := policy.ParseCall("Bash(cd web && git push)")
	if err != nil {
		panic(err)
	}
	j, err := checker().Judge(policy.Query{
		Tool: call.Tool, Input: call.Input, Cwd: "/home/dev/app", Home: "/home/dev",
		Permissions: &policy.Permissions{Deny: []string{"Bash(git push:*)"}},
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(j.Decision.Behavior, "because", j.Decision.Message())
	for _, f := range j.Flips() {
		fmt.Printf("%v if you %s\n", f.To, f)
	}
	// Output:
	// deny because rule Bash(git push:*) (projectSettings) says deny: `git push`
	// allow if you remove deny rule Bash(git push:*), and add allow rule Bash(git push)
	// ask if you remove deny rule Bash(git push:*)
}

// A policy is tested like code.
func ExampleRunTests() {
	tests, err := policy.ReadTests("policy.test.json", []byte(`{
		"permissions": {"allow": ["Bash(npm test:*)"]},
		"cwd": "/home/dev/app", "home": "/home/dev",
		"tests": [
			{"call": "Bash(npm test)", "expect": "allow"},
			{"call": "Bash(npm publish)", "expect": "deny"},
		],
	}`))
	if err != nil {
		panic(err)
	}
	results, err := policy.RunTests(checker(), "policy.test.json", tests)
	if err != nil {
		panic(err)
	}
	for _, r := range results {
		fmt.Printf("%s:%d %s %q\n", r.File, r.Line, r.Status, r.Differences)
	}
	// Output:
	// policy.test.json:5 passed []
	// policy.test.json:6 failed ["expected deny, got ask"]
}

// The way a shell command is understood needs no rules.
func ExampleDescribeShell() {
	r := policy.DescribeShell("sudo git push --force > log")
	fmt.Println(r.ReadOnly, r.Dangerous)
	for _, part := range r.Parts {
		fmt.Println(part.Text, part.Via)
	}
	// Output:
	// false true
	// sudo git push --force []
	// git push --force [sudo]
}
