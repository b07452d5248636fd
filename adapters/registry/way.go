package registry

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/launcher"
)

// The types of packages that can run.
const (
	NPM  = "npm"
	PyPI = "pypi"
	OCI  = "oci"
)

// Types are the types of packages that can run.
func Types() []string { return []string{NPM, PyPI, OCI} }

// runtimes are the programs that run packages, and their package registries.
var runtimes = map[string]struct {
	programs []string
	// home is the host of the package registry whose packages the programs fetch, "" for those that are part of the
	// identifier.
	home string
}{
	NPM:  {[]string{"npx"}, "registry.npmjs.org"},
	PyPI: {[]string{"uvx"}, "pypi.org"},
	OCI:  {[]string{"docker", "podman"}, ""},
}

// Machine says what can run here.
type Machine struct {
	// Has reports whether a program is in the PATH.
	Has func(program string) bool
	// Advice returns how to get a program (launcher.Machine.Advice).
	Advice func(program string) string
}

// Choice is the wish of the user: packages of one type, or an address. The zero value is none.
type Choice struct {
	Type   string
	Remote bool
}

// Way is how a server runs here: as a package by a program, or at an address.
type Way struct {
	// Runtime is the program that runs the package, "" for an address.
	Runtime string
	Package Package
	// Remote is the address if Runtime is "".
	Remote Remote
}

// Label names the way in a list: the program, or "url".
func (w Way) Label() string {
	if w.Runtime == "" {
		return "url"
	}
	return w.Runtime
}

// Way returns the first package that can run here without installing anything, in the order of the registry, otherwise
// the first address.
//
// Failures: *NoWayError.
func (s Server) Way(machine Machine, choice Choice) (Way, error) {
	none := &NoWayError{Name: s.Name}
	for _, p := range s.Packages {
		if choice.Remote || choice.Type != "" && choice.Type != p.RegistryType {
			continue
		}
		runtime, err := p.runtime(machine)
		if err == nil {
			return Way{Runtime: runtime, Package: p}, nil
		}
		none.Reasons = append(none.Reasons, err.Error())
		if missing, ok := errors.AsType[*missingError](err); ok {
			none.Missing = append(none.Missing, missing.program)
		}
	}
	for _, remote := range s.Remotes {
		switch {
		case choice.Type != "":
		case !slices.Contains([]string{"streamable-http", "sse"}, remote.Type):
			none.Reasons = append(none.Reasons, fmt.Sprintf("an address has the transport %q, which the workbench does not have", remote.Type))
		default:
			return Way{Remote: remote}, nil
		}
	}
	return Way{}, none
}

// NoWayError says why nothing of a server can run here.
type NoWayError struct {
	Name string
	// Reasons are the reasons for each package and address, and Missing the programs that would run one.
	Reasons, Missing []string
}

func (e *NoWayError) Error() string {
	if len(e.Reasons) == 0 {
		return e.Name + " has no package and no address that was asked for"
	}
	return domain.ReviewLine(e.Name + " has nothing that can run here: " + strings.Join(e.Reasons, "; "))
}

// missingError says that a program is missing.
type missingError struct{ what, program, advice string }

func (e *missingError) Error() string {
	return strings.TrimSuffix(fmt.Sprintf("%s needs %s, which is not in the PATH: %s", e.what, e.program, e.advice), ": ")
}

// runtime returns the program that runs a package here.
func (p Package) runtime(machine Machine) (string, error) {
	what := fmt.Sprintf("the package %q of %s", p.Identifier, p.RegistryType)
	known, ok := runtimes[p.RegistryType]
	switch {
	case !ok:
		return "", fmt.Errorf("%s is of a type that the workbench does not run (it runs %s)", what, strings.Join(Types(), ", "))
	case p.Transport.Type != "" && p.Transport.Type != "stdio":
		return "", fmt.Errorf("%s does not serve over pipes but over %q", what, p.Transport.Type)
	}
	if reason := p.unfit(known.home); reason != "" {
		return "", fmt.Errorf("%s %s", what, reason)
	}
	programs := known.programs
	if slices.Contains(programs, p.RuntimeHint) {
		programs = slices.Concat([]string{p.RuntimeHint}, programs)
	}
	for _, program := range programs {
		if machine.Has(program) {
			return program, nil
		}
	}
	return "", &missingError{what, programs[0], machine.Advice(programs[0])}
}

var (
	npmVersion   = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)
	pypiName     = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$`)
	pypiVersion  = regexp.MustCompile(`^([0-9]+!)?[0-9]+(\.[0-9]+)*[0-9A-Za-z.+-]*$`)
	imageName    = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*(:[0-9]+)?(/[a-z0-9][a-z0-9._-]*)*(:[A-Za-z0-9_][A-Za-z0-9._-]*)?(@sha256:[0-9a-f]{64})?$`)
	imageVersion = regexp.MustCompile(`(:[A-Za-z0-9_][A-Za-z0-9._-]*|@sha256:[0-9a-f]{64})$`)
)

// unfit says why a package cannot be fetched by its name and an exact version, as the end of a sentence; "" if it can.
func (p Package) unfit(home string) string {
	if base, err := url.Parse(p.BaseURL); p.BaseURL != "" && home != "" && (err != nil || base.Host != home) {
		return fmt.Sprintf("comes from another package registry (%s), which is not asked", p.BaseURL)
	}
	var isName, isVersion bool
	switch p.RegistryType {
	case NPM:
		name, _, ok := launcher.NPMPackage(p.Identifier + "@" + p.Version)
		isName, isVersion = ok && name == p.Identifier, npmVersion.MatchString(p.Version)
	case PyPI:
		isName, isVersion = pypiName.MatchString(p.Identifier), pypiVersion.MatchString(p.Version)
	default:
		image := p.image()
		isName, isVersion = imageName.MatchString(image), imageVersion.MatchString(image) && !strings.HasSuffix(image, ":latest")
	}
	switch {
	case !isName:
		return "has an identifier that is no name of a package"
	case !isVersion:
		return strings.TrimSuffix(fmt.Sprintf("has no exact version (%q)", p.Version), ` ("")`)
	}
	return ""
}

// image returns the reference of an image with its version.
func (p Package) image() string {
	image := p.Identifier
	if base, err := url.Parse(p.BaseURL); err == nil && base.Host != "" && base.Host != "docker.io" && !strings.HasPrefix(image, base.Host+"/") {
		image = base.Host + "/" + image
	}
	if name := image[strings.LastIndexByte(image, '/')+1:]; p.Version != "" && !strings.ContainsAny(name, ":@") {
		image += ":" + p.Version
	}
	return image
}

// Target returns the package with its version, as its program takes it.
func (p Package) Target() string {
	if p.RegistryType == OCI {
		return p.image()
	}
	return p.Identifier + "@" + p.Version
}

// Source returns the package registry of a package, for people.
func (p Package) Source() string {
	if home := runtimes[p.RegistryType].home; home != "" {
		return home
	}
	host, _, hasHost := strings.Cut(p.image(), "/")
	if hasHost && strings.ContainsAny(host, ".:") {
		return host
	}
	return "docker.io"
}
