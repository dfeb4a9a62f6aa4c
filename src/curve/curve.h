/* A curve over the integers mod p.
 *
 * A translation unit includes one generated header, which defines CURVE; everything above folds its constants. */
#ifndef GECC_CURVE_CURVE_H
#define GECC_CURVE_CURVE_H

/* k = k1 + k2 * lambda mod n with short k1 and k2 (Gallant, Lambert, Vanstone 2001):
 * c1 = round(k * g1 / 2^shift), c2 = round(k * g2 / 2^shift), k2 = -c1 b1 - c2 b2, k1 = k - k2 * lambda. */
struct glv {
    struct limbs_constant beta; /* mod p: lambda (x, y) = (beta x, y) */
    struct limbs_constant beta_squared;
    struct limbs_constant minus_lambda; /* mod n, as are the next two */
    struct limbs_constant minus_b1;
    struct limbs_constant minus_b2;
    struct limbs_constant g1; /* integers */
    struct limbs_constant g2;
    unsigned shift;
};

/* y^2 = x^3 + a x + b of prime order n, with p = 3 mod 4: curve/point.h. */
enum curve_a { A_IS_0, A_IS_MINUS_3, A_IS_ANY };

struct curve {
    unsigned bytes; /* L: of an element mod p or mod n */
    struct modulus p;
    struct modulus n;
    struct limbs_constant a, b, gx, gy; /* representations mod p */
    struct power_chain sqrt;            /* a^((p + 1) / 4) */
    struct limbs_constant half_order;   /* integer */
    enum curve_a a_form;
    int has_glv;
    struct glv glv;
};

/* -x^2 + y^2 = 1 + d x^2 y^2 with a subgroup of prime order n and cofactor 8, d not a square, p = 5 mod 8:
 * curve/edwards.h. */
struct edwards_curve {
    unsigned bytes; /* of an element mod p or mod n */
    struct modulus p;
    struct modulus n;
    struct limbs_constant d, twice_d, gx, gy; /* representations mod p */
    struct limbs_constant sqrt_minus_one;
    struct limbs_constant ladder; /* (A + 2) / 4 for the same curve as v^2 = u^3 + A u^2 + u */
    struct limbs_constant upper;  /* mod n: scalar_mul by it is one by 2^(32 WORDS) of an integer */
    struct power_chain sqrt;      /* a^((p - 5) / 8), of which a square root is made */
};

#endif
