package lockfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// The members of a package in the file, besides its kind, whose value is its name.
const (
	packagesKey       = "packages"
	requestedKey      = "requested"
	packageVersionKey = "version"
	scriptsKey        = "installScripts"
)

// formatPackages writes the member of packages.
func formatPackages(text *bytes.Buffer, packages []domain.PinnedPackage) {
	formatEntries(text, packagesKey, packages, func(pinned domain.PinnedPackage) (domain.ServerID, string) {
		return pinned.ID, packageText(pinned.PackagePin)
	})
}

func packageText(pin domain.PackagePin) string {
	text := fmt.Sprintf("{%q: %s, %q: %s, %q: %s", pin.Kind, quotedName(pin.Name), requestedKey, quotedName(pin.Spec), packageVersionKey, quotedName(pin.Version))
	if pin.LockDigest != "" {
		text += fmt.Sprintf(", %q: %q", digestKey, pin.LockDigest)
	}
	if pin.InstallScripts {
		text += fmt.Sprintf(", %q: true", scriptsKey)
	}
	return text + "}"
}

// parsePackages reads what formatPackages wrote.
func parsePackages(toolboxes json.RawMessage) ([]domain.PinnedPackage, error) {
	var packages []domain.PinnedPackage
	err := eachServer(toolboxes, packagesKey, func(id domain.ServerID, entry json.RawMessage) error {
		pin, err := parsePackage("the package of "+serverName(id), entry)
		packages = append(packages, domain.PinnedPackage{ID: id, PackagePin: pin})
		return err
	})
	return packages, err
}

// parsePackage reads one package.
func parsePackage(where string, entry json.RawMessage) (pin domain.PackagePin, err error) {
	err = each(entry, where, func(key string, value json.RawMessage) error {
		text := rawjson.Text(value)
		switch kind := domain.PackageKind(key); {
		case (kind == domain.PackageNPM || kind == domain.PackagePyPI) && pin.Kind == "":
			pin.Kind, pin.Name = kind, text
		case key == requestedKey:
			pin.Spec = text
		case key == packageVersionKey:
			pin.Version = text
		case key == digestKey:
			pin.LockDigest = text
		case key == scriptsKey:
			if pin.InstallScripts = string(value) == "true"; !pin.InstallScripts {
				return fmt.Errorf("%q of %s is not true", scriptsKey, where)
			}
		default:
			return fmt.Errorf("%s has the unknown member '%s'", where, key)
		}
		return nil
	})
	if err == nil {
		err = checkPackage(where, pin)
	}
	return pin, err
}

// checkPackage returns an error if a package lacks a part, or has a wrong one. Parts become arguments
// of programs and names of files.
func checkPackage(where string, pin domain.PackagePin) error {
	switch {
	case pin.Kind == "" || pin.Name == "":
		return fmt.Errorf("%s has no name", where)
	case pin.Spec == "":
		return fmt.Errorf("%s has no %q", where, requestedKey)
	case !isVersion(pin.Version):
		return fmt.Errorf("%q of %s is not an exact version", packageVersionKey, where)
	case pin.Kind == domain.PackageNPM && !isDigest(pin.LockDigest):
		return fmt.Errorf("%q of %s is not a SHA-256", digestKey, where)
	case pin.Kind != domain.PackageNPM && (pin.LockDigest != "" || pin.InstallScripts):
		return fmt.Errorf("%s has %q or %q, which only packages of %s have", where, digestKey, scriptsKey, domain.PackageNPM)
	}
	return nil
}

const (
	digits       = "0123456789"
	lowerCase    = "abcdefghijklmnopqrstuvwxyz"
	alphanumeric = digits + lowerCase + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// isVersion reports whether a text is one version, as opposed to a range, a tag or a path.
func isVersion(text string) bool {
	return text != "" && strings.Contains(digits, text[:1]) && strings.Trim(text, alphanumeric+".-+!_") == ""
}

func isDigest(text string) bool {
	return len(text) == hex.EncodedLen(sha256.Size) && strings.Trim(text, digits+"abcdef") == ""
}
