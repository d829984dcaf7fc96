// Package assent runs agents and decides about every tool call they want to make: it is
// allowed, denied, asked about, or parked until somebody has decided.
//
// The agent works in this process. It talks to a model, and every call that the model makes
// goes through rules, hooks and your own functions before anything runs.
//
// # First query
//
// A prompt, and what happens, message by message:
//
//	for message, err := range assent.Query(ctx, "Which tests are slow?", assent.Allow("Bash(go test:*)")) {
//		if err != nil {
//			return err
//		}
//		switch m := message.(type) {
//		case *assent.Assistant:
//			fmt.Print(m.Text())
//		case *assent.Result:
//			fmt.Println("denied:", len(m.Denials), "cost:", m.TotalCostUSD)
//		}
//	}
//
// The key of the model comes from the environment, as ANTHROPIC_API_KEY or OPENAI_API_KEY;
// [Model] chooses another model, and [Provider] is one of your own. If only the end counts:
//
//	result, err := assent.Run(ctx, "Which tests are slow?")
//	if err != nil {
//		return err
//	}
//	fmt.Println(result.Text)
//
// Nothing is allowed that only you can know to be harmless. What reads files of the
// directory runs; what changes something needs a rule ([Allow]), a mode
// ([PermissionMode]), a hook, or somebody who answers. [Deny] beats all of these.
//
// # Decide yourself
//
// A function answers where rules do not:
//
//	decide := assent.CanUseTool(func(ctx context.Context, call assent.ToolCall) (assent.Answer, error) {
//		fmt.Printf("%s %s (%s)? ", call.ToolName, call.ToolInput, call.Reason)
//		switch answer() {
//		case "yes":
//			return assent.Yes(), nil
//		case "always":
//			return assent.YesAlways(call.Suggestions...), nil
//		}
//		return assent.No("Not now. Describe what you would do instead."), nil
//	})
//	result, err := assent.Run(ctx, "Tidy up", decide)
//
// [YesWith] changes the input, and rules judge it again. [NoAndStop] ends the work, too. An
// error or a panic is a refusal. Without such a function nobody can be asked, and what
// would ask is denied.
//
// # Hooks
//
// A hook runs at an event. The type of its input says at which:
//
//	guard := assent.On("Bash", func(ctx context.Context, in hook.PreToolUseInput, call hook.Invocation) (hook.Output, error) {
//		if bytes.Contains(in.ToolInput, []byte("--force")) {
//			return hook.Deny("Open a pull request instead."), nil
//		}
//		return hook.Output{}, nil // no opinion
//	})
//	result, err := assent.Run(ctx, "Publish the branch", guard)
//
// [OnEvent] is for a function that serves several events, and [Hooks] for commands and HTTP
// endpoints. A hook that fails before a tool runs denies the call, and a person is told.
// What hooks said, and how each of them did, is in the result; [HookEvents] yields it as it
// happens.
//
// # Tools of your own
//
// A Go function is a tool. Its input type is the schema that the model sees:
//
//	type Order struct {
//		Item  string `json:"item" jsonschema:"what to buy"`
//		Count int    `json:"count,omitzero" jsonschema:"how many; one unless given"`
//	}
//
//	buy, err := assent.NewTool("buy", "Buys something.", func(ctx context.Context, o Order) (string, error) {
//		return "bought " + o.Item, nil
//	})
//	if err != nil {
//		return err
//	}
//	result, err := assent.Run(ctx, "We need tea", assent.Serve("shop", buy), assent.Allow("mcp__shop__buy"))
//
// It is called mcp__shop__buy in rules and hooks, and asks like any other tool unless a rule
// allows it. [MCPConfig] adds servers outside of this process.
//
// # Several prompts
//
// A [Client] is one conversation:
//
//	client, err := assent.Open(ctx, assent.PermissionMode(permission.Plan))
//	if err != nil {
//		return err
//	}
//	defer client.Close()
//	for _, prompt := range []string{"Plan the change", "Now make it"} {
//		for message, err := range client.Query(ctx, prompt) {
//			if err != nil {
//				return err
//			}
//			if result, ok := message.(*assent.Result); ok {
//				fmt.Println(result.Text)
//			}
//		}
//		if err := client.SetPermissionMode(ctx, permission.AcceptEdits); err != nil {
//			return err
//		}
//	}
//
// [Client.Interrupt] ends what the agent is doing. [Resume] and [Continue] go on with a
// session of another process, [Fork] with a copy of it.
//
// # Wait for a decision
//
// A hook can park a call until somebody has decided, while no process runs:
//
//	later := assent.On("Bash", func(ctx context.Context, in hook.PreToolUseInput, call hook.Invocation) (hook.Output, error) {
//		return hook.Defer("a person has to look at it"), nil
//	})
//	result, err := assent.Run(ctx, "Deploy", later)
//	if err != nil {
//		return err
//	}
//	for _, call := range result.Deferred { // result.StopReason is assent.StopReasonToolDeferred
//		fmt.Println("waiting:", call.ToolName, string(call.ToolInput))
//	}
//	save(result.SessionID)
//
// A person answers with `assent approve` and `assent deny`, in the inbox, or through package
// approval. To go on, resume the session without a prompt. What waits is looked at again:
// hooks may allow, deny or defer it, rules of today count, and what was approved runs
// exactly once:
//
//	result, err := assent.Run(ctx, "", assent.Resume(id))
//
// With a prompt, what was answered is taken up first and has a result of its own, with
// TakenUp set; that of the prompt follows.
//
// # An external program
//
// The same program can drive an agent outside of this process, which speaks the control
// protocol: `assent` itself, or the vendor's own. Hooks, tools and answers stay here:
//
//	result, err := assent.Run(ctx, "Tidy up", assent.External("assent"), decide)
//
// # Errors
//
// An error that a loop yields is about the session: a context that ended, [ErrBusy],
// [ErrClosed], [ErrNothingPending], [ErrSessionExists], [*NoSessionError], [*RefusedError],
// [*UnrecordedError], or the [*ExitError] of an external program.
// How the work went is in the result; [Run] makes an error of that, too:
//
//	_, err := assent.Run(ctx, "Tidy up")
//	var failed *assent.ResultError
//	switch {
//	case errors.As(err, &failed):
//		fmt.Println(failed.Result.Subtype, failed.Result.Errors) // there is a result
//	case errors.Is(err, context.Canceled):
//		fmt.Println("never mind")
//	}
//
// A call that was denied is no error: it is in [wire.Result.Denials], with the reason.
//
// # Where state lies
//
// Sessions, tickets and the audit log are kept below [StateDir]: $ASSENT_HOME, or .assent in
// the home directory. [Forget] keeps no transcript; decisions are in the audit log all the
// same, and what cannot be recorded does not run. Settings files of the user and of the
// workspace do not count unless [SettingSources] says so, and the workspace grants nothing
// unless somebody trusts it. Those of an administrator always count.
//
// # Concurrency
//
// The agent waits while the body of a loop runs: what the body decides holds before the
// next step. So do not wait in the body for something that the agent still has to do.
// Hooks, tools and functions that answer run on goroutines of their own, several at once
// where the agent does several things at once, and must return when their context ends.
// All methods of a client may be called from anywhere, also from inside of these. One
// client works off one prompt at a time; use several clients for more.
//
// The contexts of these functions say when to end, and not every one of them holds the
// values of yours. What a function needs it should get as a closure, or as a method.
//
// When the context of a loop ends, or the loop is left by break, return or panic, the work
// is interrupted and nothing of it goes on afterwards: functions of yours that heed their
// context have returned. One that takes longer than half a second to do so is left behind,
// and so is a hook in the background ([hook.Entry].Async), for which [Client.Close] waits.
package assent
