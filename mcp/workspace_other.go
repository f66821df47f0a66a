//go:build !unix

package mcp

const (
	openFlags    = 0
	openDirFlags = 0
)
