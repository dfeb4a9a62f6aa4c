package gecc

// Shapes of columns, contexts, jobs, goroutines, and what must never reach C.

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func open(t testing.TB) *Context {
	in, err := Open(&Config{Backend: "cpu", Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close() })
	return in
}

// must is a result that has no error.
func must[T any](result T, err error) T {
	if err != nil {
		panic(err)
	}
	return result
}

func refused(t *testing.T, err error, word string) {
	t.Helper()
	if !errors.Is(err, ErrorArgument) || !strings.Contains(err.Error(), word) {
		t.Errorf("%v, not an argument's error with %q", err, word)
	}
}

type signedRows struct {
	keys       [][32]byte
	public     *Column
	digests    [][32]byte
	signatures *Column
}

func sign(in *Context, n int) signedRows {
	made := signedRows{keys: make([][32]byte, n), digests: make([][32]byte, n)}
	for i := range made.keys {
		made.keys[i] = sha256.Sum256([]byte{byte(i), byte(i >> 8)})
		made.digests[i] = sha256.Sum256(made.keys[i][:])
	}
	made.public = must(ECPublicKey(P256, Bytes32(made.keys), nil).Run(in)).Out
	made.signatures = must(ECDSASign(P256, Bytes32(made.keys), Bytes32(made.digests), nil).Run(in)).Signature
	return made
}

func (s *signedRows) verify() Call[Statuses] {
	return ECDSAVerify(P256, s.public.Rows(), Bytes32(s.digests), s.signatures.Rows(), nil)
}

func TestGoVerifiesWhatIsSigned(t *testing.T) {
	in := open(t)
	made := sign(in, 20)
	der := must(ECDSASign(P256, Bytes32(made.keys), Bytes32(made.digests), &ECDSASignOptions{DER: true}).Run(in))
	for i := range made.digests {
		x, y := elliptic.Unmarshal(elliptic.P256(), made.public.Row(i))
		key := &ecdsa.PublicKey{Curve: elliptic.P256(), X: x, Y: y}
		if !ecdsa.VerifyASN1(key, made.digests[i][:], der.Signature.Row(i)) {
			t.Errorf("row %d", i)
		}
		made.digests[i][3] ^= 1
		if ecdsa.VerifyASN1(key, made.digests[i][:], der.Signature.Row(i)) {
			t.Errorf("row %d of another digest", i)
		}
	}
	if !der.Signature.HasWidths() || der.Signature.Width() != 72 {
		t.Error("DER without widths")
	}
}

func TestGeccVerifiesWhatGoSigns(t *testing.T) {
	in := open(t)
	key := must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	public := elliptic.MarshalCompressed(elliptic.P256(), key.X, key.Y)
	var signatures [][]byte
	digests := make([][32]byte, 50)
	for i := range digests {
		digests[i] = sha256.Sum256([]byte{byte(i)})
		signatures = append(signatures, must(ecdsa.SignASN1(rand.Reader, key, digests[i][:])))
	}
	digests[7][0] ^= 1
	options := &ECDSAVerifyOptions{DER: true}
	status := must(ECDSAVerify(P256, Same(public), Bytes32(digests), Ragged(signatures), options).Run(in))
	for i, one := range status {
		if (one == StatusOK) != (i != 7) {
			t.Errorf("row %d: %v", i, one)
		}
	}
}

func TestShapesOfColumnsGiveTheSame(t *testing.T) {
	in := open(t)
	made := sign(in, 10)
	made.signatures.Row(3)[40] ^= 1
	expected := must(made.verify().Run(in))
	if expected[3] != StatusInvalid || expected[4] != StatusOK || expected.AllOK() || !expected[4:].AllOK() {
		t.Error(expected)
	}
	var records []byte
	var slices [][]byte
	var text []byte
	offsets, widths := make([]uint64, 10), make([]uint32, 10)
	signatures := make([][64]byte, 10)
	for i := range signatures {
		records = append(append(append(records, made.signatures.Row(i)...), "between"...), made.digests[i][:]...)
		slices = append(slices, made.public.Row(i))
		text = append(text, made.digests[i][:]...)
		offsets[9-i], widths[i] = uint64(32*(9-i)), 32
		copy(signatures[i][:], made.signatures.Row(i))
	}
	for i, status := range []Statuses{
		must(ECDSAVerify(P256, Ragged(slices), Strided(records[71:], 32, 103, 10), Strided(records, 64, 103, 10), nil).Run(in)),
		must(ECDSAVerify(P256, Packed(made.public.Bytes(), 65), RaggedAt(text, offsets, widths), Bytes64(signatures), nil).Run(in)),
	} {
		if fmt.Sprint(status) != fmt.Sprint(expected) {
			t.Error(i, status)
		}
	}
	same := must(ECDSAVerify(P256, Same(made.public.Row(0)), Same(made.digests[0][:]), made.signatures.Rows(), nil).Run(in))
	if len(same) != 10 || same[0] != StatusOK || same[1] != StatusInvalid {
		t.Error(same)
	}
	keys, status, err := in.OpenKeys(P256, made.public.Rows(), &KeysConfig{Capacity: 11})
	if err != nil || !status.AllOK() {
		t.Fatal(err, status)
	}
	first, status, err := keys.Add(Same(made.public.Row(2)))
	if err != nil || first != 10 || !status.AllOK() {
		t.Error(first, status, err)
	}
	numbers := Numbers([]uint32{0, 1, 10, 3, 4, 5, 6, 7, 8, 11})
	byKeys := must(ECDSAVerifyKeys(keys, numbers, Bytes32(made.digests), made.signatures.Rows(), nil).Run(in))
	if byKeys[9] != StatusMalformedKeyNumber || fmt.Sprint(byKeys[:9]) != fmt.Sprint(expected[:9]) {
		t.Error(byKeys)
	}
	_, _, err = keys.Add(Same(made.public.Row(2)))
	refused(t, err, "")
}

