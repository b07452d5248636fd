package hostfiles

import (
	"slices"
	"strconv"
	"strings"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/hostfiles/textedit"
	"mcp-workbench/domain/masking"
)

// members are what files of hosts call the keys of a server that may have secrets, or that say what runs or where it is.
type members struct {
	Command        string            `json:"command" is:"line"`
	Cmd            string            `json:"cmd" is:"line"`
	Args           []string          `json:"args" is:"line"`
	Env            map[string]string `json:"env" is:"data variables"`
	Environment    map[string]string `json:"environment" is:"data variables"`
	Envs           map[string]string `json:"envs" is:"data variables"`
	Headers        map[string]string `json:"headers" is:"data"`
	HTTPHeaders    map[string]string `json:"http_headers" is:"data"`
	EnvHTTPHeaders map[string]string `json:"env_http_headers" is:"data"`
	APIKey         string            `json:"apiKey" is:"secret"`
	TokenVariable  string            `json:"bearer_token_env_var"` // a name
	OAuth          loginMembers      `json:"oauth"`
	Auth           loginMembers      `json:"auth"`
	URL            string            `json:"url" is:"address"`
	HTTPURL        string            `json:"httpUrl" is:"address"`
	ServerURL      string            `json:"serverUrl" is:"address"`
	URI            string            `json:"uri" is:"address"`
	BaseURL        string            `json:"baseUrl" is:"address"`
	OfPages        string            `json:"base_url" is:"address"`
	loginMembers
}

// loginMembers are what files of hosts call the secrets of logins.
type loginMembers struct {
	ClientSecret string `json:"clientSecret" is:"secret"`
	OfGoose      string `json:"client_secret" is:"secret"`
	OfCursor     string `json:"CLIENT_SECRET" is:"secret"`
	PrivateKey   string `json:"privateKey" is:"secret"`
}

// Masked returns the text of a host's file in a form that can be shown: without the values of
// variables and headers, without anything that looks like a secret in arguments and addresses,
// and without any value outside of servers but the address of the schema, switches and numbers.
// References to variables stay, and so do the values that decide which code runs
// (domain.CodeVariable). It is nil for a text that cannot be parsed, and empty for an empty one.
func Masked(file File, text []byte) []byte {
	places := file.places(text)
	return MaskedText(file.format(), text, func(value textedit.Value) Described {
		inServer, depth := inServer(places, value.Path)
		switch {
		case slices.Equal(value.Path, []string{"$schema"}), inServer == nil && masking.IsSwitch(value.Path, value.Text):
			return Described{}
		case inServer == nil:
			return Described{Key: keys.Key{Trait: keys.Secret}}
		}
		return Described{keys.For[members]().At(inServer), depth}
	})
}

// inServer returns the path of a value from its server on, and the number of names before it; nil for a value outside of servers.
func inServer(places [][]string, path []string) (inServer []string, depth int) {
	at := slices.IndexFunc(places, func(place []string) bool { return len(path) > len(place)+1 && slices.Equal(path[:len(place)], place) })
	if at < 0 {
		return nil, 0
	}
	depth = len(places[at]) + 1
	inServer = path[depth:]
	if folded := slices.Index([]string{"command", "transport", "requestOptions"}, inServer[0]); folded >= 0 && len(inServer) > 2 {
		inServer = inServer[1:] // as unfold does
	}
	return inServer, depth
}

// Described is what describes a value in a text, and the number of names that lead to its server, 0 for none.
type Described struct {
	Key    keys.Key
	Server int
}

// MaskedText returns a text in a form that can be shown: what describes each value decides what is masked, and of a
// command line all of its words. It is nil for a text that cannot be parsed, and empty for an empty one.
func MaskedText(format textedit.Format, text []byte, describe func(textedit.Value) Described) []byte {
	if len(text) == 0 {
		return text
	}
	lines := commandLines{}
	format.Mask(text, func(value textedit.Value) string {
		if d := describe(value); d.Key.Is(keys.Line) {
			lines.add(value, d)
		}
		return value.Text
	})
	shown := lines.shown()
	return masking.MaskedComments(format.Mask(text, func(value textedit.Value) string {
		if word, isWord := shown[placeOf(value.Path)]; isWord {
			return word
		}
		return describe(value).Key.Shown(value.Text)
	}))
}

// commandLines are the words of command lines, by the places of their servers.
type commandLines map[string][]commandWord

type commandWord struct{ place, text string }

// add adds a word. A command that is a text comes first, whatever the order of the members is.
func (l commandLines) add(value textedit.Value, d Described) {
	server, word := placeOf(value.Path[:d.Server]), commandWord{placeOf(value.Path), value.Text}
	if _, err := strconv.Atoi(value.Path[len(value.Path)-1]); err != nil {
		l[server] = slices.Insert(l[server], 0, word)
		return
	}
	l[server] = append(l[server], word)
}

// shown returns what is shown of each word, by its place.
func (l commandLines) shown() map[string]string {
	shown := map[string]string{}
	for _, words := range l {
		args := make([]string, len(words)-1)
		for i, word := range words[1:] {
			args[i] = word.text
		}
		for i, text := range masking.Line(words[0].text, args) {
			shown[words[i].place] = text
		}
	}
	return shown
}

func placeOf(path []string) string { return strings.Join(path, "\x00") }
