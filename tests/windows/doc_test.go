// Package windows_test runs features as Windows programs under Wine (make windows):
// a whole session, process trees, and servers behind batch files. The script run in
// this folder sets Wine up and runs the specs of the other packages there too.
//
// Wine is not Windows. The specs prove nothing about how the real cmd.exe reads
// quotes, about console windows, or about virus scanners.
package windows_test
