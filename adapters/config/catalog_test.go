package config_test

import (
	"encoding/json"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/contract"
)

var _ = contract.DescribeCatalog("a configuration", func(names ...domain.ToolboxName) ports.Catalog {
	GinkgoHelper()
	toolboxes := make([]string, len(names))
	for i, name := range names {
		quoted, err := json.Marshal(name)
		Expect(err).NotTo(HaveOccurred())
		toolboxes[i] = fmt.Sprintf(`%s:{"description":"number %d","mcpServers":{"one":{"command":"x"},"two":{"command":"y"}}}`, quoted, i)
	}
	return load(`{"toolboxes":{` + strings.Join(toolboxes, ",") + `}}`).Catalog
})
