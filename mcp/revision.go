package mcp

// Revision is a revision of the protocol, in order of time.
type Revision uint8

// The revisions that this package speaks. Those before Revision20260728 are
// the legacy era, opened by initialize; Unnegotiated comes before that.
const (
	Unnegotiated Revision = iota
	Revision20241105
	Revision20250326
	Revision20250618
	Revision20251125
	Revision20260728
)

var revisionNames = [...]string{"", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

// latestLegacy answers an initialize that asks for a revision unknown here.
const latestLegacy = Revision20251125

// String returns the revision's date, or "" for Unnegotiated.
func (r Revision) String() string { return revisionNames[r] }

// Modern reports whether requests of the revision stand alone, without initialize.
func (r Revision) Modern() bool { return r >= Revision20260728 }

// legacyRevision returns the revision that initialize answers with.
func legacyRevision(requested string) Revision {
	for r := Revision20241105; r <= latestLegacy; r++ {
		if revisionNames[r] == requested {
			return r
		}
	}
	return latestLegacy
}
