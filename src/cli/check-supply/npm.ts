import { execFile } from 'node:child_process';

/** What npm printed, or why it could not be asked at all. */
export type Said = { out: string } | { unasked: string };

export type AskNpm = (args: readonly string[], folder: string) => Promise<Said>;

/** Long enough for every package over a slow line. */
const patienceMs = 180_000;

/** One try with a short wait: a registry that is not there is told in seconds, not after a minute. */
const quick = ['--json', '--loglevel=silent', '--fetch-retries=0', '--fetch-timeout=20000'];

/** How npm ends says too little: a vulnerability and a registry out of reach both end with 1. What it printed is read. */
export const askNpm: AskNpm = (args, folder) =>
  new Promise(done => {
    const options = {
      cwd: folder,
      timeout: patienceMs,
      maxBuffer: 256 * 1024 * 1024,
      // There npm is a script, which only a shell starts; every word of the command is ours.
      shell: process.platform === 'win32',
    };
    execFile('npm', [...args, ...quick], options, (error, out) => {
      if (error?.code === 'ENOENT') done({ unasked: 'there is no npm here' });
      else if (error?.killed) done({ unasked: `npm did not end within ${patienceMs / 60_000} minutes` });
      else done({ out });
    });
  });
