package architecture_test

import "slices"

var testRooms = []room{
	{
		path: suites, libraries: slices.Concat(ginkgo, []string{"github.com/rogpeppe/go-internal/lockedfile"}),
		why: "it runs specs of any room, so it knows none",
	},
	{
		path: "tests/architecture", specs: ginkgo,
		why: "it compares the program from outside, so it links none of it",
	},
	{
		path: "tests/contributing", specs: ginkgo,
		why: "it changes and builds a copy of the repository, so it links none of it",
	},
	{
		path: "tests/acceptance/**", specs: features,
		why: "features see the program as a host does: no production package",
	},
	{
		path: "tests/windows", specs: slices.Concat(features, []string{"golang.org/x/sys/windows"}),
		why: "features see the program as a host does: no production package",
	},
	{
		path: "tests/soak", specs: features,
		why: "what a workbench holds is seen from outside: no production package",
	},
	{
		path: "tests/realservers", specs: features,
		why: "published servers and hosts run the built program: no production package",
	},
	{
		path: "tests/realservers/gosdk", specs: features,
		why: "published servers and hosts run the built program: no production package",
	},
	{
		path: "tests/world", specs: features,
		why: "published servers and clients run with the built program: no production package",
	},
	{
		path: "tests/hosts", project: []string{"tests/hosts/model"}, specs: []string{"tests/fixtures/**"},
		why: "published hosts run the built program: no production package",
	},
	{
		path: "tests/hosts/*",
		why:  "what stands in for a model and for a pipe knows neither the program nor the specs",
	},
	{
		path: "tests/measurements/find", project: []string{"domain/finding"}, specs: slices.Concat(kit, []string{"github.com/kljensen/snowball/english"}),
		why: "ranks are measured without a program: only the package that ranks, and stems of a baseline",
	},
	{
		path: "tests/pictures", specs: features,
		why: "pictures show the built program: no production package",
	},
	{
		path: "tests/measurements/results", specs: features,
		why: "a scripted host is at the built program: no production package",
	},
	{
		path: "tests/workbenchtest", project: []string{suites, "tests/fixtures/**"},
		libraries: slices.Concat(ginkgo, []string{"github.com/creack/pty", "github.com/google/jsonschema-go/jsonschema", "github.com/tailscale/hujson", "golang.org/x/term"}),
		why:       "the language of features knows the program from outside: no production package",
	},
	{
		path:    "tests/contract/example",
		project: []string{"domain", "ports", "adapters/jsonrpc", "domain/rawjson", "adapters/downstream/mcpclient"},
		specs:   kit,
		why:     "it shows how a transport is written, so it knows what one may know and nothing else",
	},
	{
		path: "tests/contract", project: []string{"adapters/config/keys", "domain", "ports", "tests/fixtures/**"}, libraries: ginkgo, specs: kit,
		why: "the kit knows the ports, the tags of settings and no implementation",
	},
	{
		path: "tests/fixtures/*", project: []string{"tests/fixtures/*"},
		why: "a scripted server shares nothing with the program, so that no mistake is on both sides",
	},
	{
		path: "tests/measurements/tokens", project: []string{
			"domain", "domain/definitions", "adapters/config", "adapters/hostfiles/skills", "adapters/terminal", "adapters/terminal/shell", "adapters/wording",
			"application", "application/pinning", "application/setup", "ports",
		},
		why: "it measures what definitions cost, so it makes them as the program does and knows nothing else of it",
	},
	{
		path: "tests/measurements/bench/**", project: []string{"tests/measurements/bench/wire"},
		why: "what measures costs nothing itself: the standard library and its own wire",
	},
}
