import { vi } from 'vitest';
import { findLastingPort } from '../../tests/harness/ports.ts';
import { startChild, startPrinting, stopChild } from '../bench/child.ts';
import type { Driver, Key } from './driver.ts';

export const webkitPrograms = ['/usr/bin/WebKitWebDriver', '/usr/bin/Xvfb'] as const;
const here = { prefix: [] };
const keys: Record<Key, string> = {
  ArrowLeft: '\ue012',
  ArrowRight: '\ue014',
  Enter: '\ue007',
  Escape: '\ue00c',
};
type Session = { sessionId: string; capabilities: { browserVersion: string } };

/** WebKitGTK's own small browser, over the WebDriver protocol, on a display of its own. It tells of no problems. */
export async function launchWebkit(): Promise<Driver> {
  const [webDriver, displayServer] = webkitPrograms;
  await using started = new AsyncDisposableStack();
  const screen = ['-displayfd', '1', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'];
  const display = await startPrinting(here, [displayServer, ...screen], {}, /^(\d+)\n/);
  started.defer(display.stop);
  const port = await findLastingPort();
  const env = { ...process.env, DISPLAY: `:${display.printed}` };
  const child = startChild(here, [webDriver, `--port=${port}`, '--host=127.0.0.1'], { env, stdio: 'ignore' });
  started.defer(() => stopChild(child));

  async function call<T>(method: 'POST' | 'DELETE', path: string, body?: object): Promise<T> {
    const response = await fetch(`http://127.0.0.1:${port}/session${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`${path}: ${value.error}: ${value.message}`);
    return value;
  }

  const capabilities = { alwaysMatch: { acceptInsecureCerts: true } };
  const { sessionId, capabilities: of } = await vi.waitFor(
    () => call<Session>('POST', '', { capabilities }),
    20_000,
  );
  const session = `/${sessionId}`;
  started.defer(() => call('DELETE', session));
  let at = { x: 0, y: 0 };
  const act = (type: string, ...actions: object[]) =>
    call('POST', `${session}/actions`, { actions: [{ type, id: type, actions }] });
  const pressKeys = (text: string) =>
    act(
      'key',
      ...[...text].flatMap(value => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]),
    );
  const running = started.move();
  return {
    version: of.browserVersion,
    problems: [],
    goto: url => call('POST', `${session}/url`, { url }),
    evaluate: expression =>
      call('POST', `${session}/execute/sync`, { script: `return ${expression}`, args: [] }),
    moveMouse: (x, y) => {
      at = { x, y };
      return act('pointer', { type: 'pointerMove', duration: 0, ...at });
    },
    pressMouse: () => act('pointer', { type: 'pointerDown', button: 0 }),
    releaseMouse: () => act('pointer', { type: 'pointerUp', button: 0 }),
    turnWheel: (deltaX, deltaY) => act('wheel', { type: 'scroll', duration: 0, ...at, deltaX, deltaY }),
    type: pressKeys,
    pressKey: key => pressKeys(keys[key]),
    resize: (width, height) => call('POST', `${session}/window/rect`, { width, height }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
