package gecc_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log"
	"time"

	"gecc"
)

var (
	privateKeys = [][32]byte{{31: 7}, {31: 9}}
	digests     = [][32]byte{sha256.Sum256([]byte("one")), sha256.Sum256([]byte("two"))}
)

func Example() {
	in, err := gecc.Open(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer in.Close()
	public, err := gecc.ECPublicKey(gecc.P256, gecc.Bytes32(privateKeys), nil).Run(in)
	if err != nil {
		log.Fatal(err)
	}
	signed, err := gecc.ECDSASign(gecc.P256, gecc.Bytes32(privateKeys), gecc.Bytes32(digests), nil).Run(in)
	if err != nil {
		log.Fatal(err)
	}

	signed.Signature.Row(1)[5] ^= 1
	status, err := gecc.ECDSAVerify(gecc.P256, public.Out.Rows(), gecc.Bytes32(digests), signed.Signature.Rows(), nil).Run(in)
	if err != nil {
		log.Fatal(err)
	}
	for i, one := range status {
		fmt.Printf("row %d: %v\n", i, one)
	}
	// Output:
	// row 0: valid, or computed
	// row 1: well formed, but does not verify or has no result
}

// The words of an error name the argument.
func ExampleError() {
	in, err := gecc.Open(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer in.Close()
	_, err = gecc.ECPublicKey(gecc.P384, gecc.Bytes32(privateKeys), nil).Run(in)
	fmt.Println(errors.Is(err, gecc.ErrorArgument), err)
	// Output: true gecc: private_key: rows of 32 bytes, where a private key has 48
}

// Signatures and digests as fields of records.
func ExampleStrided() {
	in, err := gecc.Open(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer in.Close()
	const record = 8 + 32 // a number, then a message
	records := make([]byte, 3*record)
	result, err := gecc.Digest(gecc.SHA256, gecc.Strided(records[8:], 32, record, 3), nil).Run(in)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d digests, %x...\n", result.Digest.Len(), result.Digest.Row(2)[:4])
	// Output: 3 digests, 66687aad...
}

// Keys that come back get tables of their own.
func ExampleContext_OpenKeys() {
	in, err := gecc.Open(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer in.Close()
	public, err := gecc.Ed25519PublicKey(gecc.Bytes32(privateKeys), nil).Run(in)
	if err != nil {
		log.Fatal(err)
	}
	keys, status, err := in.OpenKeys(gecc.Curve25519, public.PublicKey.Rows(), nil)
	if err != nil || !status.AllOK() {
		log.Fatal(err, status)
	}
	defer keys.Close()

	messages := gecc.Ragged([][]byte{[]byte("a message"), []byte("of the second key")})
	signed, err := gecc.Ed25519Sign(gecc.Bytes32(privateKeys), messages, nil).Run(in)
	if err != nil {
		log.Fatal(err)
	}
	options := &gecc.Ed25519VerifyKeysOptions{AcceptZIP215: true}
	numbers := gecc.Numbers([]uint32{0, 1})
	verdicts, err := gecc.Ed25519VerifyKeys(keys, numbers, messages, signed.Signature.Rows(), options).Run(in)
	fmt.Println(verdicts.AllOK(), err)
	// Output: true <nil>
}

// A call in the background, which is not done where it has not begun in time.
func ExampleCall_Submit() {
	in, err := gecc.Open(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer in.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	job := gecc.Digest(gecc.Keccak256, gecc.Same([]byte("abc")), nil).Submit(ctx, in)
	result, err := job.Wait()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x...\n", result.Digest.Row(0)[:4])
	// Output: 4e03657a...
}

// Secrets are wiped when their owner says so, and not printed.
func ExampleSecret() {
	in, err := gecc.Open(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer in.Close()
	peer, err := gecc.X25519PublicKey(gecc.Bytes32(privateKeys), nil).Run(in)
	if err != nil {
		log.Fatal(err)
	}
	result, err := gecc.X25519(gecc.Bytes32(privateKeys), peer.PublicKey.Rows(), nil).Run(in)
	if err != nil {
		log.Fatal(err)
	}
	defer result.Shared.Wipe()
	fmt.Println(result.Shared, len(result.Shared.Expose().Row(0)))
	// Output: Secret{2 rows} 32
}

func ExampleNamed() {
	in, err := gecc.Open(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer in.Close()
	named := gecc.Named{
		Operation: "ec.validate",
		Curve:     gecc.Secp256k1,
		Inputs:    map[string]gecc.Rows{"point": gecc.Packed(make([]byte, 33), 33)},
	}
	call, err := named.Call()
	if err != nil {
		log.Fatal(err)
	}
	result, err := call.Run(in)
	fmt.Println(result.Status[0].Name(), err)
	// Output: MALFORMED_POINT_ENCODING <nil>
}
