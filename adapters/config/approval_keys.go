package config

import (
	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/domain"
)

// ApprovalKeys are legal at the root, in a toolbox and in a server. They are read into domain.Approvals.
type ApprovalKeys struct {
	_ confirmed    `key:"confirm" is:"protection strict"`
	_ toolPatterns `key:"readOnly" is:"protection strict"`
	_ annotations  `key:"trustAnnotations" is:"protection"`
}

var approvalKeys = keys.For[ApprovalKeys]()

type (
	confirmed    struct{}
	toolPatterns struct{}
	annotations  struct{}
)

func (confirmed) schema(w schemaWriter, at keyPlace) schema {
	return schema{"anyOf": []schema{{"const": domain.Destructive}, toolPatterns{}.schema(w, at)}}
}

// schema implements schemer. No part of a pattern is empty. Whether there is a lock is checked when a configuration is
// loaded.
func (toolPatterns) schema(_ schemaWriter, at keyPlace) schema {
	pattern := `^[^!/][^/]*(/[^/]+)*$`
	if at.name == "server" {
		pattern = `^[^!]`
	}
	return schema{"type": "array", "items": schema{"type": "string", "pattern": pattern}}
}

func (annotations) schema(schemaWriter, keyPlace) schema {
	return schema{"type": "boolean", "default": false}
}
