package setup

import (
	"fmt"

	"mcp-workbench/adapters/hostfiles"
)

// connectAddress writes a workbench at an address into the files of the hosts.
func (c *connecting) connectAddress() error {
	notes, err := c.Address.Check()
	if err != nil {
		return &UsageError{err}
	}
	return c.eachFile(func(host hostfiles.Host, result *connection) (hostfiles.Change, error) {
		file := host.UserFile(c.machine)
		if !host.TakesAddresses() {
			return hostfiles.Change{File: file}, c.withoutAddresses(host, result)
		}
		result.Notes = append(result.Notes, notes...)
		result.entry = hostfiles.Entry{URL: c.Address.URL, Token: c.Address.Token}
		switch token := c.Address.Token; {
		case token == "":
		case host.Refuses && host.PassesOn(result.entry) && !isSet(token):
			result.entry.Token = ""
			result.note("%s refuses its file, or the server, if a variable in it is not set, so its requests have no token: "+
				"set %s here and run this command again", host.Name, token)
		default:
			result.entry.Variables = []string{token}
		}
		var err error
		if result.entry.Values, err = c.valuesFor(host, file, result); err != nil {
			return hostfiles.Change{}, err
		}
		own, err := hostfiles.Read(file)
		if err != nil {
			return hostfiles.Change{}, err
		}
		var stay []string
		for _, server := range own {
			if server.Name != EntryName && !server.Settings.Disabled {
				stay = append(stay, server.Name)
			}
		}
		if len(stay) > 0 {
			result.note("%s also starts its own servers, which stay: %s", host.Name, quotedNames(stay))
		}
		if host.Note != "" {
			result.note("%s", host.Note)
		}
		return c.connections.Connect(file, EntryName, result.entry, nil)
	})
}

// withoutAddresses is the failure for a host whose file takes no addresses, unless it is one of all hosts.
func (c *connecting) withoutAddresses(host hostfiles.Host, result *connection) error {
	const problem = "%s takes no addresses in its file; 'mcp-workbench help hosts address' says what works there"
	if !c.EveryHost {
		return fmt.Errorf(problem, host.Name)
	}
	result.note(problem, host.Name)
	c.sayNotes(result.Notes)
	return c.printErr
}
