"""Words of a machine as classes of integers, for every input at once.

A word of w bits is a polynomial with integer coefficients in symbols, and an interval: the machine holds the
polynomial's value modulo 2^w, and the value lies in the interval. Sums and products are exact modulo 2^w, so
they need no check. A word has one meaning only where it is *read*, by a shift to the right, a comparison or a product
of halves: there its interval must fit into the word, or `Undecided` is raised. A carry that is lost or a sum that
outgrows its word is found there, or changes the polynomial of the result.

Symbols are the inputs' limbs, and floor(P / 2^k) for a polynomial P whose coefficients are reduced modulo 2^k: equal
floors are equal symbols, and what is divisible by 2^k for all inputs has no symbol. A polynomial has another form, in
which floor(P / 2^k) = (P - r) / 2^k for a remainder r in [0, 2^k): carries cancel in it, so that the sum of a
number's limbs is bounded by what the number is, not by its limbs. An interval is the best of both forms.

What depends on a comparison that is not decided runs once for either outcome, each with what it knows of the inputs.
"""

from fractions import Fraction
from math import gcd


class Undecided(Exception):
    """An interval does not decide what the machine's word means."""


class Infeasible(Exception):
    """No input takes this path."""


class Word:
    __slots__ = ("poly", "low", "high", "any_of", "pair")

    def __init__(self, poly, low, high, any_of=None, pair=None):
        self.poly, self.low, self.high = poly, low, high
        self.any_of = any_of  # of words, whose bits are joined by `or`
        self.pair = pair  # of words, joined by `xor`


def add_scaled(poly, other, factor):
    result = dict(poly)
    for monomial, c in other.items():
        c = result.get(monomial, 0) + c * factor
        if c:
            result[monomial] = c
        else:
            result.pop(monomial, None)
    return result


def multiply(a, b):
    result = {}
    for m, c in a.items():
        for n, d in b.items():
            monomial = tuple(sorted(m + n))
            result[monomial] = result.get(monomial, 0) + c * d
    return {m: c for m, c in result.items() if c}


