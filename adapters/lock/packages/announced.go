package packages

import (
	"context"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

type announced struct {
	ports.Packages
	say func(line string)
}

// Announced returns the packages wrapped so that they call say with a line before work that may take long.
func Announced(packages ports.Packages, say func(line string)) ports.Packages {
	return announced{packages, say}
}

// Resolve implements ports.Packages.
func (a announced) Resolve(ctx context.Context, server domain.Server, request domain.PackageRequest) (domain.ResolvedPackage, error) {
	a.say(server.ID.Path() + ": resolving " + request.Spec)
	return a.Packages.Resolve(ctx, server, request)
}

// Install implements ports.Packages.
func (a announced) Install(ctx context.Context, server domain.Server, pin domain.PackagePin, lockFile []byte) error {
	a.say(server.ID.Path() + ": installing " + pin.Name + "@" + pin.Version)
	return a.Packages.Install(ctx, server, pin, lockFile)
}
