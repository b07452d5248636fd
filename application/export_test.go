package application

// Known returns how many definitions of tools are kept.
func (c *ArgumentChecker) Known() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	count := 0
	for _, of := range c.servers {
		count += len(of.tools)
	}
	return count
}
