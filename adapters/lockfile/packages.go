package lockfile

import (
	"bytes"
	"encoding/json"
	"fmt"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// The members of the file about packages, besides the kind of a package, whose value is
// its name.
const (
	packagesKey       = "packages"
	requestedKey      = "requested"
	packageVersionKey = "version"
	scriptsKey        = "installScripts"
)

// packageKinds are the kinds of packages.
var packageKinds = []domain.PackageKind{domain.PackageNPM, domain.PackagePyPI}

// formatPackages writes the member of packages.
func formatPackages(text *bytes.Buffer, packages []domain.PinnedPackage) {
	var entries []entry
	for _, pinned := range packages {
		entries = append(entries, entry{pinned.ID, packageText(pinned.PackagePin)})
	}
	formatEntries(text, packagesKey, entries)
}

func packageText(pin domain.PackagePin) string {
	text := fmt.Sprintf("{%q: %s, %q: %s, %q: %s", pin.Kind, quoted(pin.Name), requestedKey, quoted(pin.Spec), packageVersionKey, quoted(pin.Version))
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
	err := each(toolboxes, `its member "packages"`, func(toolbox string, servers json.RawMessage) error {
		return each(servers, fmt.Sprintf("toolbox '%s' of the packages", toolbox), func(server string, entry json.RawMessage) error {
			pin, err := parsePackage(fmt.Sprintf("the package of server '%s' of toolbox '%s'", server, toolbox), entry)
			id := domain.ServerID{Toolbox: domain.ToolboxName(toolbox), Server: domain.ServerName(server)}
			packages = append(packages, domain.PinnedPackage{ID: id, PackagePin: pin})
			return err
		})
	})
	return packages, err
}

// parsePackage reads one package.
func parsePackage(where string, entry json.RawMessage) (pin domain.PackagePin, err error) {
	err = each(entry, where, func(key string, value json.RawMessage) error {
		text := rawjson.Text(value)
		switch kind := domain.PackageKind(key); {
		case isKind(kind) && pin.Kind == "":
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

func isKind(kind domain.PackageKind) bool {
	for _, known := range packageKinds {
		if kind == known {
			return true
		}
	}
	return false
}

// checkPackage returns what is missing of a package, or too much. Its parts become
// arguments of programs and names of files.
func checkPackage(where string, pin domain.PackagePin) error {
	switch {
	case pin.Kind == "" || pin.Name == "":
		return fmt.Errorf("%s has no name", where)
	case pin.Spec == "":
		return fmt.Errorf("%s has no %q", where, requestedKey)
	case !isVersion(pin.Version):
		return fmt.Errorf("%q of %s is no exact version", packageVersionKey, where)
	case pin.Kind == domain.PackageNPM && !isDigest(pin.LockDigest):
		return fmt.Errorf("%q of %s is no SHA-256", digestKey, where)
	case pin.Kind != domain.PackageNPM && (pin.LockDigest != "" || pin.InstallScripts):
		return fmt.Errorf("%s has %q or %q, which only packages of %s have", where, digestKey, scriptsKey, domain.PackageNPM)
	}
	return nil
}

// isVersion reports whether a text is one version: no range, no tag, no path.
func isVersion(text string) bool {
	if text == "" || text[0] < '0' || text[0] > '9' {
		return false
	}
	for _, r := range text {
		isLetter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !isLetter && (r < '0' || r > '9') && r != '.' && r != '-' && r != '+' && r != '!' && r != '_' {
			return false
		}
	}
	return true
}

func isDigest(text string) bool {
	if len(text) != 64 {
		return false
	}
	for _, r := range text {
		if (r < '0' || r > '9') && (r < 'a' || r > 'f') {
			return false
		}
	}
	return true
}
