// Package people knows who may do what in the inbox when several people use it.
//
// A [Person] has a name, which stands under every answer, and a [Role]. Who signs in, with a
// password or by way of another server that knows him, gets a token; the [Store] keeps only
// its digest. Programs have tokens of their own, with a role that is at most that of the
// person they work for.
//
// Whoever changes something says so as a [By], and whether he may is looked at in the same
// transaction as the change: an admin who is demoted at that moment changes nothing more.
// Every change is in the history with who did it. Names are never used a second time, because
// answers are kept under them: there is [Store.Disable], and nothing that removes a person.
package people
