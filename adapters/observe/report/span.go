package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// maxDays is the longest span in days, ten years.
const maxDays = 3650

// ParseSpan parses how far to look back: "90s", "30m", "1h", "30d", or several units as in "1h30m".
func ParseSpan(text string) (time.Duration, error) {
	if digits, isDays := strings.CutSuffix(text, "d"); isDays {
		days, err := strconv.Atoi(digits)
		if err != nil || days < 1 || days > maxDays {
			return 0, spanError(text)
		}
		return time.Duration(days) * 24 * time.Hour, nil
	}
	span, err := time.ParseDuration(text)
	if err != nil || span <= 0 {
		return 0, spanError(text)
	}
	return span, nil
}

func spanError(text string) error {
	return fmt.Errorf("--since %q: want a time above 0 such as 90s, 30m, 1h or 30d", text)
}
