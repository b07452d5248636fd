package example

import (
	"encoding/json"
	"net"
	"strconv"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// settings are the keys of one server of this kind in the configuration.
type settings struct {
	Address string `json:"address" is:"shown expanded" required:"true"`
}

// Settings implements ports.Transport.
func (*Transport) Settings() any { return settings{} }

// wantedAddress says what to write in place of something else.
const wantedAddress = `host and port, such as "localhost:7000"`

// Check implements ports.Transport.
func (*Transport) Check(raw json.RawMessage) error {
	if rawjson.Kind(raw) != '{' {
		return &domain.SettingError{Found: rawjson.KindName(raw), Wanted: "an object"}
	}
	address := rawjson.Member(raw, "address")
	text := rawjson.Text(address)
	_, port, err := net.SplitHostPort(text)
	switch {
	case rawjson.Kind(address) != '"':
		return &domain.SettingError{Key: []string{"address"}, Found: rawjson.KindName(address), Wanted: wantedAddress}
	case strings.Contains(text, "${"):
		return nil // it is known once it is expanded
	case err != nil || port == "":
		return &domain.SettingError{Key: []string{"address"}, Found: strconv.Quote(text), Wanted: wantedAddress}
	}
	return nil
}

// Traits implements ports.Transport.
func (*Transport) Traits(raw json.RawMessage) domain.Traits {
	return domain.Traits{Address: rawjson.Text(rawjson.Member(raw, "address"))}
}
