//go:build gecc_flags

package gecc

// #cgo LDFLAGS: -lgecc
import "C"
