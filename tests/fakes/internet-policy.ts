import { connect, Socket } from 'node:net';
import type { NetworkPolicy } from '../../src/core/network/policy.ts';

/** Documentation addresses (RFC 5737, RFC 3849), each a kind of server: the policy takes connections to it to this machine. */
export const fakeIps = {
  web: '198.51.100.10',
  webIPv6: '2001:db8::10',
  oldWeb: '198.51.100.11',
  /** With TLS 1.0 and 1.1 only. */
  ancientWeb: '198.51.100.13',
  /** Without HTTPS. */
  plainWeb: '198.51.100.12',
  mail: '198.51.100.20',
  plainMail: '198.51.100.21',
  /** In another network than the rest; nothing listens there. */
  elsewhere: '203.0.113.53',
} as const;

/** Where the servers of a fake internet are on this machine: `ports` by 'ip:port'. */
export type InternetReach = { dnsAddress: string; ports: Record<string, number>; authority: string };

export function createLocalPolicy(
  { ports, authority }: Pick<InternetReach, 'ports' | 'authority'>,
  onConnect: (connected: string) => void = () => undefined,
): NetworkPolicy {
  return {
    isAllowedAddress: ip => Object.values<string>(fakeIps).includes(ip),
    ports: { 443: 443, 80: 80, 25: 25 },
    connect({ host, port }) {
      onConnect(`${host}:${port}`);
      const local = ports[`${host}:${port}`];
      return local ? connect(local, '127.0.0.1') : refuse();
    },
    trustedRoots: [authority],
  };
}

function refuse(): Socket {
  const socket = new Socket();
  setImmediate(() => socket.destroy(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })));
  return socket;
}
