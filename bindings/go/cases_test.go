package gecc

// The cases that every language reads: bindings/cases.

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

type testCase struct {
	line      int
	operation string
	options   map[string][]string
	inputs    []string
	rows      [][][]byte // cells; nil: the column has ended
	answers   []answer
	refusal   []string // result, word
}

type answer struct {
	status  string
	results [][]byte
}

func unhex(t *testing.T, cell string) []byte {
	made, err := hex.DecodeString(strings.TrimPrefix(cell, "-"))
	if err != nil {
		t.Fatal(cell, err)
	}
	return made
}

func readCases(t *testing.T, name string) []*testCase {
	text, err := os.ReadFile("../cases/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var cases []*testCase
	for number, line := range strings.Split(string(text), "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		if words[0] == "case" {
			cases = append(cases, &testCase{line: number + 1, operation: words[1], options: map[string][]string{}})
			continue
		}
		c, words, key := cases[len(cases)-1], words[1:], words[0]
		switch key {
		case "curve", "hash", "modulus", "flags", "nonce_hash", "point_format", "output_bytes":
			c.options[key] = words
		case "inputs":
			c.inputs = words
		case "outputs":
		case "row":
			var row [][]byte
			for i, cell := range words {
				if cell == ":" {
					made := answer{status: words[i+1]}
					for _, result := range words[i+2:] {
						made.results = append(made.results, unhex(t, result))
					}
					c.answers = append(c.answers, made)
					break
				}
				if cell == "." {
					row = append(row, nil)
				} else {
					row = append(row, unhex(t, cell))
				}
			}
			c.rows = append(c.rows, row)
		case "error":
			c.refusal = words
		default:
			t.Fatalf("%s: line %d: %s", name, number+1, line)
		}
	}
	if len(cases) < 10 {
		t.Fatal(len(cases), "cases")
	}
	return cases
}

// column is a column: of one width as it lies, of several with widths.
func (c *testCase) column(name string) (made Rows) {
	for i, input := range c.inputs {
		if input != name {
			continue
		}
		var rows [][]byte
		isEven := true
		for _, row := range c.rows {
			if row[i] != nil {
				rows = append(rows, row[i])
				isEven = isEven && len(row[i]) == len(rows[0]) && len(row[i]) > 0
			}
		}
		if isEven {
			return Packed(bytes.Join(rows, nil), len(rows[0]))
		}
		return Ragged(rows)
	}
	return
}

func option[T any](t *testing.T, c *testCase, name string, find func(string) (T, error)) (made T) {
	if words := c.options[name]; words != nil {
		var err error
		if made, err = find(words[0]); err != nil {
			t.Fatal(err)
		}
	}
	return
}

func (c *testCase) modulus(t *testing.T) []byte {
	if words := c.options["modulus"]; words != nil {
		return unhex(t, words[0])
	}
	return nil
}

func (c *testCase) outputBytes(t *testing.T) int {
	words := c.options["output_bytes"]
	if words == nil {
		return 0
	}
	bytes, err := strconv.Atoi(words[0])
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}

func (c *testCase) byName(t *testing.T, in *Context) (NamedResult, error) {
	call := Named{
		Operation:   c.operation,
		Curve:       option(t, c, "curve", CurveNamed),
		Hash:        option(t, c, "hash", HashNamed),
		Modulus:     c.modulus(t),
		NonceHash:   option(t, c, "nonce_hash", HashNamed),
		PointFormat: option(t, c, "point_format", PointFormatNamed),
		OutputBytes: c.outputBytes(t),
		Inputs:      map[string]Rows{},
	}
	for _, name := range c.options["flags"] {
		flag, err := FlagNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		call.Flags |= flag
	}
	for _, name := range c.inputs {
		call.Inputs[name] = c.column(name)
	}
	made, err := call.Call()
	if err != nil {
		return NamedResult{}, err
	}
	return made.Run(in)
}

