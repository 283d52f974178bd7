import { type Agent, request } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { createAgent, type Secure } from './driver.ts';
import { onResponse } from './on-response.ts';

export type Visited = {
  pages: number;
  /** Scripts, styles, fonts and illustrations, those of a page that has been open all the time among them. */
  files: number;
  /** What a visitor would call an error: a page that is not whole, or anything that it needs and does not get. */
  errors: string[];
};

export type Visitors = { stop(): Promise<Visited> };

type Answer = { status: number; text: string };

/** Visitors who read pages with all their files until stopped, while their first page stays open and fetches late chunks. */
export function startVisitors(
  address: string,
  paths: readonly string[],
  { count, secure }: { count: number; secure?: Secure },
): Visitors {
  const visited: Visited = { pages: 0, files: 0, errors: [] };
  let isOpen = true;

  async function visit(visitor: number): Promise<void> {
    const agent = createAgent(secure);
    const ask = (path: string) => get(address + path, agent, secure);

    async function fetchFile(file: string): Promise<string> {
      const { status, text } = await ask(file);
      visited.files += 1;
      if (status !== 200) visited.errors.push(`${file} answered ${status}`);
      return text;
    }

    async function readPage(path: string): Promise<string[]> {
      const { status, text } = await ask(path);
      visited.pages += 1;
      if (status !== 200 || !text.includes('</html>')) {
        visited.errors.push(`${path} answered ${status} with ${text.length} characters`);
      }
      const named = listNamed(text);
      for (const file of named) await fetchFile(file);
      return named;
    }

    const known = new Set(await readPage(paths[visitor % paths.length] ?? '/'));
    // A script names those of the pages it may lead to.
    for (const file of known) for (const more of listNamed(await fetchFile(file))) known.add(more);
    const leftOpen = [...known];
    for (let step = visitor; isOpen; step += 1) {
      await readPage(paths[step % paths.length] ?? '/');
      const late = leftOpen[step % leftOpen.length];
      if (late) await fetchFile(late);
      await wait(20);
    }
    agent.destroy();
  }

  const work = Promise.all(Array.from({ length: count }, (_, visitor) => visit(visitor)));
  return {
    async stop() {
      isOpen = false;
      await work;
      return visited;
    },
  };
}

function listNamed(text: string): string[] {
  return [...new Set(text.match(/\/static\/\w+\/[\w.-]+\.\w+/g))];
}

/** Status 0: no response, or an incomplete one. */
function get(address: string, agent: Agent, secure: Secure | undefined): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const none = () => resolve({ status: 0, text: '' });
  const headers = secure ? { host: secure.host } : {};
  const asked = (secure ? requestSecurely : request)(address, { agent, headers, timeout: 15_000 });
  onResponse(asked, {
    none,
    whole: ({ statusCode = 0 }, text) => resolve({ status: statusCode, text }),
  });
  asked.end();
  return promise;
}
