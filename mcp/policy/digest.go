package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/teaagent/teaagent/mcp/internal/lex"
)

// Canonical returns the canonical JSON of a call: {"arguments":…,"tool_name":…},
// keys sorted by code point at every depth, no spaces, everything but ASCII
// escaped, numbers in their source text. arguments is a JSON object that was
// checked, or empty; its dry_run is left out, since a preview names the call
// that would be approved. For a preview of a guarded call confirm is set.
func Canonical(tool string, arguments []byte, confirm bool) []byte {
	var members []lex.Member
	if len(arguments) > 0 {
		var l lex.Lexer
		l.Reset(arguments)
		members = l.Members(nil)
	}
	members = slices.DeleteFunc(members, func(m lex.Member) bool {
		return m.Key == "dry_run" || confirm && m.Key == "confirm"
	})
	if confirm {
		members = append(members, lex.Member{Key: "confirm", Value: []byte("true")})
	}
	return lex.AppendMembers(nil, []lex.Member{
		{Key: "arguments", Value: lex.AppendMembers(nil, members)},
		{Key: "tool_name", Value: lex.AppendASCII(nil, []byte(tool))},
	})
}

// Digest returns the lower-case hex SHA-256 of a call's canonical JSON. It is
// what an operator approves: no byte of the call can change without it.
func Digest(canonical []byte) string {
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:])
}
