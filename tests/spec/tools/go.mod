// This module takes the place of the real one when make test builds the specs: see go/packages.
module golang.org/x/tools

go 1.26
