package finding_test

import (
	"reflect"
	"testing"

	"mcp-workbench/domain/finding"
)

// FuzzSearch searches hostile definitions with hostile queries.
func FuzzSearch(f *testing.F) {
	f.Add(`{"name":"read_file","description":"Reads.","inputSchema":{"properties":{"path":{}}}}`, "read a file")
	f.Add(`{"name":"读取文件","title":"\ud800"}`, "文件")
	f.Add(`{"name":1,"inputSchema":[]}`, "\xff\x00")
	f.Fuzz(func(t *testing.T, definition, query string) {
		tools := []finding.Tool{finding.Read([]byte(definition)), {Name: definition, Description: query}, {Name: query}}
		found := finding.NewIndex(tools).Search(query, 2)
		if len(found.Matches) > 2 {
			t.Errorf("%d matches", len(found.Matches))
		}
		if again := finding.NewIndex(tools).Search(query, 2); !reflect.DeepEqual(found, again) {
			t.Errorf("first %v, then %v", found, again)
		}
	})
}
