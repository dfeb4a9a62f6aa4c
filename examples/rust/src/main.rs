//! Who sent the transactions of an Ethereum block, and which shreds of Solana's a leader has signed.
//!
//! usage: senders-and-shreds [BLOCK]      a block's RLP, in hexadecimal digits; without it one of three transactions

use gecc::{ledger, Context, Rows, Status};

/// A transfer from before EIP-155, a call with dynamic fees (type 2), and the first with another byte at its end.
const TRANSACTIONS: [&str; 3] = [
    "f85f800182520894000000000000000000000000000b9331677e6ebf0a801ca098ff921201554726367d2be8c804a7ff89ccf285ebc57dff8ae4c4\
     4b9c19ac4aa01887321be575c8095f789dd4c743dfe42c1820f9231f98a962b210e3ac2452a3",
    "b88302f8800120843b9aca0084764cc5c1830186a0945109651e0e75c476c07c3bdcb1acfbafceedf9b78095004fe44bced63a68f3bb5cda9ca6df82\
     75f2550db1c001a0ad4448f1258f4bece0e3964f5d1c212e1ef73d29dab637c554f9fb8ee4f1b62ba0536b2f4394b7fa44eb66fec5bcd1c466f101a9\
     d7275de87baebe2efbc0c67146",
    "f85f800182520894000000000000000000000000000b9331677e6ebf0a801ca098ff921201554726367d2be8c804a7ff89ccf285ebc57dff8ae4c4\
     4b9c19ac4aa01887321be575c8095f789dd4c743dfe42c1820f9231f98a962b210e3ac2452a4",
];

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().filter(|digit| digit.is_ascii_hexdigit()).collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{:02x}", byte)).collect()
}

/// An RLP list of items that are encoded already.
fn list(items: &[u8]) -> Vec<u8> {
    let length = items.len() as u16;
    [&[0xf9][..], &length.to_be_bytes(), items].concat()
}

fn block() -> Vec<u8> {
    match std::env::args().nth(1) {
        Some(path) => bytes(&std::fs::read_to_string(path).expect("a file of hexadecimal digits")),
        None => {
            let transactions = list(&bytes(&TRANSACTIONS.concat()));
            let header = [&[0xe1, 0xa0][..], &[0; 32]].concat(); // no more than its first field
            list(&[&header[..], &transactions, &[0xc0]].concat()) // [header, transactions, uncles]
        }
    }
}

fn senders(context: &Context) -> gecc::Result<()> {
    let block = block();
    let (offsets, widths) = ledger::block_transactions(&block)?;
    let found = ledger::senders(context, Rows::ragged(&block, offsets, widths)?, 0, false)?;
    for (i, status) in found.status.iter().enumerate() {
        match status {
            Status::Ok => println!("0x{} was sent by 0x{}", hex(&found.hash[i]), hex(&found.sender[i])),
            _ => println!("transaction {}: {}: {}", i, status, found.reason(i)),
        }
    }
    Ok(())
}

/// Shreds are 64 bytes of signature, then what is signed; here all of one leader.
fn shreds(context: &Context) -> gecc::Result<()> {
    const SHRED: usize = 1203;
    let payloads: Vec<[u8; SHRED - 64]> = (0..1000).map(|i| [i as u8; SHRED - 64]).collect();
    let seed = [[0x42; 32]];
    let leader = gecc::ed25519::public_key(&seed).run(context)?.public_key;
    let signed = gecc::ed25519::sign(Rows::same(&seed[0]), &payloads).run(context)?.signature;
    let mut packets: Vec<u8> = signed.iter().zip(&payloads).flat_map(|(signature, payload)| [signature, payload].concat()).collect();
    packets[7 * SHRED + 100] ^= 1;

    let count = packets.len() / SHRED;
    let signatures = Rows::strided(&packets, 64, SHRED, count)?;
    let messages = Rows::strided(&packets[64..], SHRED - 64, SHRED, count)?;
    let status = gecc::ed25519::verify(Rows::same(leader.row(0)), messages, signatures).run(context)?;
    let bad: Vec<usize> = (0..count).filter(|&i| status.get(i) != Status::Ok).collect();
    println!("{} shreds, not signed by the leader: {:?}", count, bad);
    Ok(())
}

fn main() -> gecc::Result<()> {
    let context = Context::new()?;
    senders(&context)?;
    shreds(&context)
}
