/**
 * Elliptic-curve cryptography in bulk: one call checks, makes or recovers as many signatures as its columns have rows,
 * and every row gets a verdict of its own; a bad one touches no other.
 *
 * <pre>{@code
 * try (Context context = Context.open()) {
 *     Statuses statuses = Ecdsa.verify(Curve.P256, Rows.packed(publicKeys, 65), Rows.packed(digests, 32),
 *             Rows.packed(signatures, 64)).lowS().run(context);
 * }
 * }</pre>
 *
 * <p>A typed function for each operation is in the class of its family: {@link org.gecc.Ecdsa}, {@link
 * org.gecc.Ed25519}, and so on; those without a family are in {@link org.gecc.Gecc}. A call that cannot be done is a
 * {@link org.gecc.GeccException}; what came of a row is a {@link org.gecc.Status}.
 */
package org.gecc;
