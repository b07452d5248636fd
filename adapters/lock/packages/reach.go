package packages

import (
	"errors"
	"regexp"
	"slices"
	"strings"
)

// givingUp are the variables that make npm and uv give up early on a registry that they cannot reach, each with the names
// under which users set it (https://docs.npmjs.com/cli/v11/using-npm/config, https://docs.astral.sh/uv/reference/environment).
// By default they try for minutes.
var givingUp = map[string][]string{
	"npm_config_fetch_retries=0": {"npm_config_fetch_retries"}, "npm_config_fetch_timeout=20000": {"npm_config_fetch_timeout"},
	"UV_HTTP_RETRIES=0": {"UV_HTTP_RETRIES"}, "UV_HTTP_TIMEOUT=20": {"UV_HTTP_TIMEOUT", "UV_REQUEST_TIMEOUT", "HTTP_TIMEOUT"},
}

// givesUp returns the surroundings with the variables of givingUp that the user did not set.
func (s surroundings) givesUp() surroundings {
	environ := slices.Clip(s.environ)
	for entry, names := range givingUp {
		if !slices.ContainsFunc(names, func(name string) bool { return variable(s.environ, name) != "" }) {
			environ = append(environ, entry)
		}
	}
	s.environ = environ
	return s
}

// What npm and uv print on stderr about a registry that another attempt soon after would not reach, and about failures after
// which they try again themselves. uv prints reqwest's causes, and the codes of Linux, macOS and Windows for a refused
// connection, an unreachable host and a timeout.
var (
	npmOutOfReach = npmCode("ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|FETCH_ERROR")
	npmInDoubt    = npmCode("ECONNRESET|E408|E420|E429|E500|E502|E503|E504")
	uvOutOfReach  = regexp.MustCompile(`are you offline\?|dns error|operation timed out|\(os error (111|61|10061|101|51|10051|113|65|10065|110|60|10060)\)`)
	uvInDoubt     = regexp.MustCompile(`Failed to fetch|Request failed|error sending request`)
)

// npmCode matches npm's output for errors with one of these codes.
func npmCode(codes string) *regexp.Regexp { return regexp.MustCompile(`code (` + codes + `)\r?\n`) }

// printedIn reports whether a program failed and printed something like this on stderr.
func printedIn(err error, text *regexp.Regexp) bool {
	ran, ok := errors.AsType[*runError](err)
	return ok && text.MatchString(ran.stderr)
}

// ask calls a function that asks a registry, and gives up early at first. After a failure that may pass, it asks again as the
// user configured it. A registry that could not be reached, by its registryKey, is not asked again.
func (s *Store) ask(in surroundings, registry string, outOfReach, inDoubt *regexp.Regexp, ask func(in surroundings) error) error {
	s.mu.Lock()
	err := s.unreached[registry]
	s.mu.Unlock()
	if err != nil {
		return err
	}
	if err = ask(in.givesUp()); printedIn(err, inDoubt) && !printedIn(err, outOfReach) {
		err = ask(in)
	}
	if printedIn(err, outOfReach) {
		s.mu.Lock()
		s.unreached[registry] = err
		s.mu.Unlock()
	}
	return err
}

// registryKey returns a text that differs if another registry may be asked. It contains the given texts,
// and the variables about proxies and those whose names begin with prefix in lower case.
func (s surroundings) registryKey(prefix string, texts []string) string {
	for _, entry := range s.environ {
		if name, _, _ := strings.Cut(strings.ToLower(entry), "="); strings.HasPrefix(name, prefix) || strings.HasSuffix(name, "_proxy") {
			texts = append(texts, entry)
		}
	}
	return strings.Join(texts, "\x00")
}