func TestRowsThatDoNotLieInTheirBytesAreErrors(t *testing.T) {
	in := open(t)
	data := make([]byte, 100)
	for i, rows := range []Rows{
		Packed(data, 33), Packed(data, 0), Packed(data, -1), Packed(nil, 0),
		Strided(data, 33, 34, 3), Strided(data, 1, math.MaxInt, 3), Strided(data, -1, 1, 1), Strided(data, 1, -1, 2),
		Strided(data, 1, 1, -1), Strided(data, 101, 0, 1), Strided(nil, 1, 1, 1),
		RaggedAt(data, []uint64{0, 91}, []uint32{100, 10}), RaggedAt(data, []uint64{math.MaxUint64}, []uint32{1}),
		RaggedAt(data, []uint64{0}, nil), RaggedAt(nil, []uint64{1}, []uint32{0}), {},
	} {
		if _, err := Digest(SHA256, rows, nil).Run(in); !errors.Is(err, ErrorArgument) || !strings.Contains(err.Error(), "message") {
			t.Error(i, err)
		}
		if _, _, err := in.OpenKeys(P256, rows, nil); !errors.Is(err, ErrorArgument) || !strings.Contains(err.Error(), "public_keys") {
			t.Error(i, err)
		}
	}
	for _, c := range []struct {
		rows  Rows
		count int
	}{
		{Strided(data, 32, 34, 3), 3}, {Strided(data, 1, 0, 1000), 1000}, {RaggedAt(data, []uint64{0, 90, 100}, []uint32{100, 10, 0}), 3},
		{Packed(nil, 32), 0}, {Bytes32(nil), 0}, {Ragged([][]byte{}), 0}, {Ragged([][]byte{nil, data}), 2}, {Same(nil), 1},
		{Strided(nil, 0, 0, 3), 3}, {Strided(nil, 5, 5, 0), 0}, {RaggedAt(nil, nil, nil), 0},
	} {
		result, err := Digest(SHA256, c.rows, nil).Run(in)
		if err != nil || len(result.Status) != c.count || result.Digest.Len() != c.count {
			t.Errorf("%v: %v, %d rows", c.rows, err, len(result.Status))
		}
	}
	for i, rows := range []Rows{Packed(nil, 64), Ragged(nil), Ragged([][]byte{}), RaggedAt(nil, nil, nil), RaggedAt(data, []uint64{}, nil)} {
		status, err := ECDSAVerify(P256, rows, rows, rows, &ECDSAVerifyOptions{DER: i > 0}).Run(in)
		if err != nil || status == nil || len(status) != 0 {
			t.Error(i, err, status)
		}
		_, status, err = in.OpenKeys(P256, rows, &KeysConfig{Capacity: 1})
		_, _, packed := in.OpenKeys(P256, Packed(nil, 65), &KeysConfig{Capacity: 1})
		if fmt.Sprint(err) != fmt.Sprint(packed) || len(status) != 0 {
			t.Error(i, err, packed)
		}
	}
	signed := must(ECDSASign(P256, Packed(nil, 32), Packed(nil, 32), &ECDSASignOptions{DER: true}).Run(in))
	must(ECDSAVerify(P256, Packed(nil, 65), Packed(nil, 32), signed.Signature.Rows(), &ECDSAVerifyOptions{DER: true}).Run(in))
	empty := sha256.Sum256(nil)
	if result := must(Digest(SHA256, Same(nil), nil).Run(in)); !bytes.Equal(result.Digest.Row(0), empty[:]) {
		t.Error(result.Digest.Row(0))
	}
	// Nobody can make rows of these after they were looked at.
	offsets, widths := []uint64{0}, []uint32{1}
	call := Digest(SHA256, RaggedAt(data, offsets, widths), nil)
	offsets[0], widths[0] = math.MaxUint64/2, math.MaxUint32
	if one := sha256.Sum256(data[:1]); !bytes.Equal(must(call.Run(in)).Digest.Row(0), one[:]) {
		t.Error("offsets were read again")
	}
}

