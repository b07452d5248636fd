package web_test

import (
	"encoding/json"
	"strconv"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/adapters/downstream/web"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

func TestWeb(t *testing.T) { spec.Run(t, "What servers behind a URL have in common") }

// patience is the time a spec waits for something that must happen.
const patience = 20 * time.Second

// endpoint returns the endpoint of a server at that URL with these raw headers.
func endpoint(url, headers string) *web.Endpoint {
	GinkgoHelper()
	endpoint := spec.Must(web.NewEndpoint(domain.Server{
		Settings: json.RawMessage(`{"url":` + strconv.Quote(url) + `,"headers":` + headers + `}`),
		Secrets:  domain.Secrets{{Value: "a-secret-that-is-long", Shown: "***"}},
	}, "workbench/test", nil, func() {}))
	DeferCleanup(endpoint.Close)
	return endpoint
}
