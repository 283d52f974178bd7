import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Zone } from '../../tests/fakes/dns-server.ts';
import { findFreePort, runTool, startProgram } from '../programs.ts';

/** How a zone is signed, and with what its parent vouches for it. */
export type Signing = 'signed' | 'unsigned' | 'no-ds' | 'expired-signatures' | 'wrong-ds';
export type ServedZone = { name: string; signing: Signing; records: string[] };
export type Resolver = { name: string; ip: string; port: number };
export type RunningDns = { resolvers: Resolver[]; anchors: string };

type DnsOptions = { rootRecords: string[]; hasUnbound: boolean; resolverIp: string | undefined };

const ip = '127.0.0.1';

/**
 * BIND with the zones and a signed root of its own, and before it two resolvers that validate: BIND and, where it is there,
 * Unbound. `resolverIp` is where Unbound listens on port 53 as well, for tools that ask no other.
 */
export async function startDns(
  stack: AsyncDisposableStack,
  folder: string,
  zones: ServedZone[],
  { rootRecords, hasUnbound, resolverIp }: DnsOptions,
): Promise<RunningDns> {
  const delegations = zones.flatMap(zone => {
    const signers = signZone(folder, zone);
    return [`${zone.name}. NS ns1.${zone.name}.`, `ns1.${zone.name}. A ${ip}`, ...signers];
  });
  const root: ServedZone = {
    name: '.',
    signing: 'signed',
    records: ['@ NS ns.', `ns A ${ip}`, ...delegations, ...rootRecords],
  };
  signZone(folder, root);
  const key = /DNSKEY\s+(257 3 13 .*)/.exec(readKey(folder, '.'))?.[1]?.split(' ') ?? [];
  const anchor = `${key.slice(0, 3).join(' ')} "${key.slice(3).join('')}"`;
  const anchors = join(folder, 'anchors.conf');
  writeFileSync(anchors, `trust-anchors { . static-key ${anchor}; };\n`);
  const [authority, bind, unbound] = [await findFreePort(ip), await findFreePort(ip), await findFreePort(ip)];
  await startBind(stack, folder, 'authority', authority, [
    'recursion no; dnssec-validation no; };',
    ...[root, ...zones].map(({ name }) => `zone "${name}" { type primary; file "${fileOf(name)}.signed"; };`),
  ]);
  await startBind(stack, folder, 'resolver', bind, [
    `recursion yes; dnssec-validation yes; empty-zones-enable no; forward only; forwarders { ${ip} port ${authority}; }; };`,
    `include "${anchors}";`,
  ]);
  const resolvers = [{ name: 'BIND', ip, port: bind }];
  if (hasUnbound) {
    const listens = [`${ip}@${unbound}`, ...(resolverIp ? [`${resolverIp}@53`] : [])];
    await startUnbound(stack, folder, { listens, port: unbound, authority, key: key.join(' ') });
    resolvers.push({ name: 'Unbound', ip, port: unbound });
  }
  return { resolvers, anchors };
}

/** Writes, checks and signs the zone; gives what its parent says of its keys. */
function signZone(folder: string, { name, signing, records }: ServedZone): string[] {
  const file = join(folder, fileOf(name));
  const header = ['$TTL 60', '@ SOA ns1 hostmaster 1 3600 600 86400 60'];
  const own = name === '.' ? [] : ['@ NS ns1', `ns1 A ${ip}`];
  writeFileSync(file, `${[...header, ...own, ...records].join('\n')}\n`);
  mustRun('named-checkzone', ['-i', 'none', name, file]);
  if (signing === 'unsigned') {
    writeFileSync(`${file}.signed`, readFileSync(file));
    return [];
  }
  mustRun('dnssec-keygen', ['-q', '-a', 'ECDSAP256SHA256', '-f', 'KSK', '-K', folder, name]);
  const period = signing === 'expired-signatures' ? ['-s', '20200101000000', '-e', '20200201000000'] : [];
  const output = ['-o', name, '-d', folder, '-f', `${file}.signed`];
  mustRun('dnssec-signzone', ['-S', '-z', '-P', '-K', folder, ...period, ...output, file]);
  if (signing === 'no-ds') return [];
  const [line = ''] = readFileSync(join(folder, `dsset-${name === '.' ? '' : name}.`), 'utf8').split('\n');
  if (signing !== 'wrong-ds') return [line];
  // The digest of another key: its first letters are changed.
  return [
    line.replace(
      /(DS \d+ 13 2 )(....)/,
      (_, before, letters) => `${before}${letters === 'AAAA' ? 'BBBB' : 'AAAA'}`,
    ),
  ];
}

