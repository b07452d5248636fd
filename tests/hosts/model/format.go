package model

import "encoding/json"

// object is a JSON object.
type object = map[string]any

// turn is one answer of the model: a tool call, or a text if tool is "".
type turn struct {
	text            string
	tool, namespace string
	id              string
	arguments       json.RawMessage
}

// format writes turns in the form of one API.
type format interface {
	// stream returns the data of the events.
	stream(t turn) []object
	// whole returns the body of an answer without events.
	whole(t turn) object
}

// messages is Anthropic's Messages API.
type messages struct{}

func (messages) whole(t turn) object {
	content, reason := object{"type": "text", "text": t.text}, "end_turn"
	if t.tool != "" {
		content, reason = object{"type": "tool_use", "id": t.id, "name": t.tool, "input": t.arguments}, "tool_use"
	}
	return object{
		"id": "msg_1", "type": "message", "role": "assistant", "model": "stand-in", "content": []object{content},
		"stop_reason": reason, "stop_sequence": nil, "usage": object{"input_tokens": 1, "output_tokens": 1},
	}
}

func (m messages) stream(t turn) []object {
	message := m.whole(t)
	reason := message["stop_reason"]
	message["stop_reason"], message["content"] = nil, []object{}
	block, delta := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": t.text}
	if t.tool != "" {
		block = object{"type": "tool_use", "id": t.id, "name": t.tool, "input": object{}}
		delta = object{"type": "input_json_delta", "partial_json": string(t.arguments)}
	}
	return []object{
		{"type": "message_start", "message": message},
		{"type": "content_block_start", "index": 0, "content_block": block},
		{"type": "content_block_delta", "index": 0, "delta": delta},
		{"type": "content_block_stop", "index": 0},
		{
			"type": "message_delta", "delta": object{"stop_reason": reason, "stop_sequence": nil},
			"usage": object{"output_tokens": 1},
		},
		{"type": "message_stop"},
	}
}

// responses is OpenAI's Responses API.
type responses struct{}

func (responses) whole(t turn) object {
	item := object{
		"type": "message", "role": "assistant", "id": "msg_1",
		"content": []object{{"type": "output_text", "text": t.text}},
	}
	if t.tool != "" {
		item = object{"type": "function_call", "call_id": t.id, "name": t.tool, "arguments": string(t.arguments)}
	}
	if t.namespace != "" {
		item["namespace"] = t.namespace
	}
	return object{
		"id": "resp_1", "output": []object{item},
		"usage": object{
			"input_tokens": 1, "input_tokens_details": nil, "output_tokens": 1, "output_tokens_details": nil, "total_tokens": 2,
		},
	}
}

func (r responses) stream(t turn) []object {
	response := r.whole(t)
	items, _ := response["output"].([]object)
	events := []object{{"type": "response.created", "response": object{"id": response["id"]}}}
	for i, item := range items {
		events = append(events, object{"type": "response.output_item.done", "output_index": i, "item": item})
	}
	return append(events, object{"type": "response.completed", "response": response})
}

// completions is OpenAI's Chat Completions API, which many others have too.
type completions struct{}

func (completions) whole(t turn) object {
	message, reason := object{"role": "assistant", "content": t.text}, "stop"
	if t.tool != "" {
		message, reason = object{"role": "assistant", "content": nil, "tool_calls": []object{{
			"index": 0, "id": t.id, "type": "function",
			"function": object{"name": t.tool, "arguments": string(t.arguments)},
		}}}, "tool_calls"
	}
	return object{
		"id": "chat_1", "object": "chat.completion", "created": 0, "model": "stand-in",
		"choices": []object{{"index": 0, "message": message, "finish_reason": reason}},
		"usage":   object{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
	}
}

func (c completions) stream(t turn) []object {
	answer := c.whole(t)
	choices, _ := answer["choices"].([]object)
	chunk := func(delta, reason any) object {
		return object{
			"id": "chat_1", "object": "chat.completion.chunk", "created": 0, "model": "stand-in",
			"choices": []object{{"index": 0, "delta": delta, "finish_reason": reason}},
		}
	}
	last := chunk(object{}, choices[0]["finish_reason"])
	last["usage"] = answer["usage"]
	return []object{chunk(choices[0]["message"], nil), last}
}

// contents is Google's Gemini API.
type contents struct{}

func (contents) whole(t turn) object {
	part := object{"text": t.text}
	if t.tool != "" {
		part = object{"functionCall": object{"name": t.tool, "args": t.arguments}}
	}
	return object{
		"candidates": []object{{
			"content": object{"role": "model", "parts": []object{part}}, "finishReason": "STOP", "index": 0,
		}},
		"usageMetadata": object{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
		"modelVersion":  "stand-in",
	}
}

func (c contents) stream(t turn) []object { return []object{c.whole(t)} }
