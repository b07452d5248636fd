package mcpclient

import (
	"bytes"
	"encoding/json"

	"mcp-workbench/domain/rawjson"
)

// taskOf returns the id of the task that a call became, "" for none. The text search avoids a scan of
// nearly every result.
func taskOf(result json.RawMessage) string {
	if !bytes.Contains(result, []byte(`"taskId"`)) {
		return ""
	}
	if rawjson.Text(rawjson.Member(result, "resultType")) == "task" { // the extension of 2026-07-28
		return rawjson.Text(rawjson.Member(result, "taskId"))
	}
	return rawjson.Text(rawjson.Member(rawjson.Member(result, "task"), "taskId"))
}
