//go:build unix

package mcp

import "syscall"

const (
	// openFlags keep an open from waiting for a pipe's other end, and from
	// making a terminal ours.
	openFlags    = syscall.O_NONBLOCK | syscall.O_NOCTTY
	openDirFlags = openFlags | syscall.O_DIRECTORY
)
