// Package client asks the server of an inbox what waits, and answers it.
//
//	c, err := client.New("http://127.0.0.1:8722", token)
//	list, err := c.List(ctx, client.Query{})
//	detail, err := c.Detail(ctx, list.Tickets[0].ID)
//	_, err = c.Approve(ctx, detail.ID, client.Yes{Digest: detail.Digest})
//
// The token is the one of the server, or one that `assent people token` has made for a program
// where the server knows people.
//
// What the server refuses is an [*Error] with a code for programs and a sentence for
// people. The token is only sent to this machine or over TLS, and never to another place
// than the one that was named. On this machine, without TLS, it is sent on no connection whose
// other end has not proved that it knows the token: see the package proof.
package client
