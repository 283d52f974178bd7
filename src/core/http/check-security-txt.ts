import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Files } from './static-files.ts';

export const securityTxtPath = '/.well-known/security.txt';

export const dayMs = 24 * 60 * 60_000;
const warnDays = 30;

export function readExpiry(text: string, now: Date) {
  const expires = new Date(/^Expires:[ \t]*(\S+)[ \t]*\r?$/im.exec(text)?.[1] ?? '');
  const leftMs = expires.getTime() - now.getTime();
  if (Number.isNaN(leftMs)) return undefined;
  return {
    expires,
    daysLeft: Math.floor(leftMs / dayMs),
    isNear: leftMs <= warnDays * dayMs,
    isOver: leftMs <= 0,
  };
}

export function watchSecurityTxt(files: Pick<Files, 'get'>, { clock, log }: { clock: Clock; log: Log }) {
  function check(): void {
    const served = files.get(securityTxtPath)?.plain.body.toString() ?? '';
    const expiry = readExpiry(served, clock.now());
    if (!expiry?.isNear) return;
    const { expires, daysLeft, isOver } = expiry;
    const details = {
      expires: expires.toISOString(),
      reason: "run 'npm run publish-site': each build dates it anew",
    };
    if (isOver) log.error('security.txt has expired', details);
    else log.warn('security.txt expires soon', { daysLeft, ...details });
  }

  check();
  const timer = setInterval(check, dayMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