// make would end the program.
func TestMoreRowsThanMemoryIsAnError(t *testing.T) {
	in := open(t)
	one := make([]byte, 33)
	for i, count := range []int{math.MaxInt >> 18, math.MaxInt >> 14, math.MaxInt / 33, math.MaxInt / 2, math.MaxInt} {
		rows := Strided(one, 33, 0, count)
		_, digests := Digest(SHA256, rows, nil).Run(in)
		_, status := ECValidate(P256, rows, nil).Run(in)
		_, der := ECDSASign(P256, Strided(one, 32, 0, count), Same(one[:32]), &ECDSASignOptions{DER: true}).Run(in)
		_, _, keys := in.OpenKeys(P256, rows, nil)
		for word, err := range map[string]error{"digest": digests, "status": status, "signature": der, "public_keys": keys} {
			if !errors.Is(err, ErrorMemory) || !strings.Contains(err.Error(), word) {
				t.Error(i, word, err)
			}
		}
	}
	slices, text := make([][]byte, 1<<21), make([]byte, 1<<24)
	for i := range slices {
		slices[i] = text
	}
	_, err := Digest(SHA256, Ragged(slices), nil).Run(in)
	_, _, keys := in.OpenKeys(P256, Ragged(slices), nil)
	if !errors.Is(err, ErrorMemory) || !strings.Contains(err.Error(), "message") || !errors.Is(keys, ErrorMemory) {
		t.Error(err, keys)
	}
}

func TestResultsInEarlierMemory(t *testing.T) {
	in := open(t)
	made := sign(in, 20)
	der := &ECDSASignOptions{DER: true}
	first := must(ECDSASign(P256, Bytes32(made.keys), Bytes32(made.digests), der).Run(in))
	call := ECDSASign(P256, Bytes32(made.keys[1:11]), Bytes32(made.digests[1:11]), der)
	expected, within := must(call.Run(in)), must(call.Into(first).Run(in))
	for i := range within.Status {
		if !bytes.Equal(within.Signature.Row(i), expected.Signature.Row(i)) || within.Status[i] != StatusOK {
			t.Error(i)
		}
	}
	if &within.Signature.Row(0)[0] != &first.Signature.Row(0)[0] || &within.Status[0] != &first.Status[0] || len(within.Status) != 10 {
		t.Error("new memory")
	}
	for _, small := range []ECDSASignResult{{}, within} {
		more := must(ECDSASign(P256, Bytes32(made.keys), Bytes32(made.digests), nil).Into(small).Run(in))
		if !bytes.Equal(more.Signature.Bytes(), made.signatures.Bytes()) || !more.Status.AllOK() {
			t.Error("other results")
		}
	}
	_, err := ECConvert(P256, made.public.Rows(), nil).Into(ECConvertResult{Out: made.public}).Run(in)
	refused(t, err, "point")
	named := must((&Named{Operation: "ecdh", Curve: P256, Inputs: map[string]Rows{"private_key": Bytes32(made.keys), "peer": made.public.Rows()}}).Call())
	shared := must(ECDH(P256, Bytes32(made.keys), made.public.Rows(), nil).Into(ECDHResult{}).Run(in))
	if !bytes.Equal(must(named.Into(must(named.Run(in))).Run(in)).Columns[0].Bytes(), shared.Shared.Expose().Bytes()) {
		t.Error("other secrets")
	}
}

