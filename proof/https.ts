import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type TLSSocket } from 'node:tls';
import { makeCertificate } from '../tests/fakes/certificate.ts';
import type { TestSite } from '../tests/harness/site.ts';

export type HttpsFront = AsyncDisposable & {
  /** The address by the name in SITE_URL, which may be localhost or 127.0.0.1; where it has none, by the latter. */
  url: string;
  /** The certificate, which is its own authority: for NODE_EXTRA_CA_CERTS. */
  caFile: string;
  close(): Promise<void>;
};

/** Terminates TLS and forwards every byte unchanged, so that a client sees what the site sent. */
export async function startHttps(site: Pick<TestSite, 'origin' | 'config'>): Promise<HttpsFront> {
  const { hostname: host } = new URL(site.config.siteUrl ?? site.origin);
  const certificate = makeCertificate({ host });
  const folder = mkdtempSync(join(tmpdir(), 'wardhouse-https-'));
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, certificate.cert);
  const open = new Set<TLSSocket>();

  const server = createServer(certificate, visitor => {
    const behind = connect(Number(new URL(site.origin).port), '127.0.0.1');
    open.add(visitor);
    visitor.on('error', () => behind.destroy()).on('close', () => behind.destroy());
    behind.on('error', () => visitor.destroy()).on('close', () => visitor.destroy());
    visitor.once('close', () => open.delete(visitor));
    visitor.pipe(behind).pipe(visitor);
  });
  await new Promise<void>(opened => server.listen(0, '127.0.0.1', opened));
  const { port } = server.address() as AddressInfo;

  async function close(): Promise<void> {
    const closed = new Promise(done => server.close(done));
    for (const visitor of open) visitor.destroy();
    await closed;
    rmSync(folder, { recursive: true, force: true });
  }
  return { url: `https://${host}:${port}`, caFile, close, [Symbol.asyncDispose]: close };
}
