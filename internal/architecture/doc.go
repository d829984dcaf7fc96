// Package architecture holds no code, only the tests that keep the house in
// order: imports point downward, some things have one importer, the pure packages
// stay pure, and a switch over an outcome forgets none.
//
// When a test here fails, the sentence says which line of the plan was crossed.
// Change the plan in layers_test.go only together with docs/architecture.md.
package architecture
