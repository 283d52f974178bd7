import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool, startProgram } from '../programs.ts';

/** `chain` is what the server sends, as PEM, its key first; without it the server offers no TLS. */
export type ServedMail = { ip: string; chain: string | undefined };

/** Postfix with an SMTP server at each address, on the same port. Needs root: its parts run as other users. */
export async function startPostfix(
  stack: AsyncDisposableStack,
  parent: string,
  servers: ServedMail[],
  port: number,
): Promise<void> {
  const folder = join(parent, 'postfix');
  for (const part of ['', 'queue', 'data']) mkdirSync(join(folder, part));
  runTool('chown', ['postfix', join(folder, 'data')]);
  const chains = servers.map(({ ip, chain }) => {
    const file = join(folder, `${ip}.pem`);
    if (chain) writeFileSync(file, chain, { mode: 0o600 });
    const tls = chain ? `-o smtpd_tls_security_level=may -o smtpd_tls_chain_files=${file}` : '';
    return `${ip}:${port} inet n - n - - smtpd ${tls}`;
  });
  const services = ['tlsmgr unix - - n 1000? 1 tlsmgr', 'anvil unix - - n - 1 anvil'];
  const log = join(folder, 'log');
  writeFileSync(
    join(folder, 'master.cf'),
    `${[...chains, ...services, 'postlog unix-dgram n - n - 1 postlogd'].join('\n')}\n`,
  );
  writeFileSync(
    join(folder, 'main.cf'),
    `compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
maillog_file = ${log}
maillog_file_prefixes = ${folder}
myhostname = mail.example
mydestination =
local_recipient_maps =
alias_maps =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
smtpd_relay_restrictions = reject
`,
  );
  const { code, said } = runTool('postfix', ['-c', folder, 'check']);
  if (code !== 0) throw new Error(`postfix check: ${said}`);
  const { said: daemons } = runTool('postconf', ['-h', 'daemon_directory']);
  const [{ ip } = { ip: '' }] = servers;
  await startProgram(stack, { name: `${daemons.trim()}/master`, args: ['-c', folder, '-s'], ip, port });
}
