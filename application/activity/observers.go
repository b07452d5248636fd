package activity

import (
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Observers are several observers as one. Each is told in turn.
type Observers []ports.ActivityObserver

// Observe implements ports.ActivityObserver.
func (o Observers) Observe(activity domain.Activity) {
	for _, observer := range o {
		observer.Observe(activity)
	}
}

// Join returns the observers that are not nil as one, nil if there is none.
func Join(observers ...ports.ActivityObserver) ports.ActivityObserver {
	var joined Observers
	for _, observer := range observers {
		if observer != nil {
			joined = append(joined, observer)
		}
	}
	switch len(joined) {
	case 0:
		return nil
	case 1:
		return joined[0]
	}
	return joined
}
