package fileowner

// HasUser is for the specs, which cannot make user namespaces.
var HasUser = has
