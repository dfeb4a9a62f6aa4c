// Made by bindings/java/generate.py from bindings/abi/gecc.json: do not edit.
package org.gecc;

/** The operations, as the library describes them; a question mark: the input may be left out. */
final class Operations {
    private Operations() {}

    static final Operation EC_VALIDATE =
            new Operation("ec.validate", new String[] {"point"});

    static final Operation EC_CONVERT =
            new Operation("ec.convert", new String[] {"point"}, "out");

    static final Operation EC_ADD =
            new Operation("ec.add", new String[] {"a", "b"}, "out");

    static final Operation EC_DOUBLE =
            new Operation("ec.double", new String[] {"point"}, "out");

    static final Operation EC_PUBLIC_KEY =
            new Operation("ec.public_key", new String[] {"private_key"}, "out");

    static final Operation EC_MUL_BASE =
            new Operation("ec.mul_base", new String[] {"k"}, "out");

    static final Operation EC_MUL =
            new Operation("ec.mul", new String[] {"k", "point"}, "out");

    static final Operation EC_MUL_ADD =
            new Operation("ec.mul_add", new String[] {"u", "v", "point"}, "out");

    static final Operation EC_MUL_ADD_KEYS =
            new Operation("ec.mul_add_keys", new String[] {"u", "v", "key"}, "out");

    static final Operation EC_MSM =
            new Operation("ec.msm", new String[] {"k", "point"}, "out");

    static final Operation ECDSA_SIGN =
            new Operation("ecdsa.sign", new String[] {"private_key", "digest", "entropy?"}, "signature", "recovery_id");

    static final Operation ECDSA_SIGN_WITH_DANGEROUS_NONCE =
            new Operation("ecdsa.sign_with_dangerous_nonce", new String[] {"private_key", "digest", "nonce"}, "signature", "recovery_id");

    static final Operation ECDSA_VERIFY =
            new Operation("ecdsa.verify", new String[] {"public_key", "digest", "signature"});

    static final Operation ECDSA_VERIFY_KEYS =
            new Operation("ecdsa.verify_keys", new String[] {"key", "digest", "signature"});

    static final Operation ECDSA_RECOVER =
            new Operation("ecdsa.recover", new String[] {"digest", "signature", "recovery_id"}, "public_key");

    static final Operation ECDH =
            new Operation("ecdh", new String[] {"private_key", "peer"}, "shared");

    static final Operation SM2_DIGEST =
            new Operation("sm2.digest", new String[] {"public_key", "id?", "message"}, "e");

    static final Operation SM2_SIGN =
            new Operation("sm2.sign", new String[] {"private_key", "e", "entropy?"}, "signature");

    static final Operation SM2_SIGN_WITH_DANGEROUS_NONCE =
            new Operation("sm2.sign_with_dangerous_nonce", new String[] {"private_key", "e", "nonce"}, "signature");

    static final Operation SM2_VERIFY =
            new Operation("sm2.verify", new String[] {"public_key", "e", "signature"});

    static final Operation SM2_VERIFY_KEYS =
            new Operation("sm2.verify_keys", new String[] {"key", "e", "signature"});

    static final Operation SM2_ENCRYPT =
            new Operation("sm2.encrypt", new String[] {"public_key", "nonce", "plaintext"}, "ciphertext");

    static final Operation SM2_DECRYPT =
            new Operation("sm2.decrypt", new String[] {"private_key", "ciphertext"}, "plaintext");

    static final Operation SM2_EXCHANGE =
            new Operation("sm2.exchange", new String[] {"private_key", "ephemeral_key", "id?", "peer_public_key", "peer_ephemeral_point", "peer_id?"}, "key", "confirmation", "peer_confirmation");

    static final Operation SCHNORR_PUBLIC_KEY =
            new Operation("schnorr.public_key", new String[] {"private_key"}, "public_key");

    static final Operation SCHNORR_SIGN =
            new Operation("schnorr.sign", new String[] {"private_key", "message", "auxiliary?"}, "signature");

    static final Operation SCHNORR_VERIFY =
            new Operation("schnorr.verify", new String[] {"public_key", "message", "signature"});

    static final Operation SCHNORR_VERIFY_KEYS =
            new Operation("schnorr.verify_keys", new String[] {"key", "message", "signature"});

