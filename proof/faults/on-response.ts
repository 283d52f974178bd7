import type { ClientRequest, IncomingMessage } from 'node:http';

type ResponseHandlers = {
  /** No response, or an incomplete one; may be called more than once. */
  none(): void;
  whole(answer: IncomingMessage, text: string): void;
};

/** What becomes of a request, whatever goes wrong with its connection. */
export function onResponse(asked: ClientRequest, { none, whole }: ResponseHandlers): void {
  asked.once('error', none);
  asked.once('timeout', () => asked.destroy());
  asked.once('close', none);
  asked.once('response', (answer: IncomingMessage) => {
    let text = '';
    answer.setEncoding('utf8');
    answer.on('data', chunk => {
      text += chunk;
    });
    answer.once('error', none);
    answer.once('end', () => whole(answer, text));
  });
}