// inTypes makes the call by its typed function; false: it cannot be said in types.
func (c *testCase) inTypes(t *testing.T, in *Context, keys *Keys) (result NamedResult, err error, isSaid bool) {
	var function reflect.Value
	for _, each := range typed {
		if each.name == c.operation {
			function = reflect.ValueOf(each.function)
		}
	}
	var required []columnInfo
	for i := range operations {
		if operations[i].name == c.operation {
			for _, column := range operations[i].inputs {
				if !column.isOptional {
					required = append(required, column)
				}
			}
		}
	}
	var arguments []reflect.Value
	for i := 0; i < function.Type().NumIn(); i++ {
		var argument any
		switch kind := function.Type().In(i); kind {
		case reflect.TypeOf(Curve(0)):
			argument = option(t, c, "curve", CurveNamed)
		case reflect.TypeOf(Hash(0)):
			argument = option(t, c, "hash", HashNamed)
		case reflect.TypeOf([]byte{}):
			argument = c.modulus(t)
		case reflect.TypeOf(keys):
			argument = keys
		case reflect.TypeOf(Rows{}):
			argument, required = c.column(required[0].name), required[1:]
		default:
			options := reflect.New(kind.Elem())
			if !c.setOptions(t, options.Elem()) {
				return result, nil, false
			}
			argument = options.Interface()
		}
		arguments = append(arguments, reflect.ValueOf(argument))
	}
	call := function.Call(arguments)[0]
	made := call.MethodByName("Run").Call([]reflect.Value{reflect.ValueOf(in)})
	if err, isError := made[1].Interface().(error); isError {
		return result, err, true
	}
	if status, isAll := made[0].Interface().(Statuses); isAll {
		return NamedResult{Status: status}, nil, true
	}
	for i := 0; i < made[0].NumField(); i++ {
		switch field := made[0].Field(i).Interface().(type) {
		case *Column:
			result.Columns = append(result.Columns, field)
		case *Secret:
			result.Columns = append(result.Columns, field.Expose())
		case Statuses:
			result.Status = field
		}
	}
	return result, nil, true
}

func (c *testCase) setOptions(t *testing.T, options reflect.Value) bool {
	field := func(name string) reflect.Value {
		name = strings.ReplaceAll(name, "_", "")
		return options.FieldByNameFunc(func(field string) bool { return strings.EqualFold(field, name) })
	}
	for _, name := range c.options["flags"] {
		if !field(name).IsValid() {
			return false
		}
		field(name).SetBool(true)
	}
	if bytes := c.outputBytes(t); bytes != 0 {
		if !field("output_bytes").IsValid() {
			return false
		}
		field("output_bytes").SetInt(int64(bytes))
	}
	for name, value := range map[string]uint32{
		"nonce_hash":   uint32(option(t, c, "nonce_hash", HashNamed)),
		"point_format": uint32(option(t, c, "point_format", PointFormatNamed)),
	} {
		if value != 0 {
			if !field(name).IsValid() {
				return false
			}
			field(name).SetUint(uint64(value))
		}
	}
	for _, name := range c.inputs {
		if it := field(name); it.IsValid() {
			it.Set(reflect.ValueOf(c.column(name)))
		}
	}
	return true
}

func (c *testCase) compare(t *testing.T, how string, result NamedResult) {
	if len(result.Status) != len(c.answers) {
		t.Fatalf("line %d: %d statuses", c.line, len(result.Status))
	}
	for i, answer := range c.answers {
		at := fmt.Sprintf("line %d, %s %s, row %d", c.line, c.operation, how, i)
		if name := result.Status[i].Name(); name != answer.status {
			t.Errorf("%s: %s, not %s", at, name, answer.status)
		}
		if answer.status != "OK" {
			for _, column := range result.Columns {
				if len(bytes.Trim(column.Row(i), "\x00")) != 0 {
					t.Errorf("%s: a result", at)
				}
			}
		}
		if len(answer.results) > len(result.Columns) {
			t.Fatalf("%s: %d columns", at, len(result.Columns))
		}
		for j, expected := range answer.results {
			if !bytes.Equal(result.Columns[j].Row(i), expected) {
				t.Errorf("%s: %x, not %x", at, result.Columns[j].Row(i), expected)
			}
		}
	}
}

