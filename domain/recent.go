package domain

// Recent remembers a value for each of the latest names, and forgets older ones. The zero value
// is empty. It is plain data: callers lock.
type Recent[Name comparable, Value any] struct {
	newer, older map[Name]Value
}

// Put remembers a value for a name, in place of its last one. At least half of most names are
// remembered, and at most that many.
func (r *Recent[Name, Value]) Put(name Name, value Value, most int) {
	if r.newer == nil || len(r.newer) >= most/2 {
		r.newer, r.older = map[Name]Value{}, r.newer
	}
	r.newer[name] = value
}

// Get returns the value of a name, and whether the name is remembered.
func (r *Recent[Name, Value]) Get(name Name) (value Value, known bool) {
	if value, known = r.newer[name]; known {
		return value, true
	}
	value, known = r.older[name]
	return value, known
}
