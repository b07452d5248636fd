package callers_test

import (
	"context"
	"crypto/rsa"
	"encoding/json"
	"math/big"
	"strings"

	"github.com/go-jose/go-jose/v4"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver/callers"
	"mcp-workbench/tests/spec"
)

var _ = DescribeTable("The keys of an issuer cost no more than their bound", Label("SH10", "large"), func(other func() (key any, size int)) {
	const mib = 1 << 20
	issuer := newFakeIssuer(public(rsaKey().Public(), "one", "RS256"))
	key, size := other()
	for range (mib - 4<<10) / size {
		issuer.keys = append(issuer.keys, key)
	}
	encoded := len(spec.Must(json.Marshal(issuer.keys)))
	Expect(encoded).To(And(BeNumerically(">", mib/2), BeNumerically("<", mib)))
	token := signedToken(rsaKey(), jose.RS256, "one", claims(nil))

	made, kept := spec.Cost(func() *callers.Resource {
		server := newServer(issuer)
		Expect(server.Verify(context.Background(), token, "192.0.2.1")).Error().NotTo(HaveOccurred())
		return server
	})

	Expect(made).To(BeNumerically("<", 1000*mib))
	Expect(kept).To(BeNumerically("<", 4*mib))
},
	Entry("that are numbers", func() (any, int) { return 0, 2 }),
	Entry("that are long", func() (any, int) {
		n, _ := new(big.Int).SetString(strings.Repeat("f", 12<<10), 16)
		return public(&rsa.PublicKey{N: n, E: 65537}, "long", "RS256"), 9 << 10
	}),
)
