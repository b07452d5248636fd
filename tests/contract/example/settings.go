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
	Address string `json:"address" is:"shown expanded address" required:"host and port, such as \"localhost:7000\"" form:"any"`
}

// Settings implements ports.Transport.
func (*Transport) Settings() any { return settings{} }

// Check implements ports.Transport.
func (*Transport) Check(raw json.RawMessage) error {
	text := rawjson.Text(rawjson.Member(raw, "address"))
	if text == "" || strings.Contains(text, "${") { // a variable is known once it is expanded
		return nil
	}
	if _, port, err := net.SplitHostPort(text); err != nil || port == "" {
		return &domain.SettingError{Key: []string{"address"}, Found: strconv.Quote(text), Wanted: `host and port, such as "localhost:7000"`}
	}
	return nil
}

// Traits implements ports.Transport.
func (*Transport) Traits(raw json.RawMessage) domain.Traits {
	return domain.Traits{Address: rawjson.Text(rawjson.Member(raw, "address"))}
}
