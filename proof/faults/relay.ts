import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export type Relay = AsyncDisposable & {
  port: number;
  /** Every piece waits so long before it goes on, either way. */
  delay(pauseMs: () => number): void;
  /** Stalls all data until `pass`, without closing connections. */
  stall(): void;
  /** New connections are reset at once. */
  refuse(): void;
  /** Forwards everything unchanged. */
  pass(): void;
  cutAll(): void;
  /** Closes each connection instead of forwarding the next response: the query was executed. */
  cutAnswers(): void;
};

/** A TCP proxy that can delay, stall and cut connections. `losesAnswer`: to a chunk on its way to the target. */
export async function createRelay(
  target: { host: string; port: number },
  losesAnswer: (chunk: Buffer) => boolean = () => false,
): Promise<Relay> {
  const open = new Set<Socket>();
  const cutting = new Set<Socket>();
  let pauseMs = () => 0;
  let gate: PromiseWithResolvers<void> | undefined;
  let isRefusing = false;

  const server = createServer(near => {
    if (isRefusing) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(target.port, target.host);
    carry(near, far);
    near.on('data', (chunk: Buffer) => losesAnswer(chunk) && cutting.add(near));
    carry(far, near, () => cutting.delete(near));
    open.add(near);
    near.once('close', () => open.delete(near));
  });

  /** In their order, each after those before it. */
  function carry(from: Socket, to: Socket, isSwallowed: () => boolean = () => false): void {
    let line = Promise.resolve();
    from.setNoDelay();
    from.on('data', chunk => {
      line = line.then(async () => {
        const ms = pauseMs();
        if (ms > 0) await wait(ms);
        await gate?.promise;
        if (isSwallowed()) to.destroy();
        else if (!to.destroyed) to.write(chunk);
      });
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      line.then(() => to.destroy());
    });
  }

  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));

  function pass(): void {
    gate?.resolve();
    gate = undefined;
    pauseMs = () => 0;
    isRefusing = false;
    cutting.clear();
  }

  function cutAll(): void {
    for (const socket of open) socket.resetAndDestroy();
  }

  return {
    port: (server.address() as AddressInfo).port,
    delay(wanted) {
      pauseMs = wanted;
    },
    stall() {
      gate ??= Promise.withResolvers();
    },
    refuse() {
      isRefusing = true;
    },
    pass,
    cutAll,
    cutAnswers() {
      for (const socket of open) cutting.add(socket);
    },
    async [Symbol.asyncDispose]() {
      pass();
      cutAll();
      await new Promise(closed => server.close(closed));
    },
  };
}
