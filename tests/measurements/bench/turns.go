package main

import (
	"context"
	"errors"
	"math"
)

// turnsPerRound is the number of turns of a row in a round. Turns are short, since the measured
// differences are smaller than the variation of a loaded machine from one moment to the next.
const turnsPerRound = 8

// player is a row that runs at the same time as the others.
type player struct {
	turn func() ([]float64, error) // measures it once, with a value for each of the figures
	end  func() error
}

// takeTurns measures rows that run at the same time, one after the other in each turn.
// Ratios are computed within a turn. A row that fails is left out from then on.
func takeTurns(ctx context.Context, l *lab, e experiment, rows []row, turns int, results []*result) {
	players := map[row]player{}
	fail := func(r row, err error) {
		if errors.Is(err, errors.ErrUnsupported) {
			results[0].skipped = "not possible here: " + err.Error()
		} else if err != nil && results[0].broken[r] == nil {
			results[0].broken[r] = err
		}
	}
	for _, r := range rows {
		p, err := e.begin(ctx, l, r)
		if err != nil {
			fail(r, err)
			continue
		}
		players[r] = p
	}
	for turn := range turns {
		for place := range rows {
			r := rows[(turn+place)%len(rows)]
			p, up := players[r]
			if !up || ctx.Err() != nil || results[0].broken[r] != nil {
				continue
			}
			values, err := p.turn()
			fail(r, err)
			for i := range results {
				value := math.NaN()
				if err == nil {
					value = values[i]
				}
				results[i].samples[r] = append(results[i].samples[r], value)
			}
		}
	}
	for r, p := range players {
		fail(r, p.end())
	}
}
