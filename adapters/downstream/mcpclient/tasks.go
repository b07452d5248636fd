package mcpclient

import (
	"bytes"
	"encoding/json"

	"mcp-workbench/domain/rawjson"
)

// maxTaskID is the length of the longest id of a task, in bytes. Ids are kept as long as their tasks.
const maxTaskID = 256

// taskOf returns the id of the task that a call became, "" for none, or for one whose id is too long: the host can then
// make no requests about it.
func taskOf(result json.RawMessage) string {
	if id := taskIDIn(result); len(id) <= maxTaskID {
		return id
	}
	return ""
}

// taskIDIn returns the id of a task in a result, "" for none. The text search avoids a scan of
// nearly every result.
func taskIDIn(result json.RawMessage) string {
	if !bytes.Contains(result, []byte(`"taskId"`)) {
		return ""
	}
	if rawjson.Text(rawjson.Member(result, "resultType")) == "task" { // the extension of 2026-07-28
		return rawjson.Text(rawjson.Member(result, "taskId"))
	}
	return rawjson.Text(rawjson.Member(rawjson.Member(result, "task"), "taskId"))
}
