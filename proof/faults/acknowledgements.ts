import { open, readFile } from 'node:fs/promises';

export type Acknowledgement = {
  number: number;
  reference: string;
  /** Milliseconds since 1970, rounded up: it was not here later than that. */
  at: number;
};

export type Acknowledgements = AsyncDisposable & {
  /** Resolves when it is on the disk. */
  note(number: number, reference: string): Promise<void>;
};

/** The driver's own memory: a file in which every acknowledgement is kept before its connection goes on. */
export async function openAcknowledgements(path: string): Promise<Acknowledgements> {
  const file = await open(path, 'a', 0o600);
  let lines = '';
  let waiting: PromiseWithResolvers<void> | undefined;
  let isWriting = false;

  /** Those that come while the disk is busy share the next fsync. */
  async function write(): Promise<void> {
    isWriting = true;
    while (waiting) {
      const [text, told] = [lines, waiting];
      lines = '';
      waiting = undefined;
      try {
        await file.appendFile(text);
        await file.datasync();
        told.resolve();
      } catch (error) {
        told.reject(error);
      }
    }
    isWriting = false;
  }

  return {
    note(number, reference) {
      lines += `${number} ${reference} ${Date.now() + 1}\n`;
      waiting ??= Promise.withResolvers();
      const { promise } = waiting;
      if (!isWriting) write();
      return promise;
    },
    [Symbol.asyncDispose]: () => file.close(),
  };
}

export async function readAcknowledgements(path: string): Promise<Acknowledgement[]> {
  const text = await readFile(path, 'utf8');
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => {
      const [number, reference, at] = line.split(' ');
      return { number: Number(number), reference: reference as string, at: Number(at) };
    });
}
