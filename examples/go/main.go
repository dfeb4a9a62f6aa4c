// Endorsements verifies those of a block, as ledgers have them: each of its transactions is signed by several
// endorsers, with ECDSA on P-256 over the SHA-256 of the transaction and the endorser's name, in DER with a low s.
//
// The block is made here, by crypto/ecdsa, which also answers for every endorsement; one is altered, one is in
// another's name, and one has a high s, which gecc refuses and crypto/ecdsa does not look at.
package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/asn1"
	"fmt"
	"log"
	"math/big"

	"gecc"
)

const transactions = 200

type endorsement struct {
	transaction, endorser int
	message, signature    []byte
}

// signed is a signature by crypto/ecdsa whose s is low, or high.
func signed(key *ecdsa.PrivateKey, message []byte, isHigh bool) []byte {
	digest := sha256.Sum256(message)
	r, s, err := ecdsa.Sign(rand.Reader, key, digest[:])
	if err != nil {
		log.Fatal(err)
	}
	order := key.Params().N
	if isHigh != (s.Cmp(new(big.Int).Rsh(order, 1)) > 0) {
		s.Sub(order, s)
	}
	signature, err := asn1.Marshal(struct{ R, S *big.Int }{r, s})
	if err != nil {
		log.Fatal(err)
	}
	return signature
}

func block() (names []string, keys []*ecdsa.PrivateKey, endorsements []endorsement) {
	for _, name := range []string{"Org1", "Org2", "Org3"} {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			log.Fatal(err)
		}
		names, keys = append(names, name), append(keys, key)
	}
	for i := 0; i < transactions; i++ {
		for j, name := range names {
			message := []byte(fmt.Sprintf("transaction %d pays %d|%s", i, 100*i, name))
			signature := signed(keys[j], message, i == 120 && j == 2)
			endorsements = append(endorsements, endorsement{i, j, message, signature})
		}
	}
	endorsements[3*7+1].message[0] ^= 1 // transaction 7 by Org2
	endorsements[3*50].endorser = 1     // Org1's, in Org2's name
	return names, keys, endorsements
}

func main() {
	in, err := gecc.Open(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer in.Close()
	names, keys, endorsements := block()

	// Endorsers come back in every block: their keys get tables once.
	var public [][]byte
	for _, key := range keys {
		public = append(public, elliptic.Marshal(elliptic.P256(), key.X, key.Y))
	}
	endorsers, status, err := in.OpenKeys(gecc.P256, gecc.Ragged(public), nil)
	if err != nil || !status.AllOK() {
		log.Fatal(err, status)
	}

	numbers := make([]uint32, len(endorsements))
	messages, signatures := make([][]byte, len(endorsements)), make([][]byte, len(endorsements))
	for i, one := range endorsements {
		numbers[i], messages[i], signatures[i] = uint32(one.endorser), one.message, one.signature
	}
	hashed, err := gecc.Digest(gecc.SHA256, gecc.Ragged(messages), nil).Run(in)
	if err != nil {
		log.Fatal(err)
	}
	options := &gecc.ECDSAVerifyKeysOptions{DER: true, LowS: true}
	digests, signed := hashed.Digest.Rows(), gecc.Ragged(signatures)
	verdicts, err := gecc.ECDSAVerifyKeys(endorsers, gecc.Numbers(numbers), digests, signed, options).Run(in)
	if err != nil {
		log.Fatal(err)
	}

	for i, one := range endorsements {
		if verdicts[i] != gecc.StatusOK {
			fmt.Printf("transaction %d, %s: %s\n", one.transaction, names[one.endorser], verdicts[i].Name())
		}
		digest := sha256.Sum256(one.message)
		isGood := ecdsa.VerifyASN1(&keys[one.endorser].PublicKey, digest[:], one.signature)
		if isGood != (verdicts[i] == gecc.StatusOK || verdicts[i] == gecc.StatusMalformedHighS) {
			log.Fatalf("transaction %d, %s: crypto/ecdsa says %v", one.transaction, names[one.endorser], isGood)
		}
	}
	fmt.Printf("%d endorsements of %d transactions\n", len(endorsements), transactions)
}
