package application

import (
	"fmt"
	"slices"

	"mcp-workbench/domain"
)

// The protections of a configuration. A model may be able to write the file, so a
// configuration that is read again while the program runs may make these stricter, but
// not weaker. A new protection needs only a row in one of these tables.

// rootProtection is a protection for all servers.
type rootProtection struct {
	key string
	// weaker reports whether the second configuration protects less than the first.
	weaker func(before, after Configuration) bool
	// keep gives the second configuration the setting of the first.
	keep func(before Configuration, after *Configuration)
}

var rootProtections = []rootProtection{
	{
		"pinning",
		func(before, after Configuration) bool {
			return after.Pinning.Strictness() < before.Pinning.Strictness()
		},
		func(before Configuration, after *Configuration) { after.Pinning = before.Pinning },
	},
	{
		"packages",
		func(before, after Configuration) bool {
			return after.Packages.Strictness() < before.Packages.Strictness()
		},
		func(before Configuration, after *Configuration) { after.Packages = before.Packages },
	},
	{
		"validate",
		func(before, after Configuration) bool {
			return after.Definitions.Validation.Strictness() < before.Definitions.Validation.Strictness()
		},
		func(before Configuration, after *Configuration) {
			after.Definitions.Validation = before.Definitions.Validation
		},
	},
	{
		"logPayloads",
		func(before, after Configuration) bool { return after.LogPayloads && !before.LogPayloads },
		func(before Configuration, after *Configuration) { after.LogPayloads = before.LogPayloads },
	},
	{
		"readTool",
		func(before, after Configuration) bool {
			return after.Definitions.ReadTool && !before.Definitions.ReadTool
		},
		func(before Configuration, after *Configuration) {
			after.Definitions.ReadTool = before.Definitions.ReadTool
		},
	},
	{
		"confirm of the root",
		func(before, after Configuration) bool {
			return after.Approvals.AsksLessThanForSome(before.Approvals)
		},
		func(before Configuration, after *Configuration) {
			after.Approvals = after.Approvals.AlsoAsking(before.Approvals)
		},
	},
}

// serverProtection is a protection from one server. If any of them would be weaker, the
// server keeps all its settings.
type serverProtection struct {
	key string
	// weaker reports whether the second server's settings protect less than the first's.
	// The policy is the one in force.
	weaker func(before, after domain.Server, policy domain.PinPolicy) bool
	// keep gives the second server, which has another name, the protection of the first. It
	// is nil for a protection that is part of the transport's settings: a server without it
	// does not start.
	keep func(before domain.Server, after *domain.Server)
}

