"""LLVM's intermediate code, as clang writes it before any pass, to Python: each function of C is one of Python, whose
operations are those of `operations.py`. Control flow and addresses are concrete, what is computed need not be."""

import re

TOKEN = re.compile(r'c"(?:[^"])*"|[%@]"[^"]*"|[%@][\w.$-]+|"(?:[^"])*"|![\w.]*|\.\.\.|-?\w[\w.+-]*|#\d+|\S')
ATTRIBUTES = set("""noundef signext zeroext inreg noalias nonnull nocapture readonly readnone writeonly immarg returned
    dso_local internal private unnamed_addr local_unnamed_addr constant global nuw nsw exact inbounds volatile fast
    tail musttail notail external linkonce_odr available_externally hidden range""".split())


class Tokens:
    def __init__(self, text):
        self.list, self.at = TOKEN.findall(text), 0

    def peek(self):
        return self.list[self.at] if self.at < len(self.list) else ""

    def next(self):
        self.at += 1
        return self.list[self.at - 1]

    def accept(self, *words):
        if self.peek() in words:
            return self.next()
        return None

    def expect(self, word):
        got = self.next()
        if got != word:
            raise SyntaxError(f"{word} expected, not {got}, in {' '.join(self.list)}")

    def attributes(self):
        """What is said beside a type; the type of what is passed by value, if any."""
        by_value = None
        while True:
            word = self.peek()
            if word == "align":
                self.next(), self.next()
            elif word in ("sret", "byval", "dereferenceable", "dereferenceable_or_null", "elementtype"):
                self.next(), self.expect("(")
                kind = self.type() if word in ("sret", "byval", "elementtype") else self.next()
                self.expect(")")
                by_value = kind if word == "byval" else by_value
            elif word in ATTRIBUTES:
                self.next()
            else:
                return by_value

    def type(self):
        word = self.next()
        if word[0] == "i" and word[1:].isdigit():
            kind = ("i", int(word[1:]))
        elif word == "[":
            count = int(self.next())
            self.expect("x")
            kind = ("a", count, self.type())
            self.expect("]")
        elif word == "<" and self.peek() != "{":
            count = int(self.next())
            self.expect("x")
            kind = ("v", count, self.type())
            self.expect(">")
        elif word in "<{":
            packed = word == "<" and bool(self.accept("{"))
            members = []
            while not self.accept("}"):
                members.append(self.type())
                self.accept(",")
            if packed:
                self.expect(">")
            kind = ("s", tuple(members), packed)
        elif word[0] == "%":
            kind = ("n", word)
        elif word == "ptr":
            kind = ("p",)
        else:
            kind = (word,)
        while self.peek() in ("*", "("):
            if self.next() == "(":
                while not self.accept(")"):
                    if not self.accept("...", ","):
                        self.type(), self.attributes()
                kind = ("f", kind)
            else:
                kind = ("p",)
        return kind


