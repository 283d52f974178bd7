import { SaxesParser } from 'saxes';
import { expect } from 'vitest';

/** By the letter of XML, namespaces included. */
export function assertWellFormed(xml: string): void {
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', error => expect.fail(error.message));
  parser.write(xml).close();
}
