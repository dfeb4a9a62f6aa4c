/* A curve y^2 = x^3 + a x + b of prime order n over the integers mod p, with p = 3 mod 4.
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

#endif
