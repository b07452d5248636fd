package domain

// RecordSettings say how much of what happens is recorded.
type RecordSettings struct {
	Off bool
	// MaxSize is the size of the whole record in bytes, above 0.
	MaxSize int64
	// Days is the number of days for which an entry is kept at least, if there is room for it, above 0.
	Days int
}

// DefaultRecordSettings returns the settings of a record without settings of its own.
func DefaultRecordSettings() RecordSettings { return RecordSettings{MaxSize: 20 << 20, Days: 90} }
