// Refund-limit is the refund limit as an HTTP hook. It remembers nothing itself: the
// values that the hooks of a session share come with every event in the key "state",
// and "state" in its answer changes them.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:8787", "the address to listen on")
	flag.Parse()
	listener, err := net.Listen("tcp", *listen)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("http://%s/hooks\n", listener.Addr())
	http.HandleFunc("POST /hooks", handle)
	log.Fatal(http.Serve(listener, nil))
}

// object is a JSON object whose keys are compared exactly. A struct would not do:
// for encoding/json {"amount": 500, "Amount": 5} is a refund of 5.
type object map[string]json.RawMessage

// member reads one member of an object; it fails when that is missing or null.
func member[T any](o object, key string) (value T, err error) {
	if text := o[key]; text == nil || string(text) == "null" {
		return value, fmt.Errorf("it has no %s", key)
	}
	if err := json.Unmarshal(o[key], &value); err != nil {
		return value, fmt.Errorf("its %s cannot be read: %w", key, err)
	}
	return value, nil
}

// handle answers one event. A status other than 2xx means that the hook is broken:
// the call is denied.
func handle(w http.ResponseWriter, r *http.Request) {
	var event object
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 16<<20)).Decode(&event); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answer := map[string]any{}
	switch name, _ := member[string](event, "hook_event_name"); name {
	case "PostToolUse":
		if id, tenure, err := customer(event); err == nil {
			answer["state"] = map[string]string{"tenure/" + id: tenure}
		}
	case "PreToolUse":
		if problem := judge(event); problem != nil {
			answer["hookSpecificOutput"] = map[string]string{
				"hookEventName": "PreToolUse", "permissionDecision": "deny",
				"permissionDecisionReason": fmt.Sprintf("Refund denied: %v. Use escalate_to_human instead, with the customer, the order, the amount and the reason.", problem),
			}
		}
	default:
		http.Error(w, "this hook is for PreToolUse and PostToolUse", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(answer); err != nil {
		log.Print(err)
	}
}

// customer is what get_customer returned: JSON in a block of text, as MCP servers
// answer.
func customer(event object) (id, tenure string, err error) {
	blocks, err := member[[]object](event, "tool_response")
	if err != nil || len(blocks) == 0 {
		return "", "", fmt.Errorf("there is no answer: %w", err)
	}
	text, err := member[string](blocks[0], "text")
	if err != nil {
		return "", "", err
	}
	var found object
	if err := json.Unmarshal([]byte(text), &found); err != nil {
		return "", "", err
	}
	if id, err = member[string](found, "id"); err != nil {
		return "", "", err
	}
	tenure, err = member[string](found, "tenure")
	return id, tenure, err
}

// limits are dollars by tenure.
var limits = map[string]float64{"new": 100, "regular": 300, "vip": 1000}

// judge says what speaks against a refund; nil when nothing does.
func judge(event object) error {
	refund, err := member[object](event, "tool_input")
	if err != nil {
		return err
	}
	id, err := member[string](refund, "customer_id")
	if err != nil {
		return err
	}
	amount, err := member[float64](refund, "amount")
	if err != nil {
		return err
	}
	state, err := member[object](event, "state")
	if err != nil {
		return err
	}
	tenure, err := member[string](state, "tenure/"+id)
	if err != nil {
		return fmt.Errorf("nobody has looked customer %q up in this session (get_customer does)", id)
	}
	limit, ok := limits[tenure]
	switch {
	case !ok:
		return fmt.Errorf("there is no limit for customers who are %q", tenure)
	case amount < 0:
		return fmt.Errorf("the amount %v is not a number of dollars", amount)
	case amount > limit:
		return fmt.Errorf("$%v is more than the $%v that a %q customer may get", amount, limit, tenure)
	}
	return nil
}
