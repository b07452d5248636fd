// Package shares divides what all callers use together, so that none of them can take it from the
// others. A [Budget] is for bytes that are held, [Turns] are for work of which only some can be done
// at the same time. Both know callers by a text that is only compared, the holder.
//
// Decision: there is no fixed part for each holder. A single holder can use everything, and shares
// have no effect while there is room. When there is none, the holder with most gives something up,
// so that in the end no holder has more than half while another one wants as much, nor more than a
// third beside two others. A fixed part would either be too small for one or too large for a
// hundred.
package shares
