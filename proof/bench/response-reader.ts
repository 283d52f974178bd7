export type ResponseReader = {
  /** Takes what arrived, which may be a part of an answer or the end of one and the start of the next. */
  read(chunk: Buffer): void;
};

type Expected = { bodyBytes: number; onResponse(): void };

const headEnd = '\r\n\r\n';

/** Counts whole answers on one connection. Anything but a 200 with a body of the expected length is an error. */
export function createResponseReader({ bodyBytes, onResponse }: Expected): ResponseReader {
  let bodyLeft = 0;
  let begun: Buffer | undefined;

  function read(chunk: Buffer): void {
    // The chunk's memory is used again for the next one, so a head cut in two is kept as a copy.
    const bytes = begun ? Buffer.concat([begun, chunk]) : chunk;
    begun = undefined;
    let at = 0;
    while (at < bytes.length) {
      if (bodyLeft === 0) {
        const end = bytes.indexOf(headEnd, at, 'latin1');
        if (end < 0) {
          begun = Buffer.from(bytes.subarray(at));
          return;
        }
        assertHead(bytes.toString('latin1', at, end), bodyBytes);
        at = end + headEnd.length;
        bodyLeft = bodyBytes;
      }
      const taken = Math.min(bodyLeft, bytes.length - at);
      at += taken;
      bodyLeft -= taken;
      if (bodyLeft === 0) onResponse();
    }
  }
  return { read };
}

function assertHead(head: string, bodyBytes: number): void {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (head.startsWith('HTTP/1.1 200 ') && length === String(bodyBytes)) return;
  throw new Error(`Expected 200 with ${bodyBytes} bytes, found:\n${head}`);
}
