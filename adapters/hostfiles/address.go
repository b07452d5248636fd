package hostfiles

import (
	"bytes"
	"encoding/json"
	"strings"
)

// addressForm describes how a host writes a server at an address. It is empty for a host whose
// file cannot have one.
type addressForm struct {
	// kind is the value of the member "type", "" for none.
	kind string
	// url is the name of the member with the address.
	url string
	// token is the name of the member with the variable of the token, "" if the token is in
	// the header Authorization of "headers".
	token string
	// key is the name of a member with the token itself, used instead of "headers".
	key string
	// rest are further members, as JSON without braces, "" for none.
	rest string
}

// TakesAddresses reports whether the host's file can have a server at an address.
func (h Host) TakesAddresses() bool { return h.address.url != "" }

// atAddress returns the entry of a workbench at an address as the host writes servers, as JSON.
func (h Host) atAddress(entry Entry) json.RawMessage {
	var members []string
	add := func(key, value string) { members = append(members, text(key)+":"+value) }
	if h.address.kind != "" {
		add("type", text(h.address.kind))
	}
	add(h.address.url, text(entry.URL))
	token, hasToken := entry.Values[entry.Token]
	if entry.Token != "" && h.Expands != nil {
		token, hasToken = h.Expands(entry.Token), true
	}
	switch {
	case entry.Token != "" && h.address.token != "":
		add(h.address.token, text(entry.Token))
	case hasToken && h.address.key != "":
		add(h.address.key, text(token))
	case hasToken:
		add("headers", `{"Authorization":`+text("Bearer "+token)+"}")
	}
	if h.address.rest != "" {
		members = append(members, h.address.rest)
	}
	return json.RawMessage("{" + strings.Join(members, ",") + "}")
}

// text returns a JSON string in which the characters of an address are not escaped.
func text(value string) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value) // a string can always be encoded
	return strings.TrimSpace(out.String())
}
