package protocol_test

import (
	"encoding/json"
	"math/rand/v2"

	"github.com/mark3labs/mcp-go/mcp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/domain/protocol"
)

var _ = DescribeTable("A name is that of mcp-go",
	func(ours, theirs any) { Expect(ours).To(BeEquivalentTo(theirs)) },
	Entry(nil, protocol.Version20241105, mcp.ProtocolVersion20241105),
	Entry(nil, protocol.Version20250326, mcp.ProtocolVersion20250326),
	Entry(nil, protocol.Version20250618, mcp.ProtocolVersion20250618),
	Entry(nil, protocol.Version20251125, mcp.ProtocolVersion20251125),
	Entry(nil, protocol.Version20260728, mcp.ProtocolVersion20260728),
	Entry(nil, protocol.LatestVersion, mcp.LATEST_PROTOCOL_VERSION),
	Entry(nil, protocol.LatestVersionWithHandshake, mcp.LATEST_LEGACY_PROTOCOL_VERSION),
	Entry(nil, protocol.Versions(), mcp.ValidProtocolVersions),
	Entry(nil, protocol.HeaderProtocolVersion, mcp.HeaderProtocolVersion),
	Entry(nil, protocol.HeaderSessionID, mcp.HeaderSessionID),
	Entry(nil, protocol.HeaderLastEventID, mcp.HeaderLastEventID),
	Entry(nil, protocol.HeaderMethod, mcp.HeaderMethod),
	Entry(nil, protocol.HeaderName, mcp.HeaderName),
	Entry(nil, protocol.HeaderArgumentPrefix, mcp.HeaderParamPrefix),
	Entry(nil, protocol.MetaProtocolVersion, mcp.MetaKeyProtocolVersion),
	Entry(nil, protocol.MetaClientInfo, mcp.MetaKeyClientInfo),
	Entry(nil, protocol.MetaClientCapabilities, mcp.MetaKeyClientCapabilities),
	Entry(nil, protocol.MetaServerInfo, mcp.MetaKeyServerInfo),
	Entry(nil, protocol.MetaLogLevel, mcp.MetaKeyLogLevel),
	Entry(nil, protocol.MetaSubscriptionID, mcp.MetaKeySubscriptionID),
	Entry(nil, protocol.ResultComplete, mcp.ResultTypeComplete),
	Entry(nil, protocol.ResultInputRequired, mcp.ResultTypeInputRequired),
	Entry(nil, protocol.CacheScopePrivate, mcp.CacheScopePrivate),
	Entry(nil, protocol.CodeMethodNotFound, mcp.METHOD_NOT_FOUND),
	Entry(nil, protocol.CodeInvalidParams, mcp.INVALID_PARAMS),
	Entry(nil, protocol.CodeResourceNotFound, mcp.RESOURCE_NOT_FOUND),
	Entry(nil, protocol.CodeHeaderMismatch, mcp.HEADER_MISMATCH),
	Entry(nil, protocol.CodeMissingCapability, mcp.MISSING_REQUIRED_CLIENT_CAPABILITY),
	Entry(nil, protocol.CodeUnsupportedProtocolVersion, mcp.UNSUPPORTED_PROTOCOL_VERSION),
	Entry(nil, protocol.CodeURLElicitationRequired, mcp.URL_ELICITATION_REQUIRED),
)

var _ = Describe("A rule is that of mcp-go", func() {
	It("for versions, also those to come", func() {
		for _, version := range append(protocol.Versions(), "", "2024-10-07", "2026-07-27", "2027-01-01", "draft") {
			Expect(protocol.IsModern(version)).To(Equal(mcp.IsModernProtocol(version)), version)
			Expect(protocol.IsKnownVersion(version)).To(Equal(mcp.IsValidProtocolVersion(version)), version)
		}
	})

	DescribeTable("for methods whose requests carry a name in a header", func(method string) {
		Expect(protocol.RequiresHeaderName(method)).To(Equal(mcp.MethodRequiresNameHeader(mcp.MCPMethod(method))))
	},
		Entry(nil, domain.MethodToolsCall), Entry(nil, domain.MethodPromptsGet), Entry(nil, domain.MethodResourcesRead),
		Entry(nil, domain.MethodToolsList), Entry(nil, domain.MethodCompletionComplete), Entry(nil, ""),
	)

	It("for values of headers, both ways", func() {
		chance := rand.New(rand.NewPCG(uint64(GinkgoRandomSeed()), 1))
		pieces := []string{"", " ", "\t", "a", "é", "\n", "~", "\x7f", "=?base64?", "?=", "YQ==", "!", "世"}
		for range 20_000 {
			text := ""
			for range chance.IntN(5) {
				text += pieces[chance.IntN(len(pieces))]
			}

			encoded, _ := mcp.EncodeHeaderValue(text)
			Expect(protocol.EncodeHeaderValue(text)).To(Equal(encoded), "%q", text)
			theirs, valid := mcp.DecodeHeaderValue(text)
			ours, ok := protocol.DecodeHeaderValue(text)
			Expect(ok).To(Equal(valid), "%q", text)
			if ok {
				Expect(ours).To(Equal(theirs), "%q", text)
			}
		}
	})

	It("for the text of a subscription's filter", func() {
		for _, text := range []string{
			`{}`, `{"toolsListChanged":true}`, `{"promptsListChanged":true,"resourcesListChanged":true}`, `{"resourceSubscriptions":["a:b"]}`,
		} {
			var ours protocol.SubscriptionFilter
			var theirs mcp.SubscriptionFilter
			Expect(json.Unmarshal([]byte(text), &ours)).To(Succeed())
			Expect(json.Unmarshal([]byte(text), &theirs)).To(Succeed())
			Expect(json.Marshal(ours)).To(MatchJSON(text))
			Expect(protocol.SubscriptionFilter(theirs)).To(Equal(ours))
			Expect(ours.IsEmpty()).To(Equal(theirs.IsEmpty()))
		}
	})
})
