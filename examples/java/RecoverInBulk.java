import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.gecc.Context;
import org.gecc.Curve;
import org.gecc.Ec;
import org.gecc.Ecdsa;
import org.gecc.Ethereum;
import org.gecc.PointFormat;
import org.gecc.Rows;

/**
 * Who signed: Ethereum's addresses of ten thousand signatures, and with a file of Bitcoin's signatures
 * (examples/data/bitcoin-block-413567-part.csv) the keys that made them.
 *
 * usage: java -cp gecc.jar:. RecoverInBulk [FILE.csv]
 */
public final class RecoverInBulk {
    private RecoverInBulk() {}

    public static void main(String[] arguments) throws IOException {
        try (Context context = Context.open()) {
            senders(context);
            if (arguments.length > 0) {
                keysOfBlock(context, arguments[0]);
            }
        }
    }

    /** Records as a node has them, in a direct buffer that no call copies: digest, r, s and v, 97 bytes each. */
    private static void senders(Context context) {
        int count = 10000;
        int record = 32 + 65;
        ByteBuffer records = ByteBuffer.allocateDirect(count * record);
        byte[] keys = new byte[count * 32];
        byte[] digests = new byte[count * 32];
        for (int i = 0; i < count; i++) {
            keys[32 * i + 31] = (byte) (1 + i % 5); // the keys 1 to 5
            ByteBuffer.wrap(digests).putInt(32 * i, i);
        }
        Rows secret = Rows.packed(keys, 32);
        Ecdsa.Sign.Result signed = Ecdsa.sign(Curve.SECP256K1, secret, Rows.packed(digests, 32)).lowS().run(context);
        secret.wipe();
        for (int i = 0; i < count; i++) {
            records.put(digests, 32 * i, 32).put(signed.signature.row(i))
                    .put((byte) (27 + signed.recoveryId.row(i)[0]));
        }
        records.put(7 * record + 96, (byte) 5); // no v of Ethereum
        records.rewind();

        Ethereum.Recover.Result found = Ethereum.recover(
                Rows.strided(records, 0, 32, record, count), Rows.strided(records, 32, 65, record, count)).lowS()
                        .run(context);
        System.out.println("row 0 was signed by 0x" + hex(found.address.row(0)));
        int recovered = 0;
        for (int i = 0; i < count; i++) {
            if (found.statuses.isOk(i)) {
                recovered++;
            } else {
                System.out.println("row " + i + ": " + found.statuses.get(i).text());
            }
        }
        System.out.println(recovered + " of " + count + " addresses recovered");
    }

    /**
     * Which signatures the key beside them has made: a signature is that of up to four keys, of recovery ids 0 to 3. Of
     * scripts with several keys Bitcoin tries one after the other, so that some pairs do not fit.
     */
    private static void keysOfBlock(Context context, String path) throws IOException {
        List<byte[]> keys = new ArrayList<>();
        List<byte[]> digests = new ArrayList<>();
        List<byte[]> signatures = new ArrayList<>();
        List<String> lines = Files.readAllLines(Paths.get(path), StandardCharsets.UTF_8);
        List<String> names = Arrays.asList(lines.get(0).split(","));
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",");
            keys.add(bytes(cells[names.indexOf("pub")]));
            digests.add(bytes(cells[names.indexOf("digest")]));
            signatures.add(bytes(cells[names.indexOf("sig")]));
        }
        Rows digest = Rows.ragged(digests.toArray(new byte[0][]));
        Rows signature = Rows.ragged(signatures.toArray(new byte[0][]));
        Ec.Convert.Result known = Ec.convert(Curve.SECP256K1, Rows.ragged(keys.toArray(new byte[0][])))
                .pointFormat(PointFormat.COMPRESSED).run(context);
        int found = 0;
        for (byte id = 0; id < 4; id++) {
            Ecdsa.Recover.Result recovered = Ecdsa.recover(Curve.SECP256K1, digest, signature,
                    Rows.same(new byte[] {id}))
                    .der().pointFormat(PointFormat.COMPRESSED).run(context);
            for (int i = 0; i < keys.size(); i++) {
                if (recovered.statuses.isOk(i) && Arrays.equals(recovered.publicKey.row(i), known.out.row(i))) {
                    found++;
                }
            }
        }
        System.out.println(found + " of the block's " + keys.size() + " signatures were made by the key beside them");
    }

    private static byte[] bytes(String hex) {
        byte[] bytes = new byte[hex.length() / 2];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
        }
        return bytes;
    }

    private static String hex(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte each : bytes) {
            text.append(String.format("%02x", each));
        }
        return text.toString();
    }
}
