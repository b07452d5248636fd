// Package stdio reaches servers that are programs of this machine and speak over
// their standard streams. It owns the whole process: environment, process group,
// pipes, and the ladder that ends it with all its descendants. No shell is ever
// involved.
package stdio
