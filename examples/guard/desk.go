package main

import (
	"context"
	"fmt"
	"io"

	"github.com/assent-dev/assent"
)

// customer is what get_customer answers. Money is in cents: sums of it are exact.
type customer struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	RefundLimit int64  `json:"refund_limit_cents"`
}

type lookup struct {
	CustomerID string `json:"customer_id" jsonschema:"the number of the customer, as c-17"`
}

type refund struct {
	CustomerID string `json:"customer_id" jsonschema:"the number of the customer, as c-17"`
	Cents      int64  `json:"cents" jsonschema:"how much, in cents"`
}

type escalation struct {
	CustomerID string `json:"customer_id" jsonschema:"the number of the customer, as c-17"`
	Reason     string `json:"reason" jsonschema:"what a person has to decide"`
}

// desk is what the tools work with: the customers of a real shop would be in a database.
type desk struct {
	out       io.Writer
	customers map[string]customer
}

func newDesk(out io.Writer) *desk {
	return &desk{out, map[string]customer{
		"c-17": {"c-17", "Ann", 300_00},
		"c-18": {"c-18", "Bob", 50_00},
	}}
}

func (d *desk) tools() ([]assent.Tool, error) {
	find, err := assent.NewTool("get_customer", "Looks a customer up.", d.getCustomer)
	if err != nil {
		return nil, err
	}
	pay, err := assent.NewTool("process_refund", "Pays money back to a customer.", d.processRefund)
	if err != nil {
		return nil, err
	}
	escalate, err := assent.NewTool("escalate_to_human", "Leaves a decision to a person.", d.escalate)
	if err != nil {
		return nil, err
	}
	return []assent.Tool{find, pay, escalate}, nil
}

func (d *desk) getCustomer(_ context.Context, in lookup) (customer, error) {
	c, ok := d.customers[in.CustomerID]
	if !ok {
		return customer{}, fmt.Errorf("there is no customer %q", in.CustomerID)
	}
	return c, nil
}

// processRefund knows nothing of limits: that is what the hooks are for.
func (d *desk) processRefund(_ context.Context, in refund) (string, error) {
	fmt.Fprintf(d.out, "paid: %s to %s\n", dollars(in.Cents), in.CustomerID)
	return "paid " + dollars(in.Cents), nil
}

func (d *desk) escalate(_ context.Context, in escalation) (string, error) {
	fmt.Fprintf(d.out, "for a person: %s: %s\n", in.CustomerID, in.Reason)
	return "A person will look at it.", nil
}

func dollars(cents int64) string { return fmt.Sprintf("$%d.%02d", cents/100, cents%100) }
