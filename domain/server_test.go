package domain_test

import (
	"encoding/json"
	"reflect"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("Servers are configured alike", func() {
	// other is another value for each field of a server than that of the zero server.
	other := map[string]any{
		"ID":          domain.ServerID{Toolbox: "dev", Server: "files"},
		"Transport":   "stdio",
		"Settings":    json.RawMessage(`{"command":"a"}`),
		"Tools":       domain.OnlyTools([]string{"read"}),
		"Adjustments": domain.ToolAdjustments{"a": {Hidden: []string{"b"}}},
		"Pinned":      domain.PinSchema,
		"Shared":      true,
		"Approvals":   domain.Approvals{ConfirmDestructive: true},
		"Limits":      domain.DefaultLimits(),
		"Unset":       &domain.UnsetVariableError{Variable: "TOKEN"},

		"AtNextStart":    true,
		"SecretCommands": []domain.SecretCommand{{Variable: "TOKEN", Program: domain.Program{Command: "op"}}},
	}
	// same are the fields that say again what others say, that no configuration sets, or that
	// are about the next start only.
	same := map[string]any{
		"Configured": json.RawMessage(`{"command":"${A}"}`),
		"Traits":     domain.Traits{Address: "a"},
		"Shown":      domain.Traits{Address: "${A}"},
		"Secrets":    domain.Secrets{{Value: "secret"}},
		"Start":      domain.StartLazily,
		"Results":    domain.ResultsFit,
	}

	It("when no field differs but those that say nothing new", func() {
		fields := reflect.TypeFor[domain.Server]()
		for i := range fields.NumField() {
			name := fields.Field(i).Name
			var server domain.Server
			value, differs := other[name]
			if !differs {
				Expect(same).To(HaveKey(name), "a new field: does a server that differs in it have to be replaced?")
				value = same[name]
			}
			reflect.ValueOf(&server).Elem().Field(i).Set(reflect.ValueOf(value))

			Expect(server.Equal(domain.Server{})).To(Equal(!differs), name)
			Expect(domain.Server{}.Equal(server)).To(Equal(!differs), name)
			Expect(server.Equal(server)).To(BeTrue(), name)
		}
	})

	It("as parts of toolboxes too, whose order counts", func() {
		a, b := domain.Server{Transport: "a"}, domain.Server{Transport: "b"}
		toolbox := domain.Toolbox{Name: "dev", Description: "d", Servers: []domain.Server{a, b}}

		Expect(toolbox.Equal(domain.Toolbox{Name: "dev", Description: "d", Servers: []domain.Server{a, b}})).To(BeTrue())
		Expect(toolbox.Equal(domain.Toolbox{Name: "dev", Description: "d", Servers: []domain.Server{b, a}})).To(BeFalse())
		Expect(toolbox.Equal(domain.Toolbox{Name: "dev", Servers: []domain.Server{a, b}})).To(BeFalse())
		Expect(toolbox.Equal(domain.Toolbox{Name: "dev", Description: "d", Servers: []domain.Server{a}})).To(BeFalse())
		lazy := a
		lazy.Start = domain.StartLazily
		Expect(toolbox.Equal(domain.Toolbox{Name: "dev", Description: "d", Servers: []domain.Server{lazy, b}})).To(BeFalse())
		fit, less := a, a
		fit.Results, less.Limits.Result = domain.ResultsFit, 1000
		Expect(toolbox.Equal(domain.Toolbox{Name: "dev", Description: "d", Servers: []domain.Server{fit, b}})).To(BeFalse())
		Expect(toolbox.Equal(domain.Toolbox{Name: "dev", Description: "d", Servers: []domain.Server{less, b}})).To(BeFalse())
		Expect(a.Equal(less)).To(BeTrue(), "no server is started again for that")
	})
})

var _ = Describe("Comparing filters", func() {
	universe := []string{"a", "b", "c", "never configured"}
	var filters []domain.ToolFilter
	for set := range 1 << 3 {
		var named, left []string
		for i, name := range universe[:3] {
			if set&(1<<i) != 0 {
				named, left = append(named, name), append(left, "!"+name)
			}
		}
		filters = append(filters, domain.OnlyTools(named), domain.OnlyTools(append(left, "*")))
	}
	filters = append(filters, domain.ToolFilter{}, domain.OnlyTools([]string{"b", "a"}), domain.OnlyTools([]string{"a", "a"}))

	It("says of any two which lets a tool through that the other does not", func() {
		for _, filter := range filters {
			for _, other := range filters {
				weaker, equal := false, true
				for _, name := range universe {
					weaker = weaker || filter.Allows(name) && !other.Allows(name)
					equal = equal && filter.Allows(name) == other.Allows(name)
				}
				Expect(filter.IsWeakerThan(other)).To(Equal(weaker), "%v, %v", filter, other)
				Expect(filter.Equal(other)).To(Equal(equal), "%v, %v", filter, other)
				for _, name := range universe {
					Expect(filter.And(other).Allows(name)).To(Equal(filter.Allows(name) && other.Allows(name)), "%v, %v: %s", filter, other, name)
				}
			}
		}
	})
})