// Widths that C trusts are never those of another column.
func TestRowsOfAnEarlierResultStayWithinTheirMemory(t *testing.T) {
	in := open(t)
	sign := func(curve Curve, width, n int) Call[ECDSASignResult] {
		keys, digests := make([]byte, width*n), make([]byte, 32*n)
		for i := 0; i < n; i++ {
			keys[(i+1)*width-1], digests[32*i] = byte(i+1), byte(i+1)
		}
		return ECDSASign(curve, Packed(keys, width), Packed(digests, 32), &ECDSASignOptions{DER: true})
	}
	// Wider rows than there is room for, in as many widths.
	small := must(sign(P256, 32, 4).Run(in))
	before := small.Signature.Rows()
	expected := must(Digest(SHA256, before, nil).Run(in)).Digest.Bytes()
	must(sign(P521, 66, 4).Into(small).Run(in))
	for _, rows := range []Rows{before, small.Signature.Rows()} {
		if !bytes.Equal(must(Digest(SHA256, rows, nil).Run(in)).Digest.Bytes(), expected) {
			t.Error("rows changed, or their widths did")
		}
	}
	// Wider rows that there is room for: the earlier column is lost, and says so.
	large := must(sign(P256, 32, 20).Run(in))
	before = large.Signature.Rows()
	within := must(sign(P521, 66, 4).Into(large).Run(in))
	if &within.Signature.Row(0)[0] != &large.Signature.Bytes()[0] {
		t.Error("new memory")
	}
	must(Digest(SHA256, before, nil).Run(in))
	_, err := Digest(SHA256, large.Signature.Rows(), nil).Run(in)
	refused(t, err, "message: row 0")
	defer func() {
		if recover() == nil {
			t.Error("a row of a column that is lost")
		}
	}()
	large.Signature.Row(0)
}

func isZero(data []byte) bool { return len(bytes.Trim(data, "\x00")) == 0 }

func TestSecretsOfEarlierResultsAreWiped(t *testing.T) {
	in := open(t)
	keys := bytes.Repeat([]byte{0x5a}, 4*32)
	peers := must(ECPublicKey(P256, Packed(keys, 32), nil).Run(in)).Out.Bytes()
	call := func(n int) Call[ECDHResult] {
		return ECDH(P256, Packed(keys[:32*n], 32), Packed(peers[:65*n], 65), nil)
	}
	bytesOf := func(r ECDHResult) []byte { return r.Shared.Expose().Bytes() }

	fewer := must(call(4).Run(in))
	secret := bytesOf(fewer)
	fewer = must(call(1).Into(fewer).Run(in))
	if &bytesOf(fewer)[0] != &secret[0] || isZero(secret[:32]) || !isZero(secret[32:]) {
		t.Error("fewer rows")
	}
	again := must(call(4).Into(fewer).Run(in))
	if &bytesOf(again)[0] != &secret[0] {
		t.Error("new memory")
	}
	more := must(call(1).Run(in))
	secret = bytesOf(more)
	must(call(4).Into(more).Run(in))
	if !isZero(secret) {
		t.Error("more rows")
	}
	secret = bytesOf(again)
	_, err := ECDH(P256, Packed(keys[:32], 32), Packed(peers[:31], 31), nil).Into(again).Run(in)
	refused(t, err, "peer")
	if !isZero(secret) {
		t.Error("a call that is refused")
	}
	named := Named{Operation: "ecdh", Curve: P256, Inputs: map[string]Rows{"private_key": Packed(keys, 32), "peer": Packed(peers, 65)}}
	earlier := must(must(named.Call()).Run(in))
	secret = earlier.Columns[0].Bytes()
	named = Named{Operation: "digest", Hash: SHA256, Inputs: map[string]Rows{"message": Same(nil)}}
	must(must(named.Call()).Into(earlier).Run(in))
	if isZero(secret[:32]) || !isZero(secret[32:]) {
		t.Error("another operation")
	}
	// No call that reads what would be wiped.
	modulus, residues := bytes.Repeat([]byte{7}, 16), Packed(bytes.Repeat([]byte{1}, 3*16), 16)
	sum := must(ModAdd(modulus, residues, residues, nil).Run(in))
	_, err = ModAdd(sum.Out.Expose().Row(1), residues, residues, nil).Into(sum).Run(in)
	refused(t, err, "modulus: its memory")
	_, err = ModAdd(modulus, residues, sum.Out.Rows(), nil).Into(sum).Run(in)
	refused(t, err, "b: its memory")
	if sum.Out.Expose().Row(2)[0] != 2 {
		t.Error("wiped by a call that was not made")
	}
}

