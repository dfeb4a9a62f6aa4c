/* Opcodes of Bitcoin's scripts. */
#ifndef TOOL_BITCOIN_OPCODES_H
#define TOOL_BITCOIN_OPCODES_H

enum {
    OP_0 = 0x00,
    OP_PUSHDATA1 = 0x4c,
    OP_PUSHDATA2 = 0x4d,
    OP_PUSHDATA4 = 0x4e,
    OP_1NEGATE = 0x4f,
    OP_RESERVED = 0x50,
    OP_1 = 0x51,
    OP_16 = 0x60,
    OP_IF = 0x63,
    OP_ENDIF = 0x68,
    OP_VERIFY = 0x69,
    OP_DROP = 0x75,
    OP_DUP = 0x76,
    OP_EQUAL = 0x87,
    OP_EQUALVERIFY = 0x88,
    OP_NUMEQUAL = 0x9c,
    OP_NUMEQUALVERIFY = 0x9d,
    OP_GREATERTHANOREQUAL = 0xa2,
    OP_HASH160 = 0xa9,
    OP_CODESEPARATOR = 0xab,
    OP_CHECKSIG = 0xac,
    OP_CHECKSIGVERIFY = 0xad,
    OP_CHECKMULTISIG = 0xae,
    OP_CHECKLOCKTIMEVERIFY = 0xb1,
    OP_CHECKSEQUENCEVERIFY = 0xb2,
    OP_CHECKSIGADD = 0xba
};

#endif
