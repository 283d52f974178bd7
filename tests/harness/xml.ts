import { SaxesParser } from 'saxes';
import { expect } from 'vitest';

/** Well-formed XML, including namespaces. */
export function assertWellFormed(xml: string): void {
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', error => expect.fail(error.message));
  parser.write(xml).close();
}