func TestNothingIsWrittenBehindMemoryThatIsGiven(t *testing.T) {
	in := open(t)
	keys := bytes.Repeat([]byte{0x5a}, 6*32)
	points := must(ECPublicKey(P256, Packed(keys, 32), nil).Run(in)).Out
	if own := points.Bytes(); cap(own) != len(own) {
		t.Error(cap(own))
	}
	big := bytes.Repeat([]byte{7}, 6*32)
	earlier := ECDHResult{Shared: must(NewSecret(big[:32], 32))}
	must(ECDH(P256, Packed(keys, 32), points.Rows(), nil).Into(earlier).Run(in))
	if !bytes.Equal(big[32:], bytes.Repeat([]byte{7}, 5*32)) || !isZero(big[:32]) {
		t.Error(big)
	}
	all := Statuses{77, 77, 77, 77, 77, 77}
	status := must(ECValidate(P256, points.Rows(), nil).Into(all[:2]).Run(in))
	one := must(ECValidate(P256, Same(points.Row(0)), nil).Into(all[:2]).Run(in))
	if !status.AllOK() || &one[0] != &all[0] || cap(one) != 1 || fmt.Sprintf("%d", all) != "[1 77 77 77 77 77]" {
		t.Errorf("%d", all)
	}
	signed := must(ECDSASign(P256, Packed(keys, 32), Packed(keys, 32), nil).Run(in))
	for _, twice := range []*Column{signed.Signature, signed.RecoveryID} {
		_, err := ECDSASign(P256, Same(keys[:32]), Same(keys[:32]), nil).Into(ECDSASignResult{Signature: twice, RecoveryID: twice}).Run(in)
		refused(t, err, "recovery_id: its memory")
	}
}

func TestWhatIsMissingIsNamed(t *testing.T) {
	in := open(t)
	two := Bytes32(make([][32]byte, 2))
	for word, call := range map[string]Call[Statuses]{
		"digest: 2 rows, where public_key has 3": ECDSAVerify(P256, Packed(make([]byte, 99), 33), two, two, nil),
		"signature is missing":                   ECDSAVerify(P256, two, two, Rows{}, nil),
		"keys is missing":                        ECDSAVerifyKeys(nil, two, two, two, nil),
		"curve":                                  ECDSAVerify(Curve(77), two, two, two, nil),
		"ACCEPT":                                 Ed25519Verify(two, two, Packed(make([]byte, 128), 64), &Ed25519VerifyOptions{AcceptRef10: true, AcceptStrict: true}),
		"call: made by no function of the package": {},
	} {
		_, err := call.Run(in)
		refused(t, err, word)
	}
	_, err := ECDSAVerifyKeys(&Keys{}, two, two, two, nil).Run(in)
	refused(t, err, "keys is missing")
	_, err = Digest(Hash(99), two, nil).Run(in)
	refused(t, err, "hash")
	_, err = ModAdd(nil, two, two, nil).Run(in)
	refused(t, err, "modulus")
	_, err = (&Named{Operation: "ecdsa.forge"}).Call()
	refused(t, err, "ecdsa.forge")
	_, err = (&Named{Operation: "digest", Inputs: map[string]Rows{"massage": two}}).Call()
	refused(t, err, "massage")
	_, _, err = in.OpenKeys(P256, Rows{}, nil)
	if err == nil || err.Error() != "gecc: public_keys is missing" {
		t.Error(err)
	}
	_, err = must((&Named{Operation: "ecdsa.verify_keys", Inputs: map[string]Rows{"key": two, "digest": two, "signature": two}}).Call()).Run(in)
	refused(t, err, "keys")
}

func TestNamedRefusesWhatTheOperationDoesNotTake(t *testing.T) {
	in := open(t)
	keys, _, err := in.OpenKeys(P256, Packed(must(ECPublicKey(P256, Same(bytes.Repeat([]byte{9}, 32)), nil).Run(in)).Out.Bytes(), 65), nil)
	if err != nil {
		t.Fatal(err)
	}
	for word, named := range map[string]Named{
		"curve: digest":                  {Operation: "digest", Hash: SHA256, Curve: P256},
		"hash: ecdsa.verify":             {Operation: "ecdsa.verify", Curve: P256, Hash: SHA256},
		"modulus: ec.add":                {Operation: "ec.add", Curve: P256, Modulus: []byte{7}},
		"keys: ecdsa.verify":             {Operation: "ecdsa.verify", Curve: P256, Keys: keys},
		"nonce_hash: ed25519.sign":       {Operation: "ed25519.sign", NonceHash: SHA256},
		"point_format: schnorr.sign":     {Operation: "schnorr.sign", PointFormat: PointRaw},
		"point_format: ethereum.address": {Operation: "ethereum.address", PointFormat: PointCompressed},
	} {
		_, err := named.Call()
		refused(t, err, word+" takes none")
	}
	// The library looks at curves where there is but one.
	two := Bytes32(make([][32]byte, 2))
	for _, named := range []Named{
		{Operation: "sm2.sign", Curve: P256, Inputs: map[string]Rows{"private_key": two, "e": two}},
		{Operation: "ecdsa.verify_keys", Curve: P384, Keys: keys, Inputs: map[string]Rows{"key": Numbers([]uint32{0, 0}), "digest": two, "signature": Packed(make([]byte, 128), 64)}},
	} {
		_, err := must(named.Call()).Run(in)
		refused(t, err, "P-256")
	}
	for _, named := range []Named{
		{Operation: "ecdsa.sign", Curve: P256, NonceHash: SHA256}, {Operation: "ec.convert", Curve: P256, PointFormat: PointRaw},
		{Operation: "digest", Hash: SHA256}, {Operation: "mod.add", Modulus: []byte{7}}, {Operation: "sm2.verify_keys", Keys: keys},
	} {
		must(named.Call())
	}
}