func TestKnownAnswers(t *testing.T) {
	in := open(t)
	seen, withKeys := map[string]bool{}, 0
	for _, c := range readCases(t, "known_answers.txt") {
		result, err := c.byName(t, in)
		if err != nil {
			t.Fatal(c.line, err)
		}
		c.compare(t, "by its name", result)
		result, err, isSaid := c.inTypes(t, in, nil)
		if err != nil || !isSaid {
			t.Fatal(c.line, err, isSaid)
		}
		c.compare(t, "in types", result)
		seen[c.operation] = true
		if c.onKeys(t, in) {
			withKeys++
		}
	}
	for _, each := range typed {
		if !seen[strings.TrimSuffix(each.name, "_keys")] {
			t.Error(each.name, "has no case")
		}
	}
	if len(typed) != len(operations) || withKeys < 30 {
		t.Error(len(typed), "functions,", withKeys, "cases with keys")
	}
}

// onKeys runs the case's rows by the operation on numbers of keys, where there is one.
func (c *testCase) onKeys(t *testing.T, in *Context) bool {
	own := &testCase{line: c.line, operation: c.operation + "_keys", options: map[string][]string{}}
	var isThere bool
	for _, each := range typed {
		isThere = isThere || each.name == own.operation
	}
	if !isThere {
		return false
	}
	ofKeys := "public_key"
	if c.operation == "ec.mul_add" {
		ofKeys = "point"
	}
	curve, isOne := map[string]Curve{"sm2": SM2, "schnorr": Secp256k1, "ed25519": Curve25519}[strings.Split(c.operation, ".")[0]]
	if !isOne {
		curve = option(t, c, "curve", CurveNamed)
	}
	for name, words := range c.options {
		for _, word := range words {
			if word != "public_scalars" {
				own.options[name] = append(own.options[name], word)
			}
		}
	}
	place := 0
	for i, input := range c.inputs {
		if input == ofKeys {
			place, input = i, "key"
		}
		own.inputs = append(own.inputs, input)
	}
	var points [][]byte
	for i, row := range c.rows {
		if c.answers[i].status == "MALFORMED_WIDTH" {
			continue
		}
		row = append([][]byte{}, row...)
		points, row[place] = append(points, row[place]), binary.LittleEndian.AppendUint32(nil, uint32(len(points)))
		own.rows, own.answers = append(own.rows, row), append(own.answers, c.answers[i])
	}
	keys, _, err := in.OpenKeys(curve, Ragged(points), &KeysConfig{Window: 4})
	if err != nil {
		t.Fatal(c.line, err)
	}
	defer keys.Close()
	result, err, isSaid := own.inTypes(t, in, keys)
	if err != nil || !isSaid {
		t.Fatal(c.line, err, isSaid)
	}
	own.compare(t, "with keys", result)
	return true
}

func TestMisuse(t *testing.T) {
	in := open(t)
	for _, c := range readCases(t, "misuse.txt") {
		check := func(err error) {
			var known *Error
			if !errors.As(err, &known) || known.Kind.Name() != c.refusal[0] {
				t.Errorf("line %d: %v, not %s", c.line, err, c.refusal[0])
			} else if !strings.Contains(strings.ToLower(known.Text), c.refusal[1]) {
				t.Errorf("line %d: %q has no %s", c.line, known.Text, c.refusal[1])
			}
		}
		_, err := c.byName(t, in)
		check(err)
		if _, err, isSaid := c.inTypes(t, in, nil); isSaid {
			check(err)
		}
	}
}
