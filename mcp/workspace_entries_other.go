//go:build !linux

package mcp

import "os"

func readEntries(f *os.File) ([]Entry, error) { return readEntriesPortably(f) }
