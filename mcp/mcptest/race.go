//go:build race

package mcptest

// Race reports whether tests and programs are built with the race detector,
// which needs several times the memory.
const Race = true
