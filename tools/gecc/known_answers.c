#include "known_answers.h"

/* G and the order: SEC 2, FIPS 186-5, GM/T 0003.5. The multiples: the affine formulas over integers. */
const struct known_multiples known_multiples[4] = {
    {GECC_SECP256K1,
     "0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108"
     "a8fd17b448a68554199c47d08ffb10d4b8",
     "04c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee51ae168fea63dc339a3c58419466cea"
     "eef7f632653266d0e1236431a950cfe52a",
     "04f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9388f7b0f632de8140fe337e62a37f3"
     "566500a99934c2231b6cb9fd7584b8e672",
     "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140"},
    {GECC_P256,
     "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e"
     "162bce33576b315ececbb6406837bf51f5",
     "047cf27b188d034f7e8a52380304b51ac3c08969e277f21b35a60b48fc4766997807775510db8ed040293d9ac69f7430"
     "dbba7dade63ce982299e04b79d227873d1",
     "045ecbe4d1a6330a44c8f7ef951d4bf165e6c6b721efada985fb41661bc6e7fd6c8734640c4998ff7e374b06ce1a64a2"
     "ecd82ab036384fb83d9a79b127a27d5032",
     "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550"},
    {GECC_P384,
     "04aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760a"
     "b73617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e"
     "5f",
     "0408d999057ba3d2d969260045c55b97f089025959a6f434d651d207d19fb96e9e4fe0e86ebe0e64f85b96a9c75295df"
     "618e80f1fa5b1b3cedb7bfe8dffd6dba74b275d875bc6cc43e904e505f256ab4255ffd43e94d39e22d61501e700a940e"
     "80",
     "04077a41d4606ffa1464793c7e5fdc7d98cb9d3910202dcd06bea4f240d3566da6b408bbae5026580d02d7e5c70500c8"
     "31c995f7ca0b0c42837d0bbe9602a9fc998520b41c85115aa5f7684c0edc111eacc24abd6be4b5d298b65f28600a2f1d"
     "f1",
     "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52972"},
    {GECC_SM2,
     "0432c4ae2c1f1981195f9904466a39c9948fe30bbff2660be1715a4589334c74c7bc3736a2f4f6779c59bdcee36b6921"
     "53d0a9877cc62a474002df32e52139f0a0",
     "0456cefd60d7c87c000d58ef57fa73ba4d9c0dfa08c08a7331495c2e1da3f2bd5231b7e7e6cc8189f668535ce0f8eaf1"
     "bd6de84c182f6c8e716f780d3a970a23c3",
     "04a97f7cd4b3c993b4be2daa8cdb41e24ca13f6bd945302244e26918f1d0509ebf530b5dd88c688ef5ccc5cec08a7215"
     "0f7c400ee5cd045292aaacdd037458f6e6",
     "fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54122"},
};

/* "abc": FIPS 180-4's examples, GM/T 0004 A.1. The empty message for Keccak-256, as the Keccak team gives it. */
const struct known_digest known_digests[5] = {
    {GECC_SHA256, "616263", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {GECC_SHA384, "616263",
     "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"},
    {GECC_SHA512, "616263",
     "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
     "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"},
    {GECC_SM3, "616263", "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"},
    {GECC_KECCAK256, "", "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"}};

/* The nonces of RFC 6979 follow from key and digest; SM2's is the one of its example. */
const struct known_signature known_signatures[4] = {
    {"Bitcoin's RFC 6979 vector, key 1, \"Satoshi Nakamoto\"", GECC_SECP256K1, GECC_SHA256,
     "0000000000000000000000000000000000000000000000000000000000000001",
     "a0dc65ffca799873cbea0ac274015b9526505daaaed385155425f7337704883e",
     "8f8a276c19f4149656b280621e358cce24f5f52542772691ee69063b74f15d15",
     "934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8"
     "2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5",
     1},
    {"RFC 6979, A.2.5, \"sample\"", GECC_P256, GECC_SHA256,
     "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721",
     "af2bdbe1aa9b6ec1e2ade1d694f41fc71a831d0268e9891562113d8a62add1bf",
     "a6e3c57dd01abe90086538398355dd4c3b17aa873382b0f24d6129493d8aad60",
     "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
     "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8",
     0},
    {"RFC 6979, A.2.6, \"sample\"", GECC_P384, GECC_SHA384,
     "6b9d3dad2e1b8c1c05b19875b6659f4de23c3b667bf297ba9aa47740787137d896d5724e4c70a825f872c9ea60d2edf5",
     "9a9083505bc92276aec4be312696ef7bf3bf603f4bbd381196a029f340585312313bca4a9b5b890efee42c77b1ee25fe",
     "94ed910d1a099dad3254e9242ae85abde4ba15168eaf0ca87a555fd56d10fbca2907e3e83ba95368623b8c4686915cf9",
     "94edbb92a5ecb8aad4736e56c691916b3f88140666ce9fa73d64c4ea95ad133c81a648152e44acf96e36dd1e80fabe46"
     "99ef4aeb15f178cea1fe40db2603138f130e740a19624526203b6351d0a3a94fa329c145786e679e7b82c71a38628ac8",
     1},
    {"GM/T 0003.5, the signature of its example", GECC_SM2, GECC_HASH_DEFAULT,
     "3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8",
     "f0b43e94ba45accaace692ed534382eb17e6ab5a19ce7b31f4486fdfc0d28640",
     "59276e27d506861a16680f3ad9c02dccef3cc1fa3cdbe4ce6d54b80deac1bc21",
     "f5a03b0648d2c4630eeac513e1bb81a15944da3827d5b74143ac7eaceee720b3"
     "b1b6aa29df212fd8763182bc0d421ca1bb9038fd1f7f42d4840b69c485bbc1aa",
     -1}};

/* GM/T 0003.5: "message digest", the default id. */
const struct known_e known_e = {"0409f9df311e5421a150dd7d161e4bc5c672179fad1833fc076bb08ff356f35020"
                                "ccea490ce26775a52dc6ea718cc1aa600aed05fbf35e084a6632f6072da9ad13",
                                "31323334353637383132333435363738", "6d65737361676520646967657374",
                                "f0b43e94ba45accaace692ed534382eb17e6ab5a19ce7b31f4486fdfc0d28640"};

/* The Mersenne prime m = 2^127 - 1: (m - 1) + 2 = 1, 1 - 2 = m - 1, (m - 1)(m - 2) = 2, (m - 1)^2 = 1, 1 / 2 = 2^126,
 * 3^(m - 1) = 1 (Fermat). */
#define MERSENNE "7fffffffffffffffffffffffffffffff"
const struct known_residue known_residues[6] = {
    {"add", MERSENNE, "7ffffffffffffffffffffffffffffffe", "00000000000000000000000000000002",
     "00000000000000000000000000000001"},
    {"sub", MERSENNE, "00000000000000000000000000000001", "00000000000000000000000000000002",
     "7ffffffffffffffffffffffffffffffe"},
    {"mul", MERSENNE, "7ffffffffffffffffffffffffffffffe", "7ffffffffffffffffffffffffffffffd",
     "00000000000000000000000000000002"},
    {"square", MERSENNE, "7ffffffffffffffffffffffffffffffe", "", "00000000000000000000000000000001"},
    {"inverse", MERSENNE, "00000000000000000000000000000002", "", "40000000000000000000000000000000"},
    {"power", MERSENNE, "00000000000000000000000000000003", "7ffffffffffffffffffffffffffffffe",
     "00000000000000000000000000000001"}};
