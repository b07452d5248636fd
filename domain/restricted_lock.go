package domain

import "slices"

// RestrictedBy returns the lock with only the tools, definitions and texts that another one also has.
// Packages are not changed. If the other one has them all, it returns the lock itself.
func (l *Lock) RestrictedBy(other *Lock) *Lock {
	restricted, isLess := Lock{Packages: l.Packages, Without: l.Without}, false
	for _, server := range l.Servers {
		now, _ := other.Server(server.ID)
		both, less := server.restrictedBy(now)
		restricted.Servers = append(restricted.Servers, both)
		isLess = isLess || less
	}
	if !isLess {
		return l
	}
	return &restricted
}

func (s LockedServer) restrictedBy(other LockedServer) (both LockedServer, isLess bool) {
	both = s
	both.Tools = nil
	for _, tool := range s.Tools {
		pins := slices.DeleteFunc(slices.Clone(tool.Pins), func(pin Pin) bool { return !other.holds(tool.Name, pin) })
		isLess = isLess || len(pins) < len(tool.Pins)
		if tool.Pins = pins; len(pins) > 0 {
			both.Tools = append(both.Tools, tool)
		}
	}
	both.Instructions = slices.DeleteFunc(slices.Clone(s.Instructions), func(text string) bool { return !other.HasInstructions(text) })
	return both, isLess || len(both.Instructions) < len(s.Instructions)
}

// Exceeds reports whether the lock has a tool, definition, text or package that the other one does
// not have.
func (l *Lock) Exceeds(other *Lock) bool {
	return l.RestrictedBy(other) != l || slices.ContainsFunc(l.Packages, func(pinned PinnedPackage) bool {
		locked, isLocked := other.Package(pinned.ID)
		return !isLocked || locked != pinned.PackagePin
	})
}

// holds reports whether a definition of the tool with that exact name is locked.
func (s LockedServer) holds(tool string, pin Pin) bool {
	i := slices.IndexFunc(s.Tools, func(t LockedTool) bool { return t.Name == tool })
	return i >= 0 && s.Tools[i].Has(pin)
}
