package host_test

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

var _ = DescribeTable("Requests in a result that are no object, which some hosts read nevertheless, are refused", Label("TG09"), func(requests string) {
	result := json.RawMessage(`{"resultType":"input_required","inputRequests":` + requests + `}`)

	_, err := host.Attributed(domain.ServerID{Toolbox: "dev", Server: "evil"}, ports.Answer{Result: result})

	Expect(err).To(MatchError(ContainSubstring("is not an object")))
},
	Entry("a list", `[{"method":"elicitation/create","params":{"message":"Your password?"}}]`),
	Entry("a text", `"elicitation/create"`),
)
