import { connect, type Socket } from 'node:net';

export type Answer = { status: number; headers: Map<string, string>; head: string; body: string };

export type Client = Disposable & {
  /** The one answer to a whole request, on a connection that is kept. Fails at silence, and at an answer too many. */
  ask(bytes: Buffer, isHead: boolean): Promise<Answer>;
  /** All answers to bytes that may be anything: on a connection of their own, which we end when no more is said. */
  shout(bytes: Buffer): Promise<Answer[]>;
};

const answerWithinMs = 5000;
/** Whatever is whole was answered before; the rest waits for more, which does not come. */
const quietMs = 100;
/** After these the server does not listen any longer, or need not; nor to the rest of what is over a limit. */
const closing = [400, 408, 413, 417, 421, 431];
const longBytes = 4000;

export function createClient(port: number): Client {
  let kept: Socket | undefined;

  return {
    async ask(bytes, isHead) {
      const socket = kept?.writable ? kept : connect(port, '127.0.0.1').setNoDelay();
      kept = undefined;
      const { answers, rest } = await listen(socket, bytes, { isHead, isWhole: true });
      const [answer, ...more] = answers;
      if (!answer) throw new Error(`the connection ended without an answer, after ${JSON.stringify(rest)}`);
      const isUnread = closing.includes(answer.status) || bytes.length > longBytes;
      const isLast = answer.headers.get('connection') === 'close' || isUnread;
      // What could not be read may have been a HEAD or not: its refusal has a body, and ends the connection.
      const isOver = answer.headers.get('connection') === 'close' && isHead;
      if (more.length > 0 || (rest && !isOver)) throw new Error(`more than one answer: ${answer.head}`);
      if (isLast) socket.destroy();
      else kept = socket;
      return answer;
    },
    async shout(bytes) {
      const socket = connect(port, '127.0.0.1').setNoDelay();
      const { answers, rest } = await listen(socket, bytes, { isHead: false, isWhole: false });
      socket.destroy();
      if (rest && !/^HTTP\/1\.1 \d{3} /.test(rest)) throw new Error(`no answer: ${JSON.stringify(rest)}`);
      return answers;
    },
    [Symbol.dispose]() {
      kept?.destroy();
    },
  };
}

type Heard = { answers: Answer[]; rest: string };

function listen(socket: Socket, bytes: Buffer, options: { isHead: boolean; isWhole: boolean }) {
  return new Promise<Heard>((resolve, reject) => {
    let text = '';
    let heard: Heard = { answers: [], rest: '' };
    const late = setTimeout(
      () => end(new Error(`no answer within ${answerWithinMs} ms, but ${JSON.stringify(text)}`)),
      answerWithinMs,
    );
    const quiet = options.isWhole ? undefined : setTimeout(() => socket.end(), quietMs);

    function end(error?: Error): void {
      clearTimeout(late);
      clearTimeout(quiet);
      socket.removeAllListeners();
      socket.on('error', () => undefined);
      if (error) socket.destroy();
      if (error) reject(error);
      else resolve(heard);
    }
    socket.setEncoding('latin1').on('data', chunk => {
      text += chunk;
      heard = readAnswers(text, options.isHead);
      quiet?.refresh();
      if (options.isWhole && heard.answers.length > 0) end();
    });
    // Refused in the middle of what it sends, a client may find the way closed before it has heard why.
    socket.on('error', () => undefined);
    socket.on('close', () => end());
    socket.write(bytes);
  });
}

function readAnswers(text: string, isHead: boolean): Heard {
  const answers: Answer[] = [];
  let rest = text;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(rest)?.[1]);
    if (end < 0 || !status) return { answers, rest };
    const head = rest.slice(0, end);
    const headers = new Map(head.split('\r\n').slice(1).map(splitHeader));
    const isBare = isHead || status === 204 || status === 304;
    const body = isBare ? { text: '', length: 0 } : readBody(rest.slice(end + 4), headers);
    if (!body) return { answers, rest };
    if (status !== 100) answers.push({ status, headers, head, body: body.text });
    rest = rest.slice(end + 4 + body.length);
  }
}

/** Nothing before the whole of it is there. */
function readBody(text: string, headers: Answer['headers']): { text: string; length: number } | undefined {
  if (headers.get('transfer-encoding') !== 'chunked') {
    const length = Number(headers.get('content-length') ?? 0);
    return text.length < length ? undefined : { text: text.slice(0, length), length };
  }
  let whole = '';
  for (let at = 0; ; ) {
    const size = /^([0-9a-f]+)\r\n/.exec(text.slice(at, at + 20));
    const length = Number.parseInt(size?.[1] ?? '', 16);
    const end = at + (size?.[0].length ?? 0) + length + 2;
    if (!size || text.length < end) return undefined;
    whole += text.slice(end - 2 - length, end - 2);
    at = end;
    if (length === 0) return { text: whole, length: at };
  }
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
