package stdio

import (
	"encoding/json"
	"fmt"
)

// inheritance says which variables of the workbench a server gets in addition to
// the allow list: all of them, or those with these names.
type inheritance struct {
	everything bool
	names      []string
}

// UnmarshalJSON accepts true, false, "all" or a list of names.
func (i *inheritance) UnmarshalJSON(raw []byte) error {
	var everything bool
	if json.Unmarshal(raw, &everything) == nil && string(raw) != "null" {
		i.everything = everything
		return nil
	}
	if string(raw) == `"all"` {
		i.everything = true
		return nil
	}
	if err := json.Unmarshal(raw, &i.names); err != nil || i.names == nil {
		return fmt.Errorf("read inheritEnv: want true, false or a list of names")
	}
	return nil
}
