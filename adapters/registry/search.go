package registry

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

const (
	pageSize = 100
	// maxPages bounds the pages for one word, and maxWords the words that the registry is asked for.
	maxPages = 5
	maxWords = 4
	// minWord is the length of the shortest word that counts beside others.
	minWord = 3
	// maxServers bounds what one search keeps.
	maxServers = 500
)

// Found are the servers of a search, the best first.
type Found struct {
	Servers []Server
	// HasMore is set if the registry has more than was read.
	HasMore bool
}

// Search returns the newest versions of the servers that match words, deprecated ones last and no deleted ones.
//
// Decision: the API finds one text within names, so the registry is asked for each word, and a server that has more of
// the words, in its name or description, comes first.
//
// Failures: *Error.
func (c *Client) Search(ctx context.Context, words []string) (Found, error) {
	var found Found
	words = strings.Fields(strings.ToLower(strings.Join(words, " ")))
	if len(words) > 1 {
		words = slices.DeleteFunc(words, func(word string) bool { return len(word) < minWord })
	}
	for _, word := range words[:min(len(words), maxWords)] {
		for _, text := range texts(word) {
			if err := c.collect(ctx, text, &found); err != nil {
				return Found{}, err
			}
		}
	}
	count := map[string]int{}
	for _, server := range found.Servers {
		count[server.Name] = matches(server, words)
	}
	found.Servers = slices.DeleteFunc(found.Servers, func(s Server) bool { return count[s.Name] == 0 })
	slices.SortStableFunc(found.Servers, func(a, b Server) int {
		return cmp.Or(
			cmp.Compare(order(a), order(b)), cmp.Compare(count[b.Name], count[a.Name]), cmp.Compare(len(a.Name), len(b.Name)),
			cmp.Compare(a.Name, b.Name),
		)
	})
	return found, nil
}

// accounts is the beginning of the names of all servers whose namespace is an account of GitHub.
const accounts = "io.github."

// texts returns what the registry is asked for to find a word. A part of accounts would find every such server, so it
// has to begin the name or a part of it.
func texts(word string) []string {
	if strings.Contains(accounts, word) {
		return []string{"/" + word, "-" + word}
	}
	return []string{word}
}

// collect adds the servers that the registry has for one text.
func (c *Client) collect(ctx context.Context, word string, found *Found) error {
	query := url.Values{"search": {word}, "version": {"latest"}, "limit": {strconv.Itoa(pageSize)}}
	for range maxPages {
		servers, next, err := c.page(ctx, "/servers", query)
		if errors.Is(err, errNotFound) {
			return c.wrong("has no MCP registry API v0.1 at this address")
		}
		if err != nil {
			return err
		}
		for _, server := range servers {
			isOld := server.Status.IsLatest != nil && !*server.Status.IsLatest
			isKnown := slices.ContainsFunc(found.Servers, func(s Server) bool { return s.Name == server.Name })
			if server.Status.State != Deleted && !isOld && !isKnown {
				found.Servers = append(found.Servers, server)
			}
		}
		if next == "" || next == query.Get("cursor") {
			return nil
		}
		if len(found.Servers) >= maxServers {
			break
		}
		query.Set("cursor", next)
	}
	found.HasMore = true
	return nil
}

// Names returns the names whose last part is a word, deleted servers left out.
//
// Failures: *Error.
func (c *Client) Names(ctx context.Context, last string) ([]string, error) {
	found, err := c.Search(ctx, []string{last})
	var names []string
	for _, server := range found.Servers {
		if strings.EqualFold(ShortName(server.Name), last) {
			names = append(names, server.Name)
		}
	}
	return names, err
}

// order puts deprecated servers last.
func order(server Server) int {
	if server.Status.State == Deprecated {
		return 1
	}
	return 0
}

// matches returns how many of the words a server has, where its name counts twice.
func matches(server Server, words []string) (count int) {
	name, description := strings.TrimPrefix(strings.ToLower(server.Name), accounts), strings.ToLower(server.Description)
	for _, word := range words {
		switch {
		case strings.Contains(name, word):
			count += 2
		case strings.Contains(description, word):
			count++
		}
	}
	return count
}
