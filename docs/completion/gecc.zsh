#compdef gecc
# Completion of gecc for zsh. Made by `gecc --completion zsh`; not edited.

_gecc() {
    local -a commands
    commands=(
        'verify:check signatures'
        'sign:sign digests or messages'
        'recover:find the public keys that made signatures'
        'pubkey:compute public keys, or write points in another encoding'
        'ecdh:compute shared secrets'
        'mul:multiply points by scalars'
        'add:add points'
        'keygen:make key pairs'
        'keys:list the keys of a file'
        'senders:find who sent Ethereum transactions'
        'inputs:find, and judge, the signatures of Bitcoin transactions'
        'mod:modular arithmetic'
        'digest:hash messages'
        'encrypt:encrypt texts with SM2'
        'decrypt:decrypt texts that were encrypted with SM2'
        'devices:list the backends, the GPUs and the code for processors'
        'selftest:check that this machine computes rightly'
        'demo:sign, forge, verify'
        'bench:measure how fast operations are'
    )
    if ((CURRENT == 2)); then
        _describe command commands
        return
    fi
    local command=$words[2]
    shift words
    ((CURRENT--))
    case $command in
    verify)
        _arguments \
            '--curve=[secp256k1, P-256, P-384, SM2, P-521, brainpoolP256r1]: :(secp256k1 P-256 P-384 SM2 P-521 brainpoolP256r1 brainpoolP384r1 brainpoolP512r1 Curve25519)' \
            '--scheme=[the signatures or keys]: :(ecdsa sm2 bip340 ed25519 x25519)' \
            '--accept=[whose rule of Ed25519 on keys and R that are not canonical]: :(rfc8032 ref10 strict zip215)' \
            '--sig-format=[how signatures are written]: :(raw der)' \
            '--low-s[refuse signatures with s > n / 2]' \
            '--sighash-byte[a byte follows each signature, as in Bitcoin'\''s scripts, and]' \
            '--hash=[the hash of a `msg`, one of sha256, sha384, sha512, sm3]: :(sha256 sha384 sha512 sm3 keccak256)' \
            '--id=[SM2]: : ' \
            '--ctx=[Ed25519]: : ' \
            '--prehash[Ed25519]' \
            '--format=[the format of the rows]: :(csv jsonl raw)' \
            '--output-format=[the format of the output]: :(csv jsonl raw)' \
            '--columns=[raw]: : ' \
            '--digest-bytes=[raw]: : ' \
            '--msg-bytes=[raw]: : ' \
            '--output=[write the rows to FILE instead of standard output]:file:_files' \
            '--pub-file=[the public key of all rows, which have no column `pub`]:file:_files' \
            '--password-file=[the password of the encrypted private key]:file:_files' \
            '--keys=[--x509]:file:_files' \
            '--jwt[each line is a JSON Web Token, signed in JWS'\''s compact form]' \
            '--detached[take tokens without a payload between their dots, with --jwt]' \
            '--sd-jwt[each line is a token with disclosures behind it]' \
            '--nonce=[--sd-jwt]: : ' \
            '--nostr[the input is events of Nostr]' \
            '--x509[the input is X]' \
            '--depth=[--x509 --keys]: : ' \
            '--crl=[--x509 --keys]:file:_files' \
            '--issuer=[--x509]: :(FILE TEXT)' \
            '--audience=[--jwt]: : ' \
            '--at=[--jwt]: : ' \
            '--encoding=[how bytes and numbers are written in cells, in and out]: :(hex base64 base64url)' \
            '--map=[what columns are called in the input]: : ' \
            '--require=[refuse rows that lack one of these columns though they could]: : ' \
            '--only=[write only rows that read valid]: :(valid invalid malformed no_key unprocessed)' \
            '--expect-rows=[exit with 2, and give no file its name, unless there are N]: : ' \
            '--allow-empty[take an input without rows, be it empty or a header alone]' \
            '--prefix=[put TEXT before the names of results]: : ' \
            '--batch=[rows in one call of the library]: : ' \
            '--key-cache=[keep tables of keys that come back from batch to batch, in]: : ' \
            '--backend=[where to compute]: :(auto cpu cuda)' \
            '--device=[the GPUs that share the work, by their numbers among those]: : ' \
            '--threads=[threads of the CPU backend]: : ' \
            '--quiet[no progress bar, no summary]' \
            '--help[print this text]' \
            '--man[print the manual page, as roff]' '*:file:_files' ;;
    sign)
        _arguments \
            '--curve=[secp256k1, P-256, P-384, SM2, P-521, brainpoolP256r1]: :(secp256k1 P-256 P-384 SM2 P-521 brainpoolP256r1 brainpoolP384r1 brainpoolP512r1 Curve25519)' \
            '--scheme=[the signatures or keys]: :(ecdsa sm2 bip340 ed25519 x25519)' \
            '--sig-format=[how signatures are written]: :(raw der)' \
            '--low-s[refuse signatures with s > n / 2]' \
            '--no-low-s[leave s as it falls, also on secp256k1, where s is otherwise]' \
            '--hash=[the hash of a `msg`, one of sha256, sha384, sha512, sm3]: :(sha256 sha384 sha512 sm3 keccak256)' \
            '--id=[SM2]: : ' \
            '--ctx=[Ed25519]: : ' \
            '--prehash[Ed25519]' \
            '--verify-signatures[verify each signature in full before it is written]' \
            '--hedged[more input to each nonce, 32 bytes for each row from the]' \
            '--dangerous-nonce[use the column `nonce`]' \
            '--format=[the format of the rows]: :(csv jsonl raw)' \
            '--output-format=[the format of the output]: :(csv jsonl raw)' \
            '--columns=[raw]: : ' \
            '--digest-bytes=[raw]: : ' \
            '--msg-bytes=[raw]: : ' \
            '--output=[write the rows to FILE instead of standard output]:file:_files' \
            '--key-file=[the private key of all rows, which have no column `priv`]:file:_files' \
            '--password-file=[the password of the encrypted private key]:file:_files' \
            '--jwt[sign claims with the key of --key-file as JSON Web Tokens]' \
            '--kid=[name the key in the header of tokens, with --jwt]: : ' \
            '--typ=[write this `typ` in the header of tokens, with --jwt]: : ' \
            '--encoding=[how bytes and numbers are written in cells, in and out]: :(hex base64 base64url)' \
            '--map=[what columns are called in the input]: : ' \
            '--require=[refuse rows that lack one of these columns though they could]: : ' \
            '--only=[write only rows that read valid]: :(valid invalid malformed no_key unprocessed)' \
            '--expect-rows=[exit with 2, and give no file its name, unless there are N]: : ' \
            '--allow-empty[take an input without rows, be it empty or a header alone]' \
            '--prefix=[put TEXT before the names of results]: : ' \
            '--batch=[rows in one call of the library]: : ' \
            '--backend=[where to compute]: :(auto cpu cuda)' \
            '--device=[the GPUs that share the work, by their numbers among those]: : ' \
            '--threads=[threads of the CPU backend]: : ' \
            '--quiet[no progress bar, no summary]' \
            '--help[print this text]' \
            '--man[print the manual page, as roff]' '*:file:_files' ;;
    recover)
        _arguments \
            '--curve=[secp256k1, P-256, P-384, SM2, P-521, brainpoolP256r1]: :(secp256k1 P-256 P-384 SM2 P-521 brainpoolP256r1 brainpoolP384r1 brainpoolP512r1 Curve25519)' \
            '--sig-format=[how signatures are written]: :(raw der)' \
            '--address[the signer'\''s Ethereum address instead of the key]' \
            '--personal-message[`msg` is a personal message of Ethereum]' \
            '--low-s[refuse signatures with s > n / 2]' \
            '--sighash-byte[a byte follows each signature, as in Bitcoin'\''s scripts, and]' \
            '--hash=[the hash of a `msg`, one of sha256, sha384, sha512, sm3]: :(sha256 sha384 sha512 sm3 keccak256)' \
            '--id=[SM2]: : ' \
            '--point-format=[how points are written]: :(uncompressed compressed raw)' \
            '--format=[the format of the rows]: :(csv jsonl raw)' \
            '--output-format=[the format of the output]: :(csv jsonl raw)' \
            '--columns=[raw]: : ' \
            '--digest-bytes=[raw]: : ' \
            '--msg-bytes=[raw]: : ' \
            '--output=[write the rows to FILE instead of standard output]:file:_files' \
            '--encoding=[how bytes and numbers are written in cells, in and out]: :(hex base64 base64url)' \
            '--map=[what columns are called in the input]: : ' \
            '--require=[refuse rows that lack one of these columns though they could]: : ' \
            '--only=[write only rows that read valid]: :(valid invalid malformed no_key unprocessed)' \
            '--expect-rows=[exit with 2, and give no file its name, unless there are N]: : ' \
            '--allow-empty[take an input without rows, be it empty or a header alone]' \
            '--prefix=[put TEXT before the names of results]: : ' \
            '--batch=[rows in one call of the library]: : ' \
            '--backend=[where to compute]: :(auto cpu cuda)' \
            '--device=[the GPUs that share the work, by their numbers among those]: : ' \
            '--threads=[threads of the CPU backend]: : ' \
            '--quiet[no progress bar, no summary]' \
            '--help[print this text]' \
            '--man[print the manual page, as roff]' '*:file:_files' ;;
    pubkey)
        _arguments \
            '--curve=[secp256k1, P-256, P-384, SM2, P-521, brainpoolP256r1]: :(secp256k1 P-256 P-384 SM2 P-521 brainpoolP256r1 brainpoolP384r1 brainpoolP512r1 Curve25519)' \
            '--scheme=[the signatures or keys]: :(ecdsa sm2 bip340 ed25519 x25519)' \
            '--point-format=[how points are written]: :(uncompressed compressed raw)' \
            '--format=[the format of the rows]: :(csv jsonl raw)' \
            '--output-format=[the format of the output]: :(csv jsonl raw)' \
            '--jwk[write each key as a JSON Web Key on a line of its own, and]' \
            '--jwks[the same as one set of keys]' \
            '--columns=[raw]: : ' \
            '--output=[write the rows to FILE instead of standard output]:file:_files' \
            '--encoding=[how bytes and numbers are written in cells, in and out]: :(hex base64 base64url)' \
            '--map=[what columns are called in the input]: : ' \
            '--require=[refuse rows that lack one of these columns though they could]: : ' \
            '--only=[write only rows that read valid]: :(valid invalid malformed no_key unprocessed)' \
            '--expect-rows=[exit with 2, and give no file its name, unless there are N]: : ' \
            '--allow-empty[take an input without rows, be it empty or a header alone]' \
            '--prefix=[put TEXT before the names of results]: : ' \
            '--batch=[rows in one call of the library]: : ' \
            '--backend=[where to compute]: :(auto cpu cuda)' \
            '--device=[the GPUs that share the work, by their numbers among those]: : ' \
            '--threads=[threads of the CPU backend]: : ' \
            '--quiet[no progress bar, no summary]' \
            '--help[print this text]' \
            '--man[print the manual page, as roff]' '*:file:_files' ;;
    ecdh)
        _arguments \
            '--curve=[secp256k1, P-256, P-384, SM2, P-521, brainpoolP256r1]: :(secp256k1 P-256 P-384 SM2 P-521 brainpoolP256r1 brainpoolP384r1 brainpoolP512r1 Curve25519)' \
            '--format=[the format of the rows]: :(csv jsonl raw)' \
            '--output-format=[the format of the output]: :(csv jsonl raw)' \
            '--columns=[raw]: : ' \
            '--output=[write the rows to FILE instead of standard output]:file:_files' \
            '--pub-file=[the public key of all rows, which have no column `pub`]:file:_files' \
            '--key-file=[the private key of all rows, which have no column `priv`]:file:_files' \
            '--password-file=[the password of the encrypted private key]:file:_files' \
            '--encoding=[how bytes and numbers are written in cells, in and out]: :(hex base64 base64url)' \
            '--map=[what columns are called in the input]: : ' \
            '--require=[refuse rows that lack one of these columns though they could]: : ' \
            '--only=[write only rows that read valid]: :(valid invalid malformed no_key unprocessed)' \
            '--expect-rows=[exit with 2, and give no file its name, unless there are N]: : ' \
            '--allow-empty[take an input without rows, be it empty or a header alone]' \
            '--prefix=[put TEXT before the names of results]: : ' \
            '--batch=[rows in one call of the library]: : ' \
            '--backend=[where to compute]: :(auto cpu cuda)' \
            '--device=[the GPUs that share the work, by their numbers among those]: : ' \
            '--threads=[threads of the CPU backend]: : ' \
            '--quiet[no progress bar, no summary]' \
            '--help[print this text]' \
            '--man[print the manual page, as roff]' '*:file:_files' ;;
    mul)
        _arguments \
            '--curve=[secp256k1, P-256, P-384, SM2, P-521, brainpoolP256r1]: :(secp256k1 P-256 P-384 SM2 P-521 brainpoolP256r1 brainpoolP384r1 brainpoolP512r1 Curve25519)' \
            '--point-format=[how points are written]: :(uncompressed compressed raw)' \
            '--public[the scalars are public]' \
            '--sum[write the sum of scalar * point over all rows, and no rows]' \
            '--group-by=[with --sum]: : ' \
            '--format=[the format of the rows]: :(csv jsonl raw)' \
            '--output-format=[the format of the output]: :(csv jsonl raw)' \
            '--columns=[raw]: : ' \
            '--output=[write the rows to FILE instead of standard output]:file:_files' \
            '--encoding=[how bytes and numbers are written in cells, in and out]: :(hex base64 base64url)' \
            '--map=[what columns are called in the input]: : ' \
            '--require=[refuse rows that lack one of these columns though they could]: : ' \
            '--only=[write only rows that read valid]: :(valid invalid malformed no_key unprocessed)' \
            '--expect-rows=[exit with 2, and give no file its name, unless there are N]: : ' \
            '--allow-empty[take an input without rows, be it empty or a header alone]' \
            '--prefix=[put TEXT before the names of results]: : ' \
            '--batch=[rows in one call of the library]: : ' \
            '--backend=[where to compute]: :(auto cpu cuda)' \
            '--device=[the GPUs that share the work, by their numbers among those]: : ' \
            '--threads=[threads of the CPU backend]: : ' \
            '--quiet[no progress bar, no summary]' \
            '--help[print this text]' \
            '--man[print the manual page, as roff]' '*:file:_files' ;;
    add)
        _arguments \
            '--curve=[secp256k1, P-256, P-384, SM2, P-521, brainpoolP256r1]: :(secp256k1 P-256 P-384 SM2 P-521 brainpoolP256r1 brainpoolP384r1 brainpoolP512r1 Curve25519)' \
            '--point-format=[how points are written]: :(uncompressed compressed raw)' \
            '--format=[the format of the rows]: :(csv jsonl raw)' \
            '--output-format=[the format of the output]: :(csv jsonl raw)' \
            '--columns=[raw]: : ' \
            '--output=[write the rows to FILE instead of standard output]:file:_files' \
            '--encoding=[how bytes and numbers are written in cells, in and out]: :(hex base64 base64url)' \
            '--map=[what columns are called in the input]: : ' \
            '--require=[refuse rows that lack one of these columns though they could]: : ' \
            '--only=[write only rows that read valid]: :(valid invalid malformed no_key unprocessed)' \
            '--expect-rows=[exit with 2, and give no file its name, unless there are N]: : ' \
            '--allow-empty[take an input without rows, be it empty or a header alone]' \
            '--prefix=[put TEXT before the names of results]: : ' \
            '--batch=[rows in one call of the library]: : ' \
            '--backend=[where to compute]: :(auto cpu cuda)' \
            '--device=[the GPUs that share the work, by their numbers among those]: : ' \
            '--threads=[threads of the CPU backend]: : ' \
            '--quiet[no progress bar, no summary]' \
            '--help[print this text]' \
            '--man[print the manual page, as roff]' '*:file:_files' ;;
    keygen)
        _arguments \
            '--curve=[secp256k1, P-256, P-384, SM2, P-521, brainpoolP256r1]: :(secp256k1 P-256 P-384 SM2 P-521 brainpoolP256r1 brainpoolP384r1 brainpoolP512r1 Curve25519)' \
            '--scheme=[the signatures or keys]: :(ecdsa sm2 bip340 ed25519 x25519)' \
            '--point-format=[how points are written]: :(uncompressed compressed raw)' \
            '--output-format=[the format of the output]: :(csv jsonl)' \
            '--jwk[write each key as a JSON Web Key on a line of its own, and]' \
            '--jwks[the same as one set of keys]' \
            '--output=[write the rows to FILE instead of standard output]:file:_files' \
            '--count=[how many keys to make]: : ' \
            '--backend=[where to compute]: :(auto cpu cuda)' \
            '--device=[the GPUs that share the work, by their numbers among those]: : ' \
            '--threads=[threads of the CPU backend]: : ' \
            '--quiet[no progress bar, no summary]' \
            '--help[print this text]' \
            '--man[print the manual page, as roff]' ;;
    keys)
        _arguments \
            '--output-format=[the format of the output]: :(csv jsonl)' \
            '--output=[write the rows to FILE instead of standard output]:file:_files' \
            '--quiet[no progress bar, no summary]' \
            '--help[print this text]' \
            '--man[print the manual page, as roff]' '*:file:_files' ;;
    senders)
        _arguments \
            '--chain-id=[refuse transactions for other chains]: : ' \
            '--any-s[take transactions with s > n / 2, as Frontier did]' \
            '--output-format=[the format of the output]: :(csv jsonl)' \
            '--output=[write the rows to FILE instead of standard output]:file:_files' \
            '--allow-empty[take an input without rows, be it empty or a header alone]' \
            '--batch=[rows in one call of the library]: : ' \
            '--backend=[where to compute]: :(auto cpu cuda)' \
            '--device=[the GPUs that share the work, by their numbers among those]: : ' \
            '--threads=[threads of the CPU backend]: : ' \
            '--quiet[no progress bar, no summary]' \
            '--help[print this text]' \
            '--man[print the manual page, as roff]' '*:file:_files' ;;
    inputs)
        _arguments \
            '--verify[judge the signatures, and the keys and scripts that outputs]' \
            '--block[`raw` is a whole block]' \
            '--height=[the height on mainnet of the blocks that the transactions]: : ' \
            '--format=[the format of the records]: :(csv jsonl)' \
            '--output=[write the rows to FILE instead of standard output]:file:_files' \
            '--batch=[inputs that are judged at once, or more]: : ' \
            '--output-format=[the format of the output]: :(csv jsonl raw)' \
            '--allow-empty[take an input without rows, be it empty or a header alone]' \
            '--backend=[where to compute]: :(auto cpu cuda)' \
            '--device=[the GPUs that share the work, by their numbers among those]: : ' \
            '--threads=[threads of the CPU backend]: : ' \
            '--quiet[no progress bar, no summary]' \
            '--help[print this text]' \
            '--man[print the manual page, as roff]' '*:file:_files' ;;
    mod)
        _arguments \
            '--op=[add, sub, mul, square, inverse or power]: :(add sub mul square inverse power)' \
            '--modulus=[the modulus of all rows]: : ' \
            '--bits=[the width of operands and results, 128 to 512 in steps of 32]: : ' \
            '--format=[the format of the rows]: :(csv jsonl raw)' \
            '--output-format=[the format of the output]: :(csv jsonl raw)' \
            '--columns=[raw]: : ' \
            '--output=[write the rows to FILE instead of standard output]:file:_files' \
            '--encoding=[how bytes and numbers are written in cells, in and out]: :(hex base64 base64url)' \
            '--map=[what columns are called in the input]: : ' \
            '--require=[refuse rows that lack one of these columns though they could]: : ' \
            '--only=[write only rows that read valid]: :(valid invalid malformed no_key unprocessed)' \
            '--expect-rows=[exit with 2, and give no file its name, unless there are N]: : ' \
            '--allow-empty[take an input without rows, be it empty or a header alone]' \
            '--prefix=[put TEXT before the names of results]: : ' \
            '--batch=[rows in one call of the library]: : ' \
            '--backend=[where to compute]: :(auto cpu cuda)' \
            '--device=[the GPUs that share the work, by their numbers among those]: : ' \
            '--threads=[threads of the CPU backend]: : ' \
            '--quiet[no progress bar, no summary]' \
            '--help[print this text]' \
            '--man[print the manual page, as roff]' '*:file:_files' ;;
    digest)
        _arguments \
            '--curve=[secp256k1, P-256, P-384, SM2, P-521, brainpoolP256r1]: :(secp256k1 P-256 P-384 SM2 P-521 brainpoolP256r1 brainpoolP384r1 brainpoolP512r1 Curve25519)' \
            '--hash=[the hash of a `msg`, one of sha256, sha384, sha512, sm3]: :(sha256 sha384 sha512 sm3 keccak256)' \
            '--id=[SM2]: : ' \
            '--format=[the format of the rows]: :(csv jsonl raw)' \
            '--output-format=[the format of the output]: :(csv jsonl raw)' \
            '--columns=[raw]: : ' \
            '--msg-bytes=[raw]: : ' \
            '--output=[write the rows to FILE instead of standard output]:file:_files' \
            '--pub-file=[the public key of all rows, which have no column `pub`]:file:_files' \
            '--password-file=[the password of the encrypted private key]:file:_files' \
            '--encoding=[how bytes and numbers are written in cells, in and out]: :(hex base64 base64url)' \
            '--map=[what columns are called in the input]: : ' \
            '--require=[refuse rows that lack one of these columns though they could]: : ' \
            '--only=[write only rows that read valid]: :(valid invalid malformed no_key unprocessed)' \
            '--expect-rows=[exit with 2, and give no file its name, unless there are N]: : ' \
            '--allow-empty[take an input without rows, be it empty or a header alone]' \
            '--prefix=[put TEXT before the names of results]: : ' \
            '--batch=[rows in one call of the library]: : ' \
            '--backend=[where to compute]: :(auto cpu cuda)' \
            '--device=[the GPUs that share the work, by their numbers among those]: : ' \
            '--threads=[threads of the CPU backend]: : ' \
            '--quiet[no progress bar, no summary]' \
            '--help[print this text]' \
            '--man[print the manual page, as roff]' '*:file:_files' ;;
    encrypt)
        _arguments \
            '--ciphertext-format=[the order of a ciphertext'\''s parts, c1c3c2]: :(c1c3c2 c1c2c3 der)' \
            '--point-format=[what C1 is, in and out]: :(uncompressed compressed raw)' \
            '--format=[the format of the rows]: :(csv jsonl raw)' \
            '--output-format=[the format of the output]: :(csv jsonl raw)' \
            '--columns=[raw]: : ' \
            '--output=[write the rows to FILE instead of standard output]:file:_files' \
            '--pub-file=[the public key of all rows, which have no column `pub`]:file:_files' \
            '--password-file=[the password of the encrypted private key]:file:_files' \
            '--encoding=[how bytes and numbers are written in cells, in and out]: :(hex base64 base64url)' \
            '--map=[what columns are called in the input]: : ' \
            '--require=[refuse rows that lack one of these columns though they could]: : ' \
            '--only=[write only rows that read valid]: :(valid invalid malformed no_key unprocessed)' \
            '--expect-rows=[exit with 2, and give no file its name, unless there are N]: : ' \
            '--allow-empty[take an input without rows, be it empty or a header alone]' \
            '--prefix=[put TEXT before the names of results]: : ' \
            '--batch=[rows in one call of the library]: : ' \
            '--backend=[where to compute]: :(auto cpu cuda)' \
            '--device=[the GPUs that share the work, by their numbers among those]: : ' \
            '--threads=[threads of the CPU backend]: : ' \
            '--quiet[no progress bar, no summary]' \
            '--help[print this text]' \
            '--man[print the manual page, as roff]' '*:file:_files' ;;
    decrypt)
        _arguments \
            '--ciphertext-format=[the order of a ciphertext'\''s parts, c1c3c2]: :(c1c3c2 c1c2c3 der)' \
            '--point-format=[what C1 is, in and out]: :(uncompressed compressed raw)' \
            '--format=[the format of the rows]: :(csv jsonl raw)' \
            '--output-format=[the format of the output]: :(csv jsonl raw)' \
            '--columns=[raw]: : ' \
            '--output=[write the rows to FILE instead of standard output]:file:_files' \
            '--key-file=[the private key of all rows, which have no column `priv`]:file:_files' \
            '--password-file=[the password of the encrypted private key]:file:_files' \
            '--encoding=[how bytes and numbers are written in cells, in and out]: :(hex base64 base64url)' \
            '--map=[what columns are called in the input]: : ' \
            '--require=[refuse rows that lack one of these columns though they could]: : ' \
            '--only=[write only rows that read valid]: :(valid invalid malformed no_key unprocessed)' \
            '--expect-rows=[exit with 2, and give no file its name, unless there are N]: : ' \
            '--allow-empty[take an input without rows, be it empty or a header alone]' \
            '--prefix=[put TEXT before the names of results]: : ' \
            '--batch=[rows in one call of the library]: : ' \
            '--backend=[where to compute]: :(auto cpu cuda)' \
            '--device=[the GPUs that share the work, by their numbers among those]: : ' \
            '--threads=[threads of the CPU backend]: : ' \
            '--quiet[no progress bar, no summary]' \
            '--help[print this text]' \
            '--man[print the manual page, as roff]' '*:file:_files' ;;
    devices)
        _arguments \
            '--backend=[where to compute]: :(auto cpu cuda)' \
            '--device=[the GPUs that share the work, by their numbers among those]: : ' \
            '--threads=[threads of the CPU backend]: : ' \
            '--json[print JSON Lines instead of a table]' \
            '--quiet[no progress bar, no summary]' \
            '--help[print this text]' \
            '--man[print the manual page, as roff]' ;;
    selftest)
        _arguments \
            '--backend=[where to compute]: :(auto cpu cuda)' \
            '--device=[the GPUs that share the work, by their numbers among those]: : ' \
            '--threads=[threads of the CPU backend]: : ' \
            '--quiet[no progress bar, no summary]' \
            '--help[print this text]' \
            '--man[print the manual page, as roff]' ;;
    demo)
        _arguments \
            '--curve=[secp256k1, P-256, P-384, SM2, P-521, brainpoolP256r1]: :(secp256k1 P-256 P-384 SM2 P-521 brainpoolP256r1 brainpoolP384r1 brainpoolP512r1 Curve25519)' \
            '--count=[how many signatures to make]: : ' \
            '--backend=[where to compute]: :(auto cpu cuda)' \
            '--device=[the GPUs that share the work, by their numbers among those]: : ' \
            '--threads=[threads of the CPU backend]: : ' \
            '--quiet[no progress bar, no summary]' \
            '--help[print this text]' \
            '--man[print the manual page, as roff]' ;;
    bench)
        _arguments \
            '--curve=[secp256k1, P-256, P-384, SM2, P-521, brainpoolP256r1]: :(secp256k1 P-256 P-384 SM2 P-521 brainpoolP256r1 brainpoolP384r1 brainpoolP512r1 Curve25519)' \
            '--op=[only the operation of that name]: : ' \
            '--runs=[runs to take the median of]: : ' \
            '--plot=[also draw the rates against the rows of a batch, as FILE]:file:_files' \
            '--series[batches of 1, 2, 4]' \
            '--check[compare all results with those of the CPU'\''s portable code]' \
            '--batch=[rows in one call of the library, each in turn]: : ' \
            '--devices=[how operations scale]: : ' \
            '--backend=[where to compute]: :(auto cpu cuda)' \
            '--device=[the GPUs that share the work, by their numbers among those]: : ' \
            '--threads=[threads of the CPU backend]: : ' \
            '--json[print JSON Lines instead of a table]' \
            '--quiet[no progress bar, no summary]' \
            '--help[print this text]' \
            '--man[print the manual page, as roff]' ;;
    --completion)
        compadd bash zsh fish ;;
    esac
}

_gecc "$@"
