package fileowner

// HasUser is for the specs, which cannot create user namespaces.
var HasUser = hasUser
