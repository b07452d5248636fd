package results

// The limits of a Keeper.
const (
	MaxSize    = maxSize
	MaxWaiting = maxWaiting
)

// Holding returns the keeper with another limit, in bytes, for the results that it keeps and for those that
// wait to be cut.
func Holding(keeper *Keeper, limit int) *Keeper {
	keeper.maxSize, keeper.maxWaiting = limit, limit
	return keeper
}