var serverProtections = []serverProtection{
	{"toolFilters", func(before, after domain.Server, _ domain.PinPolicy) bool {
		return after.Tools.IsWeakerThan(before.Tools)
	}, func(before domain.Server, after *domain.Server) {
		after.Tools = after.Tools.And(before.Tools)
	}},
	{"tools", func(before, after domain.Server, _ domain.PinPolicy) bool {
		return after.Adjustments.IsWeakerThan(before.Adjustments)
	}, func(before domain.Server, after *domain.Server) {
		after.Adjustments = after.Adjustments.And(before.Adjustments)
	}},
	{"confirm", func(before, after domain.Server, _ domain.PinPolicy) bool {
		return after.Approvals.AsksLessThan(before.Approvals, before.ID)
	}, func(before domain.Server, after *domain.Server) {
		after.Approvals = after.Approvals.AlsoAsking(before.Approvals)
	}},
	{"readOnly or trustAnnotations", func(before, after domain.Server, _ domain.PinPolicy) bool {
		return after.Approvals.ReadsMoreThan(before.Approvals, before.ID)
	}, func(before domain.Server, after *domain.Server) {
		after.Approvals = after.Approvals.ReadingWithin(before.Approvals, before.ID)
	}},
	{"pinned", func(before, after domain.Server, _ domain.PinPolicy) bool {
		return after.Pinned != before.Pinned && !after.Pinned.PinsAll()
	}, func(before domain.Server, after *domain.Server) {
		after.Pinned = before.Pinned
	}},
	{"shared", func(before, after domain.Server, _ domain.PinPolicy) bool {
		return after.Shared && !before.Shared
	}, func(before domain.Server, after *domain.Server) {
		after.Shared = before.Shared
	}},
	// The lock covers what tools declare, not the program behind them.
	{"the program or the address", func(before, after domain.Server, policy domain.PinPolicy) bool {
		return policy == domain.PinBlock && !before.RunsAs(after)
	}, nil},
	{"inheritEnv", func(before, after domain.Server, _ domain.PinPolicy) bool {
		return after.Traits.InheritsMoreThan(before.Traits)
	}, nil},
	{"installScripts", func(before, after domain.Server, _ domain.PinPolicy) bool {
		return after.Traits.InstallScripts && !before.Traits.InstallScripts
	}, nil},
	{"oauth", func(before, after domain.Server, _ domain.PinPolicy) bool {
		return after.Traits.Login.IsLooserThan(before.Traits.Login)
	}, nil},
	{"limits.messageSize", func(before, after domain.Server, _ domain.PinPolicy) bool {
		return after.Limits.MessageSize > before.Limits.MessageSize
	}, func(before domain.Server, after *domain.Server) {
		after.Limits.MessageSize = before.Limits.MessageSize
	}},
	{"limits.inFlight", func(before, after domain.Server, _ domain.PinPolicy) bool {
		return after.Limits.InFlight > before.Limits.InFlight
	}, func(before domain.Server, after *domain.Server) {
		after.Limits.InFlight = before.Limits.InFlight
	}},
}

// withheld is a setting that takes effect at the next start.
type withheld struct {
	toolbox domain.ToolboxName // "" for a setting of the root
	name    string
}

// protect returns the configuration that was read, with every protection at least as strict as
// before, and the settings that are therefore not in force. Known has the settings of servers
// that were in force last, including removed servers, so that nothing gets weaker in two steps.
// The lists of the configurations are not changed.
func protect(
	before, read Configuration, known knownServers,
) (protected Configuration, toolboxes []domain.Toolbox, kept []withheld) {
	protected = read
	for _, rule := range rootProtections {
		if rule.weaker(before, read) {
			rule.keep(before, &protected)
			kept = append(kept, withheld{name: rule.key})
		}
	}
	policy := protected.Pinning
	if protected.Packages == domain.PackagesLocked {
		policy = domain.PinBlock // another program would not be the one that was locked
	}
	// A configuration that adds such a policy together with new servers weakens nothing.
	var newOnes domain.PinPolicy
	if before.Pinning == domain.PinBlock || before.Packages == domain.PackagesLocked {
		newOnes = domain.PinBlock
	}
	toolboxes = slices.Clone(read.Catalog.Toolboxes())
	for i := range toolboxes {
		toolbox := &toolboxes[i]
		toolbox.Servers = slices.Clone(toolbox.Servers)
		for j, server := range toolbox.Servers {
			withhold := func(setting string) { kept = append(kept, withheld{toolbox: toolbox.Name, name: setting}) }
			old, isKnown := known[server.ID]
			isKnown = isKnown && !old.AtNextStart
			if !isKnown { // rules for all servers apply to a new one
				server.Approvals = server.Approvals.AlsoAsking(protected.Approvals)
			} else if key := weakened(old, server, policy); key != "" {
				toolbox.Servers[j] = old
				withhold(fmt.Sprintf("%s of server %s in toolbox %s", key, domain.QuotedName(server.ID.Server), domain.QuotedName(server.ID.Toolbox)))
				continue
			}
			if !isKnown || !old.RunsLike(server) {
				var settings []string
				server, settings = known.admit(server, newOnes)
				for _, setting := range settings {
					withhold(setting)
				}
			}
			toolbox.Servers[j] = server
		}
	}
	return protected, toolboxes, kept
}

// weakened returns the key of the first protection that would be weaker, "" for none.
func weakened(before, after domain.Server, policy domain.PinPolicy) string {
	for _, rule := range serverProtections {
		if rule.weaker(before, after, policy) {
			return rule.key
		}
	}
	return ""
}
