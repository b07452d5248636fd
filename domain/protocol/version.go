package protocol

import "slices"

// Versions of the protocol. They are dates, so they compare as strings.
const (
	Version20241105 = "2024-11-05"
	Version20250326 = "2025-03-26"
	Version20250618 = "2025-06-18"
	Version20251125 = "2025-11-25"
	Version20260728 = "2026-07-28"

	LatestVersion = Version20260728
	// LatestVersionWithHandshake is the newest version that begins with initialize.
	LatestVersionWithHandshake = Version20251125
)

// Versions returns the known versions, newest first.
func Versions() []string {
	return []string{Version20260728, Version20251125, Version20250618, Version20250326, Version20241105}
}

// IsKnownVersion reports whether a version is one of Versions.
func IsKnownVersion(version string) bool { return slices.Contains(Versions(), version) }

// IsModern reports whether a version has no handshake: 2026-07-28 and later.
func IsModern(version string) bool { return version >= Version20260728 }
