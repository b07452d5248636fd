package rawjson

// EachString calls visit with every string of JSON text, names of members included, in
// quotation marks and in order.
func EachString(text []byte, visit func(quoted []byte)) {
	for i := 0; i < len(text); i++ {
		if text[i] != '"' {
			continue
		}
		end := i + 1
		for end < len(text) && text[end] != '"' {
			if text[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(text) {
			return
		}
		visit(text[i : end+1])
		i = end
	}
}
