// Guard is a support desk: an agent with three tools that are Go functions, and two hooks that
// share what they know. How much it may refund depends on the customer, and the hooks see
// to it, whatever the model makes of what a customer writes.
//
//	guard [-model NAME] PROMPT
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/assent-dev/assent"
)

func main() {
	model := flag.String("model", "", "the model; the environment decides unless given")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := serve(ctx, os.Stdout, flag.Arg(0), assent.Model(*model)); err != nil {
		fmt.Fprintln(os.Stderr, "guard:", err)
		os.Exit(1)
	}
}

// serve works off what a customer wants.
func serve(ctx context.Context, out io.Writer, prompt string, more ...assent.Option) error {
	tools, err := newDesk(out).tools()
	if err != nil {
		return err
	}
	options := append([]assent.Option{
		assent.Tools(), // none of the built-in ones
		assent.Serve("desk", tools...),
		assent.Allow("mcp__desk"),
		assent.On("mcp__desk__get_customer", rememberLimit),
		assent.On("mcp__desk__process_refund", limitRefund),
	}, more...)
	result, err := assent.Run(ctx, prompt, options...)
	if err != nil {
		return err
	}
	for _, denial := range result.Denials {
		fmt.Fprintf(out, "denied: %s %s\n", denial.ToolName, denial.ToolInput)
	}
	fmt.Fprintln(out, result.Text)
	return nil
}