class Module:
    """The functions of a text, by name, as functions of Python."""

    def __init__(self, text, operations):
        self.named, self.globals, self.constants = {}, {}, {}
        self.operations = operations
        self.space = {"OPS": operations, "MODULE": self}
        self.space.update({n: getattr(operations, n) for n in dir(operations) if not n.startswith("__")})
        functions, lines = [], iter(text.splitlines())
        pending = []
        for line in lines:
            if line.startswith("%"):
                name, _, rest = line.partition(" = type ")
                self.named[name] = Tokens(rest).type()
            elif line.startswith("@"):
                pending.append(line)
            elif line.startswith("define"):
                body = []
                for inner in lines:
                    if inner == "}":
                        break
                    body.append(inner)
                functions.append((line, body))
        for line in pending:
            self.globals[line.split(" ", 1)[0]] = {}
        for line in pending:
            self.define_global(line)
        for line, body in functions:
            Function(self, line, body)

    def define_global(self, line):
        name, _, rest = line.partition(" = ")
        t = Tokens(rest)
        while t.peek() in ATTRIBUTES:
            if t.next() == "external":
                return
        kind = t.type()
        self.initialise(self.globals[name], 0, kind, t)

    def initialise(self, cells, at, kind, t):
        kind = self.resolve(kind)
        if t.accept("zeroinitializer"):
            self.zero(cells, at, kind)
        elif t.accept("undef"):
            pass
        elif kind[0] in "as" and t.peek() in ("[", "{", "<"):
            close = {"[": "]", "{": "}", "<": "}"}[t.next()]
            t.accept("{")
            for i in range(len(kind[1]) if kind[0] == "s" else kind[1]):
                member = t.type()
                self.initialise(cells, at + self.offset(kind, i), member, t)
                t.accept(",")
            t.expect(close)
            t.accept(">")
        elif t.peek().startswith('c"'):
            t.next()
        else:
            cells[at] = (self.size(kind), eval(self.value(kind, t, {}), self.space))

    def zero(self, cells, at, kind):
        kind = self.resolve(kind)
        if kind[0] in "as":
            for i in range(len(kind[1]) if kind[0] == "s" else kind[1]):
                self.zero(cells, at + self.offset(kind, i), kind[1][i] if kind[0] == "s" else kind[2])
        else:
            cells[at] = (self.size(kind), None if kind[0] == "p" else 0)

    # Types.

    def resolve(self, kind):
        while kind[0] == "n":
            kind = self.named[kind[1]]
        return kind

    def align(self, kind):
        kind = self.resolve(kind)
        if kind[0] == "s":
            return 1 if kind[2] else max([self.align(m) for m in kind[1]] or [1])
        if kind[0] == "a":
            return self.align(kind[2])
        return self.size(kind)

    def size(self, kind):
        kind = self.resolve(kind)
        if kind[0] == "i":
            return 1 << max(0, (kind[1] - 1).bit_length() - 3)
        if kind[0] in ("p", "double"):
            return 8
        if kind[0] == "v":
            return max(1, kind[1] * (kind[2][1] if kind[2][0] == "i" else 64) // 8)
        if kind[0] == "a":
            return kind[1] * self.size(kind[2])
        if kind[0] == "s":
            end = self.offset(kind, len(kind[1]))
            align = self.align(kind)
            return -(-end // align) * align
        raise SyntaxError(f"size of {kind}")

    def offset(self, kind, index):
        kind = self.resolve(kind)
        if kind[0] == "a":
            return index * self.size(kind[2])
        at = 0
        for i, member in enumerate(kind[1][:index + 1]):
            align = 1 if kind[2] else self.align(member)
            at = -(-at // align) * align
            if i < index:
                at += self.size(member)
        return at

    def bits(self, kind):
        kind = self.resolve(kind)
        if kind[0] == "v":
            kind = kind[2]
        return kind[1] if kind[0] == "i" else 64

    # Values, as expressions of Python.

    def value(self, kind, t, names):
        kind = self.resolve(kind)
        word = t.next()
        if word[0] == "%":
            return names[word]
        if word[0] == "@":
            if word in self.globals:
                key = "G_" + re.sub(r"\W", "_", word)
                self.space[key] = (self.globals[word], 0)
                return key
            return repr(word)
        if word in ("undef", "poison"):
            return "UNDEFINED"
        if word in ("null", "zeroinitializer", "false"):
            return "None" if kind[0] == "p" else "0"
        if word == "true":
            return "1"
        if word == "<":
            elements = []
            while not t.accept(">"):
                elements.append(self.value(t.type(), t, names))
                t.accept(",")
            return elements[0] if all(e == elements[0] for e in elements) else f"({', '.join(elements)})"
        if word in ("getelementptr", "bitcast", "inttoptr"):
            t.attributes()
            t.expect("(")
            if word == "getelementptr":
                base, indices, source = self.address(t, names, ")")
                return self.address_text(base, indices, source)
            inner = t.type()
            result = self.value(inner, t, names)
            t.expect("to"), t.type(), t.expect(")")
            return result
        if kind[0] == "double":
            return f"double_constant({word!r})"
        if kind[0] == "i":
            return str(int(word) & (1 << kind[1]) - 1)
        raise SyntaxError(f"value {word} of {kind} in {' '.join(t.list)}")

    def address(self, t, names, end):
        source = t.type()
        t.expect(",")
        t.type()
        base = self.value(("p",), t, names)
        indices = []
        while t.accept(","):
            if t.peek().startswith("!"):
                break
            t.accept("inrange")
            kind = t.type()
            indices.append((self.bits(kind), self.value(kind, t, names)))
        if end:
            t.expect(end)
        return base, indices, source

    def address_text(self, base, indices, source):
        kind, at, terms = source, 0, []
        for i, (bits, index) in enumerate(indices):
            kind = self.resolve(kind)
            if i == 0:
                size, inner = self.size(kind), kind
            elif kind[0] == "s":
                at += self.offset(kind, int(index))
                kind = kind[1][int(index)]
                continue
            else:
                inner = kind[2]
                size = self.size(inner)
            if index.isdigit():
                value = int(index)
                at += (value - (value >> bits - 1 << bits)) * size
            else:
                terms.append(f"{size} * signed({index}, {bits})")
            kind = inner
        if not at and not terms:
            return base
        return f"moved({base}, {' + '.join([str(at), *terms])})"


class Function:
    """One function's translation, which is left in the module's space."""

    def __init__(self, module, line, body):
        self.module, self.names, self.lines = module, {}, []
        t = Tokens(line)
        while not t.peek().startswith("@"):
            t.next()
        self.name = t.next()[1:]
        t.expect("(")
        parameters, self.copies = [], []
        while not t.accept(")"):
            kind = t.type()
            by_value = t.attributes()
            name = self.local(t.next())
            parameters.append(name)
            if by_value:
                self.copies.append((name, self.module.size(by_value)))
            t.accept(",")
        self.block(parameters, body)

    def local(self, word):
        name = "v" + re.sub(r"\W", "_", word)
        self.names[word] = name
        return name

    def block(self, parameters, body):
        blocks, current, entry = {}, None, None
        switch = r"\[\n((?:\s+i\d+ -?\d+, label %\S+\n)*)\s+\]"
        text = re.sub(switch, lambda m: "[" + m[1].replace("\n", " ") + "]", "\n".join(body))
        for line in text.splitlines():
            line = line.split(" ;")[0] if " ;" in line and '"' not in line else line
            head = re.match(r"^([\w.$-]+):", line)
            if head:
                current = "%" + head[1]
                blocks[current] = []
            elif line.strip() and not line.startswith(";"):
                if current is None:
                    current = entry = "%entry"
                    blocks[current] = []
                blocks[current].append(line.strip())
        order = {name: i for i, name in enumerate(blocks)}
        self.order = order
        if entry is None:
            entry = next(iter(blocks))
        # the entry block's name counts as that of the next number
        numbered = len(parameters)
        order[f"%{numbered}"] = order.get(f"%{numbered}", 0)
        self.phis = {}
        for name, lines in blocks.items():
            for line in lines:
                m = re.match(r"(%\S+) = phi ", line)
                if m:
                    t = Tokens(line[m.end():])
                    kind = t.type()
                    target = self.local(m[1])
                    while t.accept("["):
                        start = t.at
                        while t.next() != ",":
                            pass
                        source = t.next()
                        t.expect("]")
                        self.phis.setdefault(source, []).append((name, target, kind, t.list[start:]))
                        t.accept(",")
        out = [f"def {python_name(self.name)}({', '.join(parameters)}):"]
        out += [f" {name} = copied({name}, {size})" for name, size in self.copies]
        out += [" at = 0", " while True:"]
        for name, lines in blocks.items():
            out.append(f"  if at == {order[name]}:")
            self.current = name if name != "%entry" else f"%{numbered}"
            for line in lines:
                for text in self.instruction(line):
                    out.append("   " + text)
        source = "\n".join(out)
        exec(compile(source, f"<{self.name}>", "exec"), self.module.space)

    def jump(self, target):
        moves = [(p, kind, tokens) for where, p, kind, tokens in self.phis.get(self.current, []) if where == target]
        values = []
        for _, kind, tokens in moves:
            t = Tokens("")
            t.list = tokens
            values.append(self.module.value(kind, t, self.names))
        text = [f"{', '.join(p for p, _, _ in moves)} = {', '.join(values)}"] if moves else []
        return "; ".join([*text, f"at = {self.order[target]}"])

    def typed(self, t):
        kind = t.type()
        t.attributes()
        return kind, self.module.value(kind, t, self.names)

    def instruction(self, line):
        m = re.match(r"(%\S+) = ", line)
        target = None
        if m:
            line = line[m.end():]
        t = Tokens(line)
        word = t.next()
        while word in ("tail", "musttail", "notail"):
            word = t.next()
        if word == "phi":
            return []
        text = getattr(self, "do_" + word, self.binary)(t, word)
        if m:
            target = self.local(m[1])
            return [f"{target} = {text}"]
        return [text] if isinstance(text, str) else text

    def binary(self, t, word):
        t.attributes()
        if word == "icmp":
            predicate = t.next()
            kind, a = self.typed(t)
            t.expect(",")
            b = self.module.value(kind, t, self.names)
            if kind[0] == "p":
                return f"same_pointer({a}, {b}, {predicate!r})"
            return f"compare({predicate!r}, {self.module.bits(kind)}, {a}, {b})"
        kind, a = self.typed(t)
        t.expect(",")
        b = self.module.value(kind, t, self.names)
        return f"{word}_({self.module.bits(kind)}, {a}, {b})"

    def do_fsub(self, t, word):
        return self.binary(t, word)

    def do_alloca(self, t, word):
        return "({}, 0)"

    def do_load(self, t, word):
        t.attributes()
        kind = t.type()
        t.expect(",")
        _, address = self.typed(t)
        return f"load({address}, {self.module.size(kind)})"

    def do_store(self, t, word):
        t.attributes()
        kind, value = self.typed(t)
        t.expect(",")
        _, address = self.typed(t)
        return f"store({address}, {self.module.size(kind)}, {value})"

    def do_getelementptr(self, t, word):
        t.attributes()
        base, indices, source = self.module.address(t, self.names, None)
        return self.module.address_text(base, indices, source)

    def cast(self, t, word):
        kind, value = self.typed(t)
        t.expect("to")
        to = t.type()
        if kind[0] == "p" or to[0] == "p":
            return value
        if word == "bitcast":
            return f"bitcast({self.shape(kind)!r}, {self.shape(to)!r}, {value})"
        return f"{word}_({self.module.bits(kind)}, {self.module.bits(to)}, {value})"

    def shape(self, kind):
        if kind[0] == "v":
            return (kind[1], kind[2][0] if kind[2][0] == "double" else kind[2][1])
        return (1, kind[0] if kind[0] == "double" else kind[1])

    do_zext = do_sext = do_trunc = do_bitcast = do_ptrtoint = do_inttoptr = cast

    def do_select(self, t, word):
        _, condition = self.typed(t)
        t.expect(",")
        _, a = self.typed(t)
        t.expect(",")
        _, b = self.typed(t)
        return f"chosen({condition}, {a}, {b})"

    def do_insertelement(self, t, word):
        kind, vector = self.typed(t)
        t.expect(",")
        _, element = self.typed(t)
        t.expect(",")
        _, index = self.typed(t)
        return f"inserted({vector}, {element}, {index}, {kind[1]})"

    def do_extractelement(self, t, word):
        _, vector = self.typed(t)
        t.expect(",")
        _, index = self.typed(t)
        return f"extracted({vector}, {index})"

    def do_shufflevector(self, t, word):
        _, a = self.typed(t)
        t.expect(",")
        _, b = self.typed(t)
        t.expect(",")
        kind, places = self.typed(t)
        return f"shuffled({a}, {b}, {places}, {kind[1]})"

    def do_extractvalue(self, t, word):
        _, value = self.typed(t)
        t.expect(",")
        return f"{value}[{t.next()}]"

    def do_insertvalue(self, t, word):
        kind, value = self.typed(t)
        t.expect(",")
        _, element = self.typed(t)
        t.expect(",")
        return f"inserted({value}, {element}, {t.next()}, {len(self.module.resolve(kind)[1])})"

    def do_call(self, t, word):
        t.attributes()
        t.type()
        if t.accept("asm"):
            return self.assembly(t)
        callee = t.next()
        arguments = self.arguments(t)
        name = callee[1:]
        if name.startswith("llvm."):
            return f"intrinsic({name!r}, {', '.join(arguments)})"
        if callee[0] == "%":
            raise SyntaxError(f"a call through a pointer in {self.name}")
        text = f"{python_name(name)}({', '.join(arguments)})"
        return f"split({text})" if (self.name, name) in self.module.operations.SPLITS else text

    def arguments(self, t):
        t.expect("(")
        arguments = []
        while not t.accept(")"):
            kind = t.type()
            t.attributes()
            arguments.append("None" if kind == ("metadata",) else self.module.value(kind, t, self.names))
            t.accept(",")
        return arguments

    def assembly(self, t):
        while not t.peek().startswith('"'):
            t.next()
        template = t.next()[1:-1]
        t.expect(",")
        constraints = t.next()[1:-1]
        return f"assembly({template!r}, {constraints!r}, {', '.join(self.arguments(t))})"

    def do_ret(self, t, word):
        if t.peek() == "void":
            return "return"
        _, value = self.typed(t)
        return f"return {value}"

    def do_br(self, t, word):
        if t.accept("label"):
            return [self.jump(t.next()), "continue"]
        _, condition = self.typed(t)
        t.expect(","), t.expect("label")
        yes = t.next()
        t.expect(","), t.expect("label")
        no = t.next()
        return [f"if {condition}: {self.jump(yes)}", f"else: {self.jump(no)}", "continue"]

    def do_switch(self, t, word):
        kind, value = self.typed(t)
        t.expect(","), t.expect("label")
        default = t.next()
        t.expect("[")
        lines = []
        while not t.accept("]"):
            _, case = self.typed(t)
            t.expect(","), t.expect("label")
            lines.append(f"{'el' if lines else ''}if {value} == {case}: {self.jump(t.next())}")
        lines.append(f"else: {self.jump(default)}" if lines else self.jump(default))
        return [*lines, "continue"]

    def do_unreachable(self, t, word):
        return "raise AssertionError('code that cannot be reached')"


def python_name(name):
    return "c_" + re.sub(r"\W", "_", name)
