package callers

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/domain"
)

// ToolboxesInPath returns a handler for requests that name toolboxes after a path such as /mcp, as in /mcp/files,web.
// It passes them on to hosts, with access to those toolboxes only. toolboxes returns the names of the current
// toolboxes. A name that is not one of them, or that the caller cannot see, is answered with 404. A request of
// a session is not checked again, so that the session outlives its toolboxes. A slash at the end of the address, which
// some hosts add, means nothing.
func ToolboxesInPath(path string, toolboxes func() []string, hosts http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.EscapedPath() == path+"/" {
			hosts.ServeHTTP(w, r)
			return
		}
		caller := AccessOf(r.Context())
		names, isWellFormed := namesAfter(path, r.URL)
		if !isWellFormed {
			Refuse(w, r, http.StatusNotFound, "want names of toolboxes separated by commas after "+path+"/, such as "+path+"/files,web")
			return
		}
		visible := toolboxes()
		if caller.Toolboxes != nil {
			visible = slices.DeleteFunc(visible, func(name string) bool { return !slices.Contains(caller.Toolboxes, name) })
		}
		for _, name := range names {
			if r.Header.Get(mcp.HeaderSessionID) == "" && !slices.Contains(visible, name) {
				Refuse(w, r, http.StatusNotFound, "there is no toolbox "+domain.QuotedName(name)+domain.Suggest(name, visible))
				return
			}
		}
		caller.Choice = strings.Join(names, "\x00")
		caller.Toolboxes = slices.DeleteFunc(names, func(name string) bool { return !slices.Contains(visible, name) })
		hosts.ServeHTTP(w, r.WithContext(WithAccess(r.Context(), caller)))
	})
}

// namesAfter returns the names after a path, sorted and without duplicates. It returns false if there is none,
// or an empty one.
func namesAfter(path string, address *url.URL) (names []string, ok bool) {
	for part := range strings.SplitSeq(strings.TrimSuffix(strings.TrimPrefix(address.EscapedPath(), path+"/"), "/"), ",") {
		name, err := url.PathUnescape(part)
		if name = strings.TrimSpace(name); err != nil || name == "" || strings.Contains(part, "/") {
			return nil, false
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names), true
}
