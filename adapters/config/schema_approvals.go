package config

import "mcp-workbench/domain"

// approvalSchema returns what one of the keys about approvals may be at a level. Whether
// there is a lock is checked when a configuration is loaded.
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