function readKey(folder: string, name: string): string {
  const { said } = runTool('sh', ['-c', `cat ${folder}/K${name === '.' ? '' : name}.+013+*.key`]);
  return said;
}

function fileOf(name: string): string {
  return name === '.' ? 'root.zone' : `${name}.zone`;
}

async function startBind(
  stack: AsyncDisposableStack,
  folder: string,
  role: string,
  port: number,
  rest: string[],
): Promise<void> {
  const file = join(folder, `${role}.conf`);
  const own = `directory "${folder}"; pid-file "${role}.pid"; session-keyfile "${role}.key"; managed-keys-directory "${folder}";`;
  const listens = `listen-on port ${port} { ${ip}; }; listen-on-v6 { none; }; minimal-responses no;`;
  writeFileSync(file, ['controls {};', `options { ${own} ${listens}`, ...rest, ''].join('\n'));
  await startProgram(stack, { name: 'named', args: ['-g', '-n', '1', '-c', file], ip, port });
}

type UnboundOptions = { listens: string[]; port: number; authority: number; key: string };

async function startUnbound(
  stack: AsyncDisposableStack,
  folder: string,
  { listens, port, authority, key }: UnboundOptions,
): Promise<void> {
  const file = join(folder, 'unbound.conf');
  writeFileSync(
    file,
    `server:
  directory: "${folder}"
  chroot: ""
  username: ""
  pidfile: "${folder}/unbound.pid"
${listens.map(one => `  interface: ${one}`).join('\n')}
  do-ip6: no
  do-daemonize: no
  use-syslog: no
  logfile: ""
  module-config: "validator iterator"
  do-not-query-localhost: no
  trust-anchor: ". DNSKEY ${key}"
  local-zone: "example." nodefault
remote-control:
  control-enable: no
forward-zone:
  name: "."
  forward-addr: ${ip}@${authority}
`,
  );
  await startProgram(stack, { name: 'unbound', args: ['-d', '-p', '-c', file], ip, port });
}

function mustRun(name: string, args: string[]): void {
  const { code, said } = runTool(name, args);
  if (code !== 0) throw new Error(`${name}: ${said}`);
}

/** As lines of a zone file, without what fails: texts in strings of at most 200 bytes, each byte that is not plain as \\DDD. */
export function toZoneLines(zone: Zone): string[] {
  return Object.entries(zone).flatMap(([name, types]) =>
    Object.entries(types).flatMap(([type, values]) =>
      values
        .filter(value => value !== 'SERVFAIL')
        .map(value => `${name}. ${type} ${type === 'TXT' ? quote(value) : ended(type, value)}`),
    ),
  );
}

function quote(text: string): string {
  const bytes = [...Buffer.from(text)].map(byte =>
    /[\w.:=~?+ -]/.test(String.fromCharCode(byte))
      ? String.fromCharCode(byte)
      : `\\${String(byte).padStart(3, '0')}`,
  );
  const strings: string[] = [];
  for (let at = 0; at < bytes.length; at += 200) strings.push(`"${bytes.slice(at, at + 200).join('')}"`);
  return strings.join(' ');
}

function ended(type: string, value: string): string {
  return type === 'A' || type === 'AAAA' ? value : `${value}.`;
}
