package figures

import (
	"maps"
	"sync"
)

// Series has a value for each of a number of keys, which servers and callers may choose. The zero value is ready. Safe
// for concurrent use.
type Series[K comparable, V any] struct {
	mu     sync.RWMutex // guards values
	values map[K]*V
}

// At returns the value of a key, which it adds if it is missing. If there are a maximum of keys already, it returns the
// value of rest.
func (s *Series[K, V]) At(key, rest K, maximum int) *V {
	if value := s.Find(key); value != nil {
		return value
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.values == nil {
		s.values = map[K]*V{}
	}
	if s.values[key] == nil && len(s.values) >= maximum {
		key = rest
	}
	if s.values[key] == nil {
		s.values[key] = new(V)
	}
	return s.values[key]
}

// Find returns the value of a key, nil if there is none.
func (s *Series[K, V]) Find(key K) *V {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.values[key]
}

// All returns the values of all keys.
func (s *Series[K, V]) All() map[K]*V {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return maps.Clone(s.values)
}
