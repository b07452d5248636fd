// Package report shows users and scripts the record of activity: the calls one by one, and how tools are
// used.
package report
