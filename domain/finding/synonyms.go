package finding

import (
	"strings"
	"sync"
)

// groups are words that mean much the same in descriptions of tools, one group a line.
const groups = `get read fetch retrieve show view display load obtain open
list enumerate show all available
create add make new insert generate append attach
update edit modify change set alter replace revise
delete remove drop erase destroy clear discard forget
search find look query lookup discover locate
write save store put record persist
remember add store
send post publish submit deliver
move rename relocate
convert transform translate turn
run execute launch start invoke perform
stop end kill terminate cancel abort
compare diff difference versus
check verify validate test inspect status
merge combine join
copy duplicate clone
connect link relate attach
click press tap
extract parse scrape
upload put
download save
schedule cron plan
count number total
describe info information detail details metadata
summary summarize overview
folder directory
file document
picture image photo
website site url web page webpage link
repository repo
database db
issue ticket bug
message email mail
chart graph plot diagram
history log
location place coordinate address
time hour date
price cost
note memo
paper article publication
stock share ticker
weather forecast
news headline
video movie film
fast speed performance slow
big large size`

// synonyms returns for each stem the stems of the other words in its groups, in the order of the groups.
// The groups are read at the first search, since nothing else needs them.
var synonyms = sync.OnceValue(func() map[string][]string { return readGroups(groups) })

func readGroups(text string) map[string][]string {
	related := map[string][]string{}
	for group := range strings.Lines(text) {
		words := strings.Fields(group)
		for _, word := range words {
			for _, other := range words {
				if stem(word) != stem(other) {
					related[stem(word)] = append(related[stem(word)], stem(other))
				}
			}
		}
	}
	return related
}
