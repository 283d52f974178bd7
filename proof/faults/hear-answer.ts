import type { ClientRequest, IncomingMessage } from 'node:http';

type Heard = {
  /** Nobody answered, or not to the end; may be told more than once. */
  none(): void;
  whole(answer: IncomingMessage, text: string): void;
};

/** What becomes of a request, whatever goes wrong with its connection. */
export function hearAnswer(asked: ClientRequest, { none, whole }: Heard): void {
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
