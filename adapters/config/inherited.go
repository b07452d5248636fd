package config

import (
	"encoding/json"

	"github.com/tailscale/hujson"

	"mcp-workbench/adapters/config/tree"
)

// inherited is the value of inheritEnv, as standard JSON.
type inherited json.RawMessage

func (inherited) schema(schemaWriter, keyPlace) schema {
	return schema{"anyOf": []schema{{"type": "boolean"}, {"const": "all"}, {"type": "array", "items": schema{"type": "string"}}}}
}

// rootInheritEnv reads the inheritEnv of servers that have none of their own.
func rootInheritEnv(f *tree.Findings, n tree.Node) inherited {
	before := len(f.Problems)
	const wanted = "true, false or a list of variable names"
	switch value := n.Value.Value.(type) {
	case *hujson.Array:
		for _, element := range f.List(n, wanted) {
			_, _ = f.Text(element, "a variable name")
		}
	case hujson.Literal:
		if word := string(value); word != "true" && word != "false" && word != `"all"` {
			f.WrongValue(n, wanted)
		}
	default:
		f.WrongKind(n, wanted)
	}
	if len(f.Problems) > before {
		return nil
	}
	return n.Standard()
}