    static final Operation SCHNORR_TWEAK_PUBLIC_KEY =
            new Operation("schnorr.tweak_public_key", new String[] {"public_key", "merkle_root?"}, "tweaked", "parity");

    static final Operation SCHNORR_TWEAK_PRIVATE_KEY =
            new Operation("schnorr.tweak_private_key", new String[] {"private_key", "merkle_root?"}, "tweaked");

    static final Operation ETHEREUM_ADDRESS =
            new Operation("ethereum.address", new String[] {"public_key"}, "address");

    static final Operation ETHEREUM_RECOVER =
            new Operation("ethereum.recover", new String[] {"digest", "signature"}, "address");

    static final Operation ETHEREUM_RECOVER_COLUMNS =
            new Operation("ethereum.recover_columns", new String[] {"digest", "r", "s", "v"}, "address");

    static final Operation ETHEREUM_RECOVER_MESSAGE =
            new Operation("ethereum.recover_message", new String[] {"message", "signature"}, "address");

    static final Operation ED25519_PUBLIC_KEY =
            new Operation("ed25519.public_key", new String[] {"seed"}, "public_key");

    static final Operation ED25519_SIGN =
            new Operation("ed25519.sign", new String[] {"seed", "message", "ctx?"}, "signature");

    static final Operation ED25519_VERIFY =
            new Operation("ed25519.verify", new String[] {"public_key", "message", "signature", "ctx?"});

    static final Operation ED25519_VERIFY_KEYS =
            new Operation("ed25519.verify_keys", new String[] {"key", "message", "signature", "ctx?"});

    static final Operation X25519_PUBLIC_KEY =
            new Operation("x25519_public_key", new String[] {"private_key"}, "public_key");

    static final Operation X25519 =
            new Operation("x25519", new String[] {"private_key", "peer"}, "shared");

    static final Operation MOD_ADD =
            new Operation("mod.add", new String[] {"a", "b"}, "out");

    static final Operation MOD_SUB =
            new Operation("mod.sub", new String[] {"a", "b"}, "out");

    static final Operation MOD_MUL =
            new Operation("mod.mul", new String[] {"a", "b"}, "out");

    static final Operation MOD_SQUARE =
            new Operation("mod.square", new String[] {"a"}, "out");

    static final Operation MOD_INVERSE =
            new Operation("mod.inverse", new String[] {"a"}, "out");

    static final Operation MOD_POWER =
            new Operation("mod.power", new String[] {"a", "exponent"}, "out");

    static final Operation DIGEST =
            new Operation("digest", new String[] {"message"}, "digest");

    static final Operation[] ALL = {
        EC_VALIDATE,
        EC_CONVERT,
        EC_ADD,
        EC_DOUBLE,
        EC_PUBLIC_KEY,
        EC_MUL_BASE,
        EC_MUL,
        EC_MUL_ADD,
        EC_MUL_ADD_KEYS,
        EC_MSM,
        ECDSA_SIGN,
        ECDSA_SIGN_WITH_DANGEROUS_NONCE,
        ECDSA_VERIFY,
        ECDSA_VERIFY_KEYS,
        ECDSA_RECOVER,
        ECDH,
        SM2_DIGEST,
        SM2_SIGN,
        SM2_SIGN_WITH_DANGEROUS_NONCE,
        SM2_VERIFY,
        SM2_VERIFY_KEYS,
        SM2_ENCRYPT,
        SM2_DECRYPT,
        SM2_EXCHANGE,
        SCHNORR_PUBLIC_KEY,
        SCHNORR_SIGN,
        SCHNORR_VERIFY,
        SCHNORR_VERIFY_KEYS,
        SCHNORR_TWEAK_PUBLIC_KEY,
        SCHNORR_TWEAK_PRIVATE_KEY,
        ETHEREUM_ADDRESS,
        ETHEREUM_RECOVER,
        ETHEREUM_RECOVER_COLUMNS,
        ETHEREUM_RECOVER_MESSAGE,
        ED25519_PUBLIC_KEY,
        ED25519_SIGN,
        ED25519_VERIFY,
        ED25519_VERIFY_KEYS,
        X25519_PUBLIC_KEY,
        X25519,
        MOD_ADD,
        MOD_SUB,
        MOD_MUL,
        MOD_SQUARE,
        MOD_INVERSE,
        MOD_POWER,
        DIGEST,
    };
}
