package domain

// Recent remembers a value for each of the most recent names. The zero value is empty. It is not safe
// for concurrent use.
type Recent[Name comparable, Value any] struct {
	newer, older map[Name]Value
}

// Put sets the value of a name. The names that were put last are remembered: at most the given number of
// them, and at least half as many.
func (r *Recent[Name, Value]) Put(name Name, value Value, most int) {
	if r.newer == nil || len(r.newer) >= most/2 {
		r.newer, r.older = map[Name]Value{}, r.newer
	}
	r.newer[name] = value
}

// Get returns the value of a name, and reports whether the name is remembered.
func (r *Recent[Name, Value]) Get(name Name) (value Value, known bool) {
	if value, known = r.newer[name]; known {
		return value, true
	}
	value, known = r.older[name]
	return value, known
}