class Run:
    """One path through a program: the outcomes of comparisons in `decisions`, and what follows from them."""

    def __init__(self, decisions):
        self.decisions, self.taken = decisions, 0
        self.low, self.high, self.names = [], [], []
        self.floors, self.definition, self.remainders, self.is_remainder = {}, {}, {}, set()
        self.facts, self.equal, self.settled, self.small = [], {}, {}, []
        self.congruent = {}  # number -> (polynomial, scale): scale times it is congruent to the polynomial

    # Symbols.

    def symbol(self, name, low, high):
        self.low.append(low)
        self.high.append(high)
        self.names.append(name)
        return len(self.low) - 1

    def number(self, name, limbs, bits, below, whole=True):
        """(number, limbs) of any number below `below`. Where it is whole it is a symbol, and the first limb is what the
        others leave of it; else each limb is a symbol."""
        high = [min((1 << bits) - 1, (below - 1) >> bits * i) for i in range(limbs)]
        symbols = [self.symbol(f"{name}{i}", 0, high[i]) for i in range(int(whole), limbs)]
        words = [Word({(s,): 1}, 0, self.high[s]) for s in symbols]
        total = {(s,): 1 << bits * i for i, s in enumerate(symbols, int(whole))}
        if whole:
            first = add_scaled({(self.symbol(name, 0, below - 1),): 1}, total, -1)
            words.insert(0, Word(first, 0, high[0]))
            self.facts.append((first, 0, high[0]))
            total = add_scaled(total, first, 1)
        else:
            self.facts.append((total, 0, below - 1))
        return total, words

    # Intervals.

    def interval(self, poly):
        low = high = 0
        for monomial, c in poly.items():
            if not monomial:
                low += c
                high += c
                continue
            a, b = self.low[monomial[0]], self.high[monomial[0]]
            for s in monomial[1:]:
                ends = [x * y for x in (a, b) for y in (self.low[s], self.high[s])]
                a, b = min(ends), max(ends)
            if c < 0:
                a, b = b, a
            low += c * a
            high += c * b
        return low, high

    def remainder_form(self, poly):
        """(form, e): the polynomial is form / 2^e."""
        parts, e = [], 0
        for monomial, c in poly.items():
            if len(monomial) == 1 and monomial[0] in self.definition:
                form = self.remainders.get(monomial[0])
                if form is None:
                    p, k = self.definition[monomial[0]]
                    inner, f = self.remainder_form(p)
                    r = self.symbol(f"r{len(self.low)}", 0, (1 << k) - 1)
                    self.is_remainder.add(r)
                    form = self.remainders[monomial[0]] = (add_scaled(inner, {(r,): 1 << f}, -1), k + f)
                parts.append((c, *form))
                e = max(e, form[1])
            else:
                parts.append((c, {monomial: 1}, 0))
        result = {}
        for c, form, f in parts:
            result = add_scaled(result, form, c << e - f)
        return result, e

    def bound(self, word):
        """The word with the best interval that is known."""
        low, high = self.interval(word.poly)
        word.low, word.high = max(word.low, low), min(word.high, high)
        form, e = self.remainder_form(word.poly)
        low, high = self.with_facts(form)
        word.low, word.high = max(word.low, -(-low // (1 << e))), min(word.high, high // (1 << e))
        if word.low > word.high:
            raise Infeasible
        return word

    def with_facts(self, form):
        """The interval of a polynomial from what is known of others, of which multiples are taken off as long as that
        makes it smaller."""
        ends = list(self.interval(form))
        for end in (0, 1):
            left, known = form, 0
            while True:
                best = None
                for fact, *bounds in self.facts:
                    for leading in (fact.keys() if len(fact) < 20 else {min(fact), max(fact)}) & left.keys():
                        factor = Fraction(left[leading], fact[leading])
                        bound = bounds[end if factor > 0 else 1 - end]
                        if bound is None:
                            continue
                        rest = add_scaled(left, fact, -factor)
                        value = known + factor * bound + self.interval(rest)[end]
                        if (value > ends[end]) if end == 0 else (value < ends[end]):
                            ends[end], best = value, (rest, known + factor * bound)
                if best is None:
                    break
                left, known = best
        return ends

    def learn(self, word, low, high, equal=True):
        """The word's value is at least `low` and at most `high`, where these are not None."""
        if low is not None:
            word.low = max(word.low, low)
        if high is not None:
            word.high = min(word.high, high)
        if word.low > word.high:
            raise Infeasible
        form, e = self.remainder_form(word.poly)
        self.learn_of(word.poly, low, high)
        low_of_form, high_of_form = (None if x is None else x << e for x in (low, high))
        self.learn_of(form, low_of_form, high_of_form)
        left = {m: c for m, c in form.items() if not any(s in self.is_remainder for s in m)}
        a, b = self.interval(add_scaled(form, left, -1))
        self.learn_of(left, None if low is None else low_of_form - b, None if high is None else high_of_form - a)
        if equal and word.low == word.high:
            self.learn_equal(add_scaled(word.poly, {(): 1}, -word.low))

    def learn_of(self, poly, low, high):
        constant = poly.get((), 0)
        rest = {m: c for m, c in poly.items() if m}
        low = None if low is None else low - constant
        high = None if high is None else high - constant
        if len(rest) == 1 and len(next(iter(rest))) == 1:
            ((s,), c), = rest.items()
            if c < 0:
                low, high, c = (None if high is None else -high), (None if low is None else -low), -c
            if low is not None:
                self.low[s] = max(self.low[s], -(-low // c))
            if high is not None:
                self.high[s] = min(self.high[s], high // c)
            if self.low[s] > self.high[s]:
                raise Infeasible
        elif rest:
            self.facts.append((rest, low, high))

    def learn_equal(self, zero, settled=False):
        known = self.settled if settled else self.equal
        zero = self.known_equal(zero, settled)
        for monomial, c in sorted(zero.items(), reverse=True):
            if len(monomial) == 1 and abs(c) == 1:
                if monomial[0] not in known:
                    known[monomial[0]] = {m: -d // c for m, d in zero.items() if m != monomial}
                return

    def known_equal(self, poly, settled=False):
        """The polynomial with what comparisons have shown put in."""
        for s, other in [*self.equal.items(), *(self.settled.items() if settled else ())]:
            for monomial in [m for m in poly if s in m]:
                rest = list(monomial)
                rest.remove(s)
                c = poly[monomial]
                poly = add_scaled(add_scaled(poly, {monomial: 1}, -c), multiply({tuple(rest): c}, other), 1)
        if settled:
            for monomial in [m for m in poly if any(self.low[s] == self.high[s] for s in m)]:
                c, rest = poly[monomial], []
                for s in monomial:
                    if self.low[s] == self.high[s]:
                        c *= self.low[s]
                    else:
                        rest.append(s)
                poly = add_scaled(add_scaled(poly, {monomial: 1}, -poly[monomial]), {tuple(rest): 1}, c)
        return poly

    def is_multiple(self, poly, m):
        """Is the value a multiple of m for every input? Coefficients are, or what is left can only be one number."""
        for s, (other, scale) in reversed(self.congruent.items()):
            inverse = pow(scale, -1, m)
            for monomial in [k for k in poly if s in k]:
                left = list(monomial)
                left.remove(s)
                c = poly[monomial]
                poly = add_scaled(poly, {monomial: 1}, -c)
                poly = add_scaled(poly, multiply({tuple(left): c * inverse % m}, other), 1)
        rest = {k: c for k, c in self.known_equal(poly, True).items() if c % m}
        if not rest:
            return True
        constant = rest.pop((), 0)
        content = gcd(*rest.values())
        rest = {k: c // content for k, c in rest.items()}
        whole = self.bound(Word(rest, *self.interval(rest)))
        return whole.low == whole.high and (constant + content * whole.low) % m == 0

    def unwrapped(self, total, pairs=False):
        """The polynomial with what carries and borrows out of a number must have been: each, or the sums of two."""
        small = list({frozenset(w.poly.items()): w for w in self.small[-24:]}.values())
        if pairs:
            small = [Word(add_scaled(a.poly, b.poly, 1), a.low + b.low, a.high + b.high)
                     for i, a in enumerate(small) for b in small[:i]]
        for word in small:
            self.bound(word)
            if word.low == word.high:
                self.learn_equal(add_scaled(word.poly, {(): 1}, -word.low), True)
        return self.known_equal(total, True)

    # Comparisons.

    def decide(self):
        if self.taken == len(self.decisions):
            self.decisions.append(True)
        self.taken += 1
        return self.decisions[self.taken - 1]

    def is_negative(self, word):
        if word.high < 0 or word.low >= 0:
            return word.high < 0
        self.bound(word)
        if word.high < 0 or word.low >= 0:
            return word.high < 0
        outcome = self.decide()
        self.learn(word, None if outcome else 0, -1 if outcome else None, False)
        return outcome

    def is_zero(self, word):
        """Of a word in [0, 2^w)."""
        parts = [difference(p) for p in word.any_of or [word]]
        for p in parts:
            if p.low <= 0 <= p.high:
                self.bound(p)
            if p.low > 0 or p.high < 0:
                return False
        if all(p.low == p.high == 0 for p in parts):
            return True
        outcome = self.decide()
        if outcome:
            for p in parts:
                self.learn(p, 0, 0)
        elif len(parts) == 1 and parts[0].low == 0:
            self.learn(parts[0], 1, None)
        elif len(parts) == 1 and parts[0].high == 0:
            self.learn(parts[0], None, -1)
        return outcome

    # Reading.

    def read(self, word, bits, signed):
        """The same word with the polynomial whose value is what the machine reads."""
        least = -(1 << bits - 1) if signed else 0
        for attempt in range(2):
            k = (word.low - least) >> bits
            if (word.high - least) >> bits == k:
                if k:
                    shift = k << bits
                    return Word(add_scaled(word.poly, {(): 1}, -shift), word.low - shift, word.high - shift)
                return word
            if attempt == 0:
                self.bound(word)
        raise Undecided(f"a word of {bits} bits that may be anything from {word.low:#x} to {word.high:#x} is read")

    def floor(self, word, k):
        """floor(value / 2^k)."""
        if -4 <= word.low < word.high <= 4:
            self.small.append(word)
        if k == 0 or word.low >= -1 and word.high <= 0:
            return word
        low, high = word.low >> k, word.high >> k
        if low != high and word.high - word.low < 1 << k:
            self.bound(word)
            low, high = word.low >> k, word.high >> k
        if low == high:
            return Word({(): low} if low else {}, low, high)
        quotient, rest = split(word.poly, k)
        if max(rest, default=()) and self.equal:
            known = split(self.known_equal(word.poly), k)
            if not max(known[1], default=()):
                quotient, rest = known
        negate = False
        leading = max(rest, default=())
        if not leading:
            return Word(quotient, low, high)
        if rest[leading] < 0:
            negate = True
            more, rest = split(add_scaled({(): -1}, rest, -1), k)
            quotient = add_scaled(add_scaled(quotient, more, -1), {(): 1}, -1)
        shift = min((c & -c).bit_length() - 1 for m, c in rest.items() if m)
        rest = {m: c >> shift for m, c in rest.items() if c >> shift}
        key = (frozenset(rest.items()), k - shift)
        s = self.floors.get(key)
        if s is None:
            a, b = self.interval(rest)
            s = self.floors[key] = self.symbol(f"f{len(self.low)}", a >> k - shift, b >> k - shift)
            self.definition[s] = (rest, k - shift)
        if not max(quotient, default=()):
            shift = quotient.get((), 0)
            a, b = (shift - high, shift - low) if negate else (low - shift, high - shift)
            self.low[s], self.high[s] = max(self.low[s], a), min(self.high[s], b)
        result = Word(add_scaled(quotient, {(s,): 1}, -1 if negate else 1), low, high)
        if -4 <= low and high <= 4:
            self.small.append(result)
        return result

    def low_bits(self, word, k):
        """value mod 2^k."""
        f = self.floor(word, k)
        if f.low == f.high == 0:
            return word
        low, high = (0, (1 << k) - 1) if f.low != f.high else (word.low - (f.low << k), word.high - (f.low << k))
        return Word(add_scaled(word.poly, f.poly, -(1 << k)), low, high)


def split(poly, k):
    """(Q, P) with poly = 2^k Q + P, coefficients of P above -2^(k - 1), but for its constant, which is in [0, 2^k)."""
    half, mask, quotient, rest = 1 << k - 1, (1 << k) - 1, {}, {}
    for m, c in poly.items():
        r = (c + half - 1 & mask) - half + 1 if m else c & mask
        if r:
            rest[m] = r
        if c != r:
            quotient[m] = c - r >> k
    return quotient, rest


def difference(word):
    if word.pair is None:
        return word
    a, b = word.pair
    return Word(add_scaled(a.poly, b.poly, -1), a.low - b.high, a.high - b.low)


def constant(value):
    return Word({(): value} if value else {}, value, value)


def paths(program):
    """program(run) on every path; what it gives on each."""
    decisions = []
    while True:
        run = Run(decisions)
        try:
            yield run, program(run)
        except Infeasible:
            pass
        del decisions[run.taken:]
        while decisions and not decisions[-1]:
            decisions.pop()
        if not decisions:
            return
        decisions[-1] = False
