package safefile

// HasUser is for the specs, which cannot create user namespaces.
var HasUser = hasUser
