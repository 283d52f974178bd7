import pg from 'pg';
import { nextFate } from './failing.ts';

/** Stands in for pg in a copy of the product: now and then a connection ends with its commit, before or after it. */
class Client extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: pg has one name for a dozen signatures
  override query(...args: any[]): any {
    const ask = () => Reflect.apply(pg.Client.prototype.query, this, args);
    const fate = args[0] === 'commit' ? nextFate() : 'well';
    if (fate === 'well') return ask();
    return this.#fail(fate === 'after' ? ask() : undefined);
  }

  async #fail(done: Promise<unknown> | undefined): Promise<never> {
    await done;
    const { stream } = (this as unknown as { connection: { stream: { destroy(): void } } }).connection;
    stream.destroy();
    throw new Error('Connection terminated unexpectedly');
  }
}

class Pool extends pg.Pool {
  constructor(options: pg.PoolConfig) {
    super({ ...options, Client } as pg.PoolConfig);
  }
}

export default { ...pg, Client, Pool };
