package hook_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/permission"
)

// Two hooks share what they know: one remembers how long a customer has been one, the
// other limits refunds by that. examples/refund-limit has them as shell scripts and as
// an HTTP server.
func Example_refundLimit() {
	lookups, _ := hook.ParseMatcher(".*get_customer")
	refunds, _ := hook.ParseMatcher(".*process_refund")
	runner := hook.NewRunner(hook.Config{
		State: hook.MemoryState(),
		Entries: []hook.Entry{
			{Event: hook.PostToolUse, Matcher: lookups, Handler: hook.Typed("remember tenure", rememberTenure)},
			{Event: hook.PreToolUse, Matcher: refunds, Handler: hook.Typed("limit refund", limitRefund)},
		},
	})
	defer runner.Close(context.Background())

	runner.Run(context.Background(), hook.Occasion{Input: hook.PostToolUseInput{
		ToolName: "mcp__crm__get_customer", ToolInput: []byte(`{"customer_id": "c-17"}`),
		ToolResponse: []byte(`[{"type": "text", "text": "{\"id\": \"c-17\", \"tenure\": \"regular\"}"}]`),
	}})
	verdict := runner.Run(context.Background(), hook.Occasion{Input: hook.PreToolUseInput{
		ToolName: "mcp__payments__process_refund", ToolInput: []byte(`{"customer_id": "c-17", "amount": 450}`),
	}})
	fmt.Println(verdict.Denials[0])
	// Output: Refund denied: $450 is more than the $300 that a "regular" customer may get. Use escalate_to_human instead, with the customer, the order, the amount and the reason.
}

// rememberTenure keeps what get_customer returned: JSON in a block of text, as MCP
// servers answer.
func rememberTenure(_ context.Context, input hook.PostToolUseInput, call hook.Invocation) (hook.Output, error) {
	var blocks []map[string]any
	if err := json.Unmarshal(input.ToolResponse, &blocks); err != nil || len(blocks) == 0 {
		return hook.Output{}, err
	}
	text, _ := blocks[0]["text"].(string)
	var customer map[string]any
	if err := json.Unmarshal([]byte(text), &customer); err != nil {
		return hook.Output{}, nil // it was not about a customer
	}
	id, _ := customer["id"].(string)
	change, err := json.Marshal(map[string]any{"tenure/" + id: customer["tenure"]})
	if err != nil {
		return hook.Output{}, err
	}
	return hook.Output{}, call.State.Merge(change)
}

// limitRefund denies a refund that is too large for the customer's tenure.
func limitRefund(_ context.Context, input hook.PreToolUseInput, call hook.Invocation) (hook.Output, error) {
	if problem := judgeRefund(input.ToolInput, call.State); problem != nil {
		return hook.Deny(fmt.Sprintf("Refund denied: %v. Use escalate_to_human instead, with the customer, the order, the amount and the reason.", problem)), nil
	}
	return hook.Output{}, nil // no objection; the rules decide
}

func judgeRefund(input []byte, state hook.State) error {
	// A map compares keys exactly. For a struct {"amount": 500, "Amount": 5} would be
	// a refund of 5.
	var refund map[string]any
	if err := json.Unmarshal(input, &refund); err != nil {
		return err
	}
	id, ok := refund["customer_id"].(string)
	if !ok {
		return errors.New("it has no customer_id")
	}
	amount, ok := refund["amount"].(float64)
	if !ok {
		return errors.New("it has no amount that is a number")
	}
	value, err := state.Get("tenure/" + id)
	if err != nil {
		return err
	}
	var limit float64
	switch string(value) {
	case `"new"`:
		limit = 100
	case `"regular"`:
		limit = 300
	case `"vip"`:
		limit = 1000
	case "":
		return fmt.Errorf("nobody has looked customer %q up in this session (get_customer does)", id)
	default:
		return fmt.Errorf("there is no limit for customers who are %s", value)
	}
	switch {
	case amount < 0:
		return fmt.Errorf("the amount %v is not a number of dollars", amount)
	case amount > limit:
		return fmt.Errorf("$%v is more than the $%v that a %s customer may get", amount, limit, value)
	}
	return nil
}

// The cases of the example hold for the Go functions as well.
func TestH12_RefundLimitInGo(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "examples", "refund-limit", "cases.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name, Tool, Denied string
		Lookups            []json.RawMessage
		Refund             json.RawMessage
	}
	if err := json.Unmarshal(text, &cases); err != nil || len(cases) < 20 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			lookups, _ := hook.ParseMatcher(".*get_customer")
			refunds, _ := hook.ParseMatcher(".*process_refund")
			runner := hook.NewRunner(hook.Config{
				State: hook.MemoryState(),
				Entries: []hook.Entry{
					{Event: hook.PostToolUse, Matcher: lookups, Handler: hook.Typed("remember tenure", rememberTenure)},
					{Event: hook.PreToolUse, Matcher: refunds, Handler: hook.Typed("limit refund", limitRefund)},
				},
			})
			t.Cleanup(func() { runner.Close(context.Background()) })
			for _, customer := range c.Lookups {
				response, err := json.Marshal([]map[string]any{{"type": "text", "text": string(customer)}})
				if err != nil {
					t.Fatal(err)
				}
				runner.Run(t.Context(), hook.Occasion{Input: hook.PostToolUseInput{
					ToolName: "mcp__crm__get_customer", ToolInput: []byte(`{}`), ToolResponse: response,
				}})
			}
			tool := c.Tool
			if tool == "" {
				tool = "mcp__payments__process_refund"
			}
			v := runner.Run(t.Context(), hook.Occasion{Input: hook.PreToolUseInput{ToolName: tool, ToolInput: []byte(c.Refund)}})
			reason := strings.Join(v.Denials, "\n")
			switch denied := v.Permission.Behavior == permission.Deny; {
			case v.Permission.Broken:
				t.Errorf("broken: %s", reason)
			case denied != (c.Denied != ""):
				t.Errorf("denied: %v: %s", denied, reason)
			case denied && (!strings.Contains(reason, c.Denied) || !strings.Contains(reason, "escalate_to_human")):
				t.Errorf("the reason is %q, want %q", reason, c.Denied)
			}
		})
	}
}
