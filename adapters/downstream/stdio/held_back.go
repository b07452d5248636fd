package stdio

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/domain"
	"mcp-workbench/domain/excerpts"
	"mcp-workbench/domain/masking"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// withLogin are variables whose addresses may have a login, which makes secrets of them, and what programs write
// that lack one of them. They do not name it.
var withLogin = []struct {
	variables []string
	failure   *regexp.Regexp
}{
	{
		[]string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"},
		regexp.MustCompile(`(?i)proxy|EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|failed to fetch|dns error|could not resolve`),
	},
	{
		[]string{
			"NPM_CONFIG_REGISTRY", "npm_config_registry", "UV_INDEX", "UV_INDEX_URL", "UV_DEFAULT_INDEX", "UV_EXTRA_INDEX_URL", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL",
		},
		regexp.MustCompile(`npm (?:error|ERR!) code E40[134]|not found in the package registry|No matching distribution|401 Unauthorized`),
	},
}

// heldBack are the names of the variables of the workbench that a server does not get, sorted.
type heldBack struct {
	names []string
	// hidden are what stands for hidden values in the messages about the server.
	hidden *strings.Replacer
}

// maxMissing is the number of variables that a message names, maxRead the number of bytes of a result that are read
// for names.
const maxMissing, maxRead = 4, 64 << 10

// heldBack returns the variables of an environment that a server with another one lacks. Those of parents are no loss.
func (v variables) heldBack(own, given []string, secrets domain.Secrets) heldBack {
	isGiven := func(name string) bool {
		return slices.ContainsFunc(given, func(entry string) bool { given, _, _ := strings.Cut(entry, "="); return v.same(given, name) })
	}
	var held heldBack
	for _, entry := range own {
		name, value, ok := strings.Cut(entry, "=")
		if ok && value != "" && !v.isNever(name, value) && !v.isOfParent(name) && !isGiven(name) {
			held.names = append(held.names, name)
		}
	}
	slices.Sort(held.names)
	var hidden []string
	for _, secret := range secrets {
		if secret.Shown != "" {
			hidden = append(hidden, secret.Shown, " ")
		}
	}
	held.hidden = strings.NewReplacer(hidden...)
	return held
}

// missing returns a clause that names the variables that a server may have lacked, by what it wrote: it names them, or
// has the message of a program without them. It returns "" if there are none.
func (h heldBack) missing(said string) string {
	if len(h.names) == 0 || said == "" {
		return ""
	}
	words := masking.VariablesIn(h.hidden.Replace(said))
	var missing []string
	for _, name := range h.names {
		isMeant := func(word string) bool {
			if strings.Contains(name, "_") {
				return strings.EqualFold(word, name)
			}
			return word == name && name != strings.ToLower(name) // words in lower case are seldom names
		}
		if slices.ContainsFunc(words, isMeant) || lacksLogin(name, said) {
			missing = append(missing, name)
		}
	}
	return masking.HeldBackNote(missing[:min(len(missing), maxMissing)])
}

// lacksLogin reports whether a text is the message of a program without that variable.
func lacksLogin(name, said string) bool {
	for _, kind := range withLogin {
		if slices.Contains(kind.variables, name) && kind.failure.MatchString(said) {
			return true
		}
	}
	return false
}

// session is a session with a program that may lack variables. Failed calls that name one say so.
//
// Decision: results that did not fail keep their bytes. Many texts name a variable without missing it.
type session struct {
	*mcpclient.Session
	held heldBack
}

// CallTool implements ports.Session.
func (s *session) CallTool(ctx context.Context, call ports.ToolCall, reply ports.Reply) {
	s.Session.CallTool(ctx, call, func(answer ports.Answer, err error) { reply(s.held.explained(answer), err) })
}

// explained returns an answer with a note about the variables that the server may have lacked.
func (h heldBack) explained(answer ports.Answer) ports.Answer {
	if len(h.names) == 0 {
		return answer
	}
	if answer.Error != nil {
		said := rawjson.Text(rawjson.Member(answer.Error, "message"))
		if note := h.missing(said[:min(len(said), maxRead)]); note != "" {
			answer.Error = rawjson.With(answer.Error, "message", rawjson.Quote(said+ending(note)))
		}
		return answer
	}
	failed, isKnown := answer.Reading.Failed(answer.Result)
	if !isKnown {
		failed = string(rawjson.Member(answer.Result, "isError")) == "true"
	}
	if !failed {
		return answer
	}
	if note := h.missing(textOf(answer.Result)); note != "" {
		answer.Result = excerpts.WithNote(answer.Result, note)
	}
	return answer
}

// textOf returns the beginning of the texts of a result.
func textOf(result json.RawMessage) string {
	var text strings.Builder
	_ = rawjson.NewScanner().EachElement(rawjson.Member(result, "content"), func(block []byte) error {
		if part := rawjson.Member(block, "text"); rawjson.Kind(part) == '"' && text.Len() < maxRead {
			said := rawjson.Text(part)
			text.WriteString(said[:min(len(said), maxRead-text.Len())])
			text.WriteByte('\n')
		}
		return nil
	}) // what cannot be read has no text
	return text.String()
}
