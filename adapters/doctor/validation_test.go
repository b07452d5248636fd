package doctor_test

import (
	"errors"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/doctor"
	"mcp-workbench/adapters/terminal"
)

func unpainted(_ terminal.Colour, text string) string { return text }

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

var _ = Describe("The report of validate", func() {
	It("fails when it cannot be written", func() {
		Expect(doctor.Validation{Valid: true}.Print(brokenPipe{}, unpainted)).To(MatchError("write the report: broken pipe"))
	})
})
