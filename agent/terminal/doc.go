// Package terminal lets the person at a terminal answer: questions about calls, the
// model's own questions, and what a session says and does on the way.
//
// [Open] takes the terminal; [Terminal.Asker] is an [agent.Asker] for it, and a [View]
// prints what happens. The promises:
//
//   - An answer is one that was typed after its question stood there. What was typed
//     before, or while the question appeared, is thrown away, and Enter alone is no answer.
//   - There is one question at a time; others wait their turn, and nothing else is printed
//     in the middle of one.
//   - Nothing that a model, a tool, a file or a hook wrote can act on the terminal or look
//     like assent's own words: what cannot be seen stands as an escape, and no line of it
//     begins in the first column.
//   - What is too long to show says so, and can be seen in full.
//
// It decides nothing, and it is not a full screen: a terminal that only prints lines is
// enough.
package terminal
