import { createCipheriv, createHmac } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { TLSSocket, type TlsOptions } from 'node:tls';

const cipher = 'TLS_AES_128_GCM_SHA256';
const handshakeType = 22;
const dataType = 23;
/** RFC 8446, 4.6.3: a new key, to which the client answers with its own. */
const keyUpdate = Buffer.from([24, 0, 0, 1, 1]);
const batch = 200;

export type Flood = 'empty records' | 'new keys';

/** After a handshake of TLS 1.3, writes records by itself that hold no data, as fast as they are taken and for `ms` at most. */
export function createFloodServer(options: TlsOptions, flood: Flood, ms: number): Server {
  return createServer(raw => {
    let secret: Buffer = Buffer.alloc(0);
    let [sent, received] = [0, 0];
    const stream = new Duplex({
      read: () => undefined,
      write(chunk: Buffer, _, done) {
        // Tickets, which follow the client's second flight, have used the first numbers of the key.
        if (received > 1) sent += countRecords(chunk);
        raw.write(chunk, done);
      },
    });
    raw.on('data', chunk => {
      received += 1;
      stream.push(chunk);
    });
    raw.on('error', () => undefined);
    const secure = new TLSSocket(stream as Socket, {
      ...options,
      isServer: true,
      ciphers: cipher,
      minVersion: 'TLSv1.3',
    });
    secure.on('error', () => undefined);
    secure.on('keylog', (line: Buffer) => {
      const [label, , hex = ''] = line.toString().trim().split(' ');
      if (label === 'SERVER_TRAFFIC_SECRET_0') secret = Buffer.from(hex, 'hex');
    });
    secure.once('secure', () => setTimeout(() => void pour(), 20));

    async function pour(): Promise<void> {
      const ends = performance.now() + ms;
      while (performance.now() < ends && !raw.destroyed) {
        const records: Buffer[] = [];
        for (let count = 0; count < batch; count += 1) {
          const isNewKey = flood === 'new keys';
          records.push(
            seal(secret, sent, isNewKey ? keyUpdate : Buffer.alloc(0), isNewKey ? handshakeType : dataType),
          );
          sent += 1;
          if (isNewKey) [secret, sent] = [expand(secret, 'traffic upd', 32), 0];
        }
        if (!raw.write(Buffer.concat(records)))
          await new Promise(done => raw.once('drain', done).once('close', done));
        else await new Promise(setImmediate);
      }
    }
  });
}

function countRecords(bytes: Buffer): number {
  let count = 0;
  for (let at = 0; at + 5 <= bytes.length; at += 5 + bytes.readUInt16BE(at + 3))
    count += bytes[at] === dataType ? 1 : 0;
  return count;
}

/** RFC 8446, 5.2. */
function seal(secret: Buffer, number: number, content: Buffer, type: number): Buffer {
  const nonce = expand(secret, 'iv', 12);
  nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ number) >>> 0, 8);
  const head = Buffer.from([dataType, 3, 3, 0, content.length + 17]);
  const sealing = createCipheriv('aes-128-gcm', expand(secret, 'key', 16), nonce).setAAD(head);
  const body = Buffer.concat([
    sealing.update(Buffer.concat([content, Buffer.from([type])])),
    sealing.final(),
  ]);
  return Buffer.concat([head, body, sealing.getAuthTag()]);
}

/** RFC 8446, 7.1: HKDF-Expand-Label of at most one hash. */
function expand(secret: Buffer, label: string, length: number): Buffer {
  const name = Buffer.from(`tls13 ${label}`);
  const info = Buffer.concat([Buffer.from([0, length, name.length]), name, Buffer.from([0, 1])]);
  return createHmac('sha256', secret).update(info).digest().subarray(0, length);
}
