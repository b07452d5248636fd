package config

import "mcp-workbench/domain"

// approvalSchema returns the schema of a key about approvals at a level. Whether there is a lock
// is checked when a configuration is loaded.
func approvalSchema(key string, level domain.PatternLevel) schema {
	pattern := `^[^!/][^/]*(/[^/]+)*$` // no part is empty
	if level == domain.ServerPattern {
		pattern = `^[^!]`
	}
	patterns := schema{"type": "array", "items": schema{"type": "string", "pattern": pattern}}
	switch key {
	case trustAnnotationsKey:
		return schema{"type": "boolean", "default": false}
	case confirmKey:
		return schema{"anyOf": []schema{{"const": domain.Destructive}, patterns}}
	}
	return patterns
}
