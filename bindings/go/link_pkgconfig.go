//go:build !gecc_flags

package gecc

// #cgo pkg-config: gecc
import "C"
