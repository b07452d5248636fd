package definitions

import "slices"

// Form says how much of a tool is shown, in the words of the configuration
// (CONTRACT.md section 2, "definitions").
type Form string

// The forms, from the most detailed to the least, and Auto, which chooses one.
const (
	// Full is the definition as the server sent it.
	Full Form = "full"
	// Lean is the name, description and input schema.
	Lean Form = "lean"
	// Compact is a signature and the first sentence of the description.
	Compact Form = "compact"
	// Names is the name and the first sentence of the description.
	Names Form = "names"
	// Auto is the most detailed of Lean, Compact and Names that fits a budget.
	Auto Form = "auto"
)

// DefaultBudget limits the bytes of the tools in an answer, with Auto and Names, unless the
// configuration sets another limit. Hosts that truncate answers keep more than that: the
// strictest known one keeps 10 KiB of one block and about 40 KB in all.
const DefaultBudget = 16 << 10

// Forms returns all forms, as a configuration may name them.
func Forms() []Form { return []Form{Full, Lean, Compact, Names, Auto} }

// Known reports whether there is such a form.
func (f Form) Known() bool { return slices.Contains(Forms(), f) }

// Short reports whether tools are strings in this form, not objects. It is false for Auto,
// which may choose either.
func (f Form) Short() bool { return f == Compact || f == Names }

// LeanMembers returns the members of a definition that Lean keeps: those that hosts show to a
// model.
func LeanMembers() []string { return []string{"name", "description", "inputSchema"} }

// Icons is the member of a definition that no form shows: pictures for people, often of more bytes than all else.
const Icons = "icons"

// Hint explains the signs of a form to a model, and how to see more. It is "" for a form that
// needs no hint.
func (f Form) Hint() string {
	switch f {
	case Compact:
		return "? is optional, = a default, … left out. ~ marks tools whose definition says more: " +
			`see it with open_toolbox and "tools": ["name", …] before you use them.`
	case Names:
		return `These are names only. See the definitions of the tools you need with open_toolbox and "tools": ["name", …].`
	}
	return ""
}
