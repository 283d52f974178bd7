import type { Duplex } from 'node:stream';
import type { SmtpHello, TlsConnection } from './network.ts';
import { NetworkError } from './network-error.ts';

const maxReplyBytes = 8 * 1024;

/** Greeting, EHLO, STARTTLS where it is offered, QUIT. Never a sender or a recipient. */
export async function greetMailServer(
  plain: Duplex,
  ehloName: string,
  startTls: () => Promise<{ secure: Duplex; tls: TlsConnection }>,
): Promise<SmtpHello> {
  const greeting = await readReply(plain);
  if (greeting.code !== 220) throw new NetworkError(`the mail server answered ${greeting.code}`, 'refused');
  const hello = await command(plain, `EHLO ${ehloName}`);
  if (hello.code !== 250) throw new NetworkError(`the mail server answered ${hello.code} to EHLO`, 'refused');
  const offersStartTls = hello.lines.some(line => /^STARTTLS\s*$/i.test(line));
  const said = { greeting: greeting.lines.join(' '), offersStartTls };
  const { code } = offersStartTls ? await command(plain, 'STARTTLS') : { code: 0 };
  if (code >= 400 && code < 500)
    throw new NetworkError(`the mail server answered ${code} to STARTTLS`, 'refused');
  if (code !== 220) {
    plain.write('QUIT\r\n');
    return said;
  }
  const { secure, tls } = await startTls();
  secure.write('QUIT\r\n');
  return { ...said, tls };
}

type Reply = { code: number; lines: string[] };

function command(socket: Duplex, text: string): Promise<Reply> {
  socket.write(`${text}\r\n`);
  return readReply(socket);
}

/** Lines `250-…` continue, `250 …` ends. The stream stays open for the next reply. */
async function readReply(socket: Duplex): Promise<Reply> {
  let text = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += (chunk as Buffer).toString('latin1');
    if (text.length > maxReplyBytes) throw new NetworkError('an endless reply of the mail server', 'refused');
    const last = /(?:^|\n)(\d{3})(?: [^\n]*)?\r?\n$/.exec(text);
    if (!last) continue;
    const lines = text.trimEnd().split(/\r?\n/);
    return { code: Number(last[1]), lines: lines.map(line => line.slice(4)) };
  }
  throw new NetworkError('the mail server closed the connection', 'refused');
}
