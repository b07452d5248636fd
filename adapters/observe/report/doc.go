// Package report shows users and scripts what happened and what happens: the recorded calls one by one, how tools are
// used and which are not, and what running workbenches do (the commands calls, usage, status, logs and restart).
package report
