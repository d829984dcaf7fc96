// Package inbox is where people answer what waits: an API over HTTP, the page that uses it,
// and the changes of tickets as they happen.
//
// A [Server] is made over the tickets and sessions of one state directory. Nobody answers a
// call in another way than through package clerk, so the page, the API and the terminal
// cannot differ in what they let through.
//
// There are no cookies and nothing else that a browser adds by itself: whoever asks for
// anything but the page and the state of health brings the token of the server. Looking
// never changes anything, and an answer says what the person was shown.
package inbox