func TestRefusedCallsLeaveNothingForLaterOnes(t *testing.T) {
	in := open(t)
	keys := Bytes32([][32]byte{{1}})
	for _, curve := range []Curve{BrainpoolP256r1, Secp256k1} {
		_, err := ECDSASign(curve, keys, keys, &ECDSASignOptions{NonceHash: Keccak256}).Run(in)
		refused(t, err, "nonce_hash")
		if made := must(ECDSASign(curve, keys, keys, nil).Run(in)); made.Signature.Width() != 64 || !made.Status.AllOK() {
			t.Error(made.Status)
		}
	}
}

func TestClosedContextsGiveErrors(t *testing.T) {
	in := open(t)
	made := sign(in, 1)
	keys, _, err := in.OpenKeys(P256, made.public.Rows(), nil)
	if err != nil {
		t.Fatal(err)
	}
	others, _, _ := in.OpenKeys(P256, made.public.Rows(), nil)
	byKeys := ECDSAVerifyKeys(keys, Numbers([]uint32{0}), Bytes32(made.digests), made.signatures.Rows(), nil)
	if !must(byKeys.Run(in)).AllOK() {
		t.Error("a good row")
	}
	_, err = byKeys.Run(open(t))
	refused(t, err, "")
	keys.Close()
	keys.Close()
	if _, err := byKeys.Run(in); err != ErrClosed {
		t.Error(err)
	}
	in.Close()
	in.Close()
	for i, closed := range []*Context{in, nil, {}} {
		_, err := made.verify().Run(closed)
		_, backends := closed.Backends()
		_, _, opened := closed.OpenKeys(P256, made.public.Rows(), nil)
		_, job := made.verify().Submit(context.Background(), closed).Wait()
		for _, err := range []error{err, backends, opened, job} {
			if err != ErrClosed || !errors.Is(err, ErrorArgument) {
				t.Error(i, err)
			}
		}
		closed.Close()
	}
	for _, closed := range []*Keys{keys, others, nil, {}} {
		if _, _, err := closed.Add(made.public.Rows()); err != ErrClosed {
			t.Error(err)
		}
		closed.Close()
	}
}

func TestUnknownBackendIsAnError(t *testing.T) {
	for word, config := range map[string]*Config{
		"abacus": {Backend: "abacus"}, "zero": {Device: "c\x00pu"}, "jobs": {Jobs: -1}, "threads": {Threads: math.MaxUint},
	} {
		if in, err := Open(config); err == nil || in != nil || !strings.Contains(err.Error(), word) {
			t.Error(in, err)
		}
	}
	var chosen []string
	for _, backend := range must(open(t).Backends()) {
		if backend.Chosen && backend.Available {
			chosen = append(chosen, backend.Name)
		}
	}
	if fmt.Sprint(chosen) != "[cpu]" || !strings.HasPrefix(Version(), "0.") {
		t.Error(chosen, Version())
	}
}

func TestThousandCallsFromSixteenGoroutines(t *testing.T) {
	in := open(t)
	made := sign(in, 8)
	made.signatures.Row(5)[9] ^= 4
	keys, _, err := in.OpenKeys(P256, made.public.Rows(), nil)
	if err != nil {
		t.Fatal(err)
	}
	byKeys := ECDSAVerifyKeys(keys, Numbers([]uint32{0, 1, 2, 3, 4, 5, 6, 7}), Bytes32(made.digests), made.signatures.Rows(), nil)
	var all sync.WaitGroup
	for worker := 0; worker < 16; worker++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for call := 0; call < 1000; call++ {
				if call%20 == 0 { // another thread's words are never this one's
					_, err := Digest(Hash(900+call), Same(nil), nil).Run(in)
					refused(t, err, "hash")
				}
				which := []Call[Statuses]{made.verify(), byKeys}[call%2]
				status, err := which.Run(in)
				for i := range made.digests {
					if err != nil || (status[i] == StatusOK) != (i != 5) {
						t.Error(err, status)
						return
					}
				}
			}
		}()
	}
	all.Wait()
}

