package shell_test

import (
	"encoding/json"
	"runtime"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Saying the version", func() {
	It("prints the same with the flag and with the command", func() {
		outcome := Run(Launch{Args: []string{"version"}})

		Expect(outcome.Code).To(Equal(0))
		Expect(outcome).To(Equal(Run(Launch{Args: []string{"--version"}})))
	})

	It("prints with --json what the program was built from and for", func() {
		outcome := Run(Launch{Args: []string{"version", "--json"}})

		Expect(outcome.Code).To(Equal(0))
		var version struct {
			Version, GoVersion, Platform string
			Commit                       *string
			ProtocolVersions             []string
		}
		Expect(json.Unmarshal([]byte(outcome.Stdout), &version)).To(Succeed())
		flag := strings.TrimSpace(Run(Launch{Args: []string{"--version"}}).Stdout)
		Expect("mcp-workbench " + version.Version).To(Equal(flag))
		Expect(version.Commit).NotTo(BeNil())
		Expect(version.GoVersion).To(Equal(runtime.Version()))
		Expect(version.Platform).To(Equal(runtime.GOOS + "/" + runtime.GOARCH))
		Expect(version.ProtocolVersions).To(ContainElements("2024-11-05", "2025-11-25", "2026-07-28"))
	})
})
