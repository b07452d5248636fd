package main

import "fmt"

// The tool that can be called comes first.
const echo = `{"name":"echo","description":"Gives back the text.",` +
	`"inputSchema":{"type":"object","properties":{` +
	`"text":{"type":"string","description":"Text to give back."}}}}`

// listed is as long as the definition of an ordinary tool.
const listed = `,{"name":"find_orders_%02d","title":"Find orders (%02d)",` +
	`"description":"Finds the orders that match all of the conditions given and returns them newest first, ` +
	`one page at a time. Use the cursor of an answer to ask for the page that follows it.",` +
	`"inputSchema":{"type":"object","properties":{` +
	`"customer":{"type":"string","description":"Customer number or part of the customer's name."},` +
	`"since":{"type":"string","format":"date","description":"First day to look at."},` +
	`"limit":{"type":"integer","minimum":1,"maximum":100,"default":20},` +
	`"cursor":{"type":"string"}},"required":["customer"],"additionalProperties":false},` +
	`"annotations":{"readOnlyHint":true,"openWorldHint":false}}`

// toolList returns the definitions of n tools.
func toolList(n int) []byte {
	list := []byte(echo)
	for i := 2; i <= n; i++ {
		list = fmt.Appendf(list, listed, i, i)
	}
	return list
}
