import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyPair } from '../../tests/fakes/certificate.ts';
import { prepareNginx, startProgram } from '../programs.ts';

export type ServedSite = { host: string; ip: string; protocols: string; certificate: KeyPair };

/** nginx with a site for each host; the same port at every address. */
export async function startNginx(
  stack: AsyncDisposableStack,
  parent: string,
  sites: ServedSite[],
  port: number,
): Promise<void> {
  const folder = join(parent, 'nginx');
  mkdirSync(folder);
  const servers = sites.map(({ host, ip, protocols, certificate }) => {
    writeFileSync(join(folder, `${host}.crt`), certificate.cert);
    writeFileSync(join(folder, `${host}.key`), certificate.key);
    return `server {
    listen ${ip}:${port} ssl;
    server_name ${host} www.${host};
    ssl_protocols ${protocols};
    ssl_certificate ${host}.crt;
    ssl_certificate_key ${host}.key;
    add_header Strict-Transport-Security "max-age=31536000; includeSubDomains" always;
    location / { default_type text/html; return 200 "<!doctype html><title>Home</title>"; }
  }`;
  });
  const args = prepareNginx(
    folder,
    `access_log off;
  # Old versions and hashes are what is audited.
  ssl_ciphers DEFAULT:@SECLEVEL=0;
  ${servers.join('\n  ')}`,
  );
  await startProgram(stack, { name: 'nginx', args, ip: sites[0]?.ip ?? '', port });
}
