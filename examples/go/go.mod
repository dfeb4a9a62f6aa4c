module endorsements

go 1.19

require gecc v0.0.0

replace gecc => ../../bindings/go