func TestClosingWhileOthersCall(t *testing.T) {
	for round := 0; round < 20; round++ {
		in, err := Open(&Config{Backend: "cpu", Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		made := sign(in, 4)
		keys, _, _ := in.OpenKeys(P256, made.public.Rows(), &KeysConfig{Capacity: 1000, Window: 4})
		byKeys := ECDSAVerifyKeys(keys, Numbers([]uint32{0, 1, 2, 3}), Bytes32(made.digests), made.signatures.Rows(), nil)
		var all sync.WaitGroup
		for worker := 0; worker < 4; worker++ {
			all.Add(1)
			go func() {
				defer all.Done()
				for {
					job := made.verify().Submit(context.Background(), in)
					status, err := byKeys.Run(in)
					if err == nil && !status.AllOK() {
						t.Error(status)
					}
					_, _, added := keys.Add(Same(made.public.Row(0)))
					if status, err := job.Wait(); err == nil && !status.AllOK() {
						t.Error(status)
					} else if err == ErrClosed && added == ErrClosed {
						return
					}
				}
			}()
		}
		if round%2 == 0 {
			keys.Close()
		}
		in.Close()
		all.Wait()
	}
}

func TestJobs(t *testing.T) {
	in, err := Open(&Config{Backend: "cpu", Threads: 2, Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	made := sign(in, 300)
	var jobs []*Job[Statuses]
	for i := 0; i < 50; i++ {
		jobs = append(jobs, made.verify().Submit(context.Background(), in))
	}
	for _, job := range jobs {
		if status, err := job.Wait(); err != nil || !status.AllOK() {
			t.Error(err)
		}
		<-job.Done()
	}

	// The one place is taken: nothing begins.
	in.state.slots <- struct{}{}
	ctx, cancel := context.WithCancel(context.Background())
	waiting := made.verify().Submit(ctx, in)
	timed, stop := context.WithTimeout(context.Background(), time.Millisecond)
	defer stop()
	if _, err := made.verify().Submit(timed, in).Wait(); err != context.DeadlineExceeded {
		t.Error(err)
	}
	select {
	case <-waiting.Done():
		t.Error("began where there was no place")
	default:
	}
	cancel()
	if _, err := waiting.Wait(); err != context.Canceled {
		t.Error(err)
	}
	<-in.state.slots
	if _, err := made.verify().Submit(ctx, in).Wait(); err != context.Canceled {
		t.Error("a job of a context that was done:", err)
	}
	if status, err := made.verify().Submit(context.Background(), in).Wait(); err != nil || !status.AllOK() {
		t.Error(err)
	}
}

func TestSecretsAreNotPrintedAndWiped(t *testing.T) {
	in := open(t)
	keys := must(NewSecret(bytes.Repeat([]byte{0x5a}, 64), 32))
	public := must(ECPublicKey(P256, keys.Rows(), nil).Run(in)).Out
	shared := must(ECDH(P256, keys.Rows(), public.Rows(), nil).Run(in))
	options := ECDSASignOptions{Entropy: keys.Rows()}
	row := append([]byte{}, shared.Shared.Expose().Row(0)...)
	for _, format := range []string{"%v", "%+v", "%#v", "%d", "%x", "%s"} {
		said := fmt.Sprintf(format, keys) + fmt.Sprintf(format, shared) + fmt.Sprintf(format, *shared.Shared) +
			fmt.Sprintf(format, options) + fmt.Sprintf(format, keys.Rows()) + fmt.Sprintf(format, Ragged([][]byte{row}))
		for _, secret := range []string{"5a5a", "5a 5a", "0x5a", "90 90", "ZZ", fmt.Sprintf("%x", row[:4]), fmt.Sprint(row[:4])} {
			if strings.Contains(strings.ToLower(said), strings.ToLower(secret)) {
				t.Error(format, said)
			}
		}
	}
	// Package fmt calls no methods on fields that are not exported, nor on types of others.
	type ofOthers Rows
	type rows struct{ rows Rows }
	type secret struct{ secret Secret }
	type pointer struct{ secret *Secret }
	type column struct{ column Column }
	ragged, named := [][]byte{row}, NamedResult{Columns: []*Column{shared.Shared.Expose()}}
	for _, format := range []string{"%v", "%+v", "%#v", "%d", "%x", "%X", "%s", "%q", "%t"} {
		for _, value := range []any{
			rows{keys.Rows()}, rows{Ragged(ragged)}, &rows{Same(row)}, []rows{{RaggedAt(row, []uint64{0}, []uint32{32})}},
			secret{*keys}, pointer{keys}, column{*shared.Shared.Expose()}, ofOthers(keys.Rows()), named.Columns[0],
			*named.Columns[0], named, &named, ECDSASign(P256, keys.Rows(), keys.Rows(), nil), shared,
			reflect.ValueOf(rows{keys.Rows()}).Field(0).Field(0), struct{ options ECDSASignOptions }{options},
			ECDH(P256, keys.Rows(), public.Rows(), nil).Into(shared),
			Named{Inputs: map[string]Rows{"private_key": keys.Rows()}},
		} {
			said := strings.ToLower(fmt.Sprintf(format, value))
			for _, secret := range []string{"5a5a5a", "5a 5a 5a", "5a, 0x5a", "90 90 90", "90, 90", "zz", "'z'", fmt.Sprintf("%x", row[:4]),
				strings.Trim(fmt.Sprint(row[:4]), "[]"), strings.Trim(fmt.Sprintf("%#v", row[:4]), "[]byte{}")} {
				if strings.Contains(said, secret) {
					t.Errorf("%s of %T: %s", format, value, said)
				}
			}
		}
	}
	if said := fmt.Sprint(named.Columns); said != "[Column{2 rows, width 32}]" {
		t.Error(said)
	}
	shared.Shared.Wipe()
	keys.Wipe()
	for _, secret := range []*Secret{shared.Shared, keys} {
		if len(bytes.Trim(secret.Expose().Bytes(), "\x00")) != 0 || secret.Len() != 2 {
			t.Error("not wiped")
		}
	}
	if _, err := NewSecret(make([]byte, 33), 32); err == nil {
		t.Error("33 bytes")
	}
}

func TestNamesAreThoseOfTheLibrary(t *testing.T) {
	if must(CurveNamed("prime256v1")) != P256 || must(HashNamed("sha384")) != SHA384 || must(FlagNamed("LOW_S")) != FlagLowS ||
		must(PointFormatNamed("raw")) != PointRaw || must(PointFormatNamed("uncompressed")) != PointUncompressed {
		t.Error("names")
	}
	for _, name := range []string{"", "P-257", "P-256\x00"} {
		_, curve := CurveNamed(name)
		_, hash := HashNamed(name)
		_, flag := FlagNamed(name)
		_, format := PointFormatNamed(name)
		for _, err := range []error{curve, hash, flag, format} {
			refused(t, err, "none is called")
		}
	}
	said := fmt.Sprintln(P256, SHA256, FlagDER, Curve(99), StatusMalformedPointRange.Name(), Status(99).Name(), ErrorMemory.Name())
	if said != "P-256 SHA-256 der Curve(99) MALFORMED_POINT_RANGE Status(99) ERROR_MEMORY\n" {
		t.Error(said)
	}
	if !StatusMalformedWidth.IsMalformed() || StatusInfinity.IsMalformed() || StatusOK.String() != "valid, or computed" {
		t.Error("statuses")
	}
}

func TestContextsAndKeysMayBeCopied(t *testing.T) {
	in := open(t)
	made := sign(in, 1)
	keys, _, err := in.OpenKeys(P256, made.public.Rows(), nil)
	if err != nil {
		t.Fatal(err)
	}
	own := &struct {
		text string
		in   Context
		keys Keys
	}{"", *in, *keys}
	if !must(ECDSAVerifyKeys(&own.keys, Numbers([]uint32{0}), Bytes32(made.digests), made.signatures.Rows(), nil).Run(&own.in)).AllOK() {
		t.Error("a good row")
	}
	own.keys.Close()
	own.in.Close()
	_, _, added := keys.Add(made.public.Rows())
	if _, err := made.verify().Run(in); err != ErrClosed || added != ErrClosed {
		t.Error(err, added)
	}
	// A copy keeps open what the first one, which is gone, was for.
	copied := *must(Open(&Config{Backend: "cpu", Threads: 1}))
	for i := 0; i < 3; i++ {
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
	}
	if status, err := made.verify().Run(&copied); err != nil || !status.AllOK() {
		t.Error(err, status)
	}
	copied.Close()
}

func TestContextsThatNobodyClosesAreClosed(t *testing.T) {
	var state *contextState
	func() {
		in, err := Open(&Config{Backend: "cpu", Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		made := sign(in, 1)
		if _, _, err := in.OpenKeys(P256, made.public.Rows(), nil); err != nil {
			t.Fatal(err)
		}
		state = in.state
	}()
	for wait := 0; wait < 1000; wait++ {
		runtime.GC()
		time.Sleep(time.Millisecond)
		state.use.RLock()
		isClosed := state.handle == nil
		state.use.RUnlock()
		if isClosed {
			return
		}
	}
	t.Error("still open")
}
