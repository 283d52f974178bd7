import { once } from 'node:events';
import type { Socket } from 'node:net';
import { parseHostName } from '../../lib/host-name.ts';
import { queryAddresses } from './dns-client.ts';
import type { NetworkLimits } from './limits.ts';
import type { AuditDns } from './network.ts';
import { NetworkError } from './network-error.ts';
import type { AuditPort, NetworkPolicy } from './policy.ts';

type ConnectorDeps = { dns: AuditDns; policy: NetworkPolicy; limits: NetworkLimits };

/** Empty TLS records and new keys are no data: only what came over the wire counts them. */
const watchMs = 50;

/**
 * The only way to an audited server: vets every address of a name and connects to exactly one of them. `dns` asks for a name
 * once per audit, so that a later answer (DNS rebinding) changes nothing.
 */
export function createHostConnector({ dns, policy, limits }: ConnectorDeps) {
  let connections = 0;

  async function resolveVetted(host: string): Promise<string[]> {
    if (parseHostName(host) !== host || !/\.([a-z]{2,}|xn--[a-z0-9-]+)$/.test(host))
      throw new NetworkError(`${host} is not a public host name`, 'blocked');
    assertAllowed(host);
    const fixed = policy.hosts?.[host];
    const ips = fixed ? [[fixed]] : await lookUp(host);
    // The address itself is not told: a resolver inside a company knows names that the internet does not.
    if (!ips.flat().every(policy.isAllowedAddress))
      throw new NetworkError(`${host} has an address that is not public`, 'blocked');
    // One of each family: a server without a working address in either is not reachable for its visitors.
    const chosen = ips.flatMap(list => list.slice(0, 1));
    if (chosen.length === 0) throw new NetworkError(`${host} has no address`, 'no-address');
    return chosen;
  }

  function assertAllowed(host: string): void {
    if (policy.isAllowedHost?.(host) === false) throw new NetworkError(`${host} is not audited`, 'blocked');
  }

  async function lookUp(host: string): Promise<string[][]> {
    return (await queryAddresses(dns, host)).map(({ aliases, records }) => {
      aliases.forEach(assertAllowed);
      return records.map(({ text }) => text);
    });
  }

  async function open(ip: string, port: AuditPort, signal: AbortSignal): Promise<Socket> {
    if (signal.aborted) throw toNetworkError(signal.reason, signal);
    connections++;
    if (connections > limits.connections)
      throw new NetworkError(`more than ${limits.connections} connections`, 'limit');
    const socket = policy.connect({ host: ip, port: policy.ports[port] });
    // Later errors are reported by what uses the socket; without a listener one would end the process.
    socket.on('error', () => undefined);
    const close = () => socket.destroy();
    signal.addEventListener('abort', close, { once: true });
    const watch = setInterval(() => {
      if (socket.bytesRead > limits.connectionBytes)
        socket.destroy(new NetworkError('a response over the limit', 'refused'));
    }, watchMs);
    socket.once('close', () => {
      signal.removeEventListener('abort', close);
      clearInterval(watch);
    });
    try {
      await once(socket, 'connect', { signal });
      return socket;
    } catch (error) {
      socket.destroy();
      throw toNetworkError(error, signal);
    }
  }

  return {
    hasConnected: () => connections > 0,
    /** The socket is closed when `signal` ends. */
    async connect(
      host: string,
      port: AuditPort,
      signal: AbortSignal,
    ): Promise<{ socket: Socket; ip: string }> {
      const ended = Promise.withResolvers<never>();
      const end = () => ended.reject(toNetworkError(signal.reason, signal));
      signal.addEventListener('abort', end, { once: true });
      // Silent resolvers take longer than one fetch may.
      const [first = '', second] = await Promise.race([resolveVetted(host), ended.promise]);
      try {
        return { socket: await open(first, port, signal), ip: first };
      } catch (error) {
        if (!second || !(error instanceof NetworkError) || error.kind !== 'refused') throw error;
        return { socket: await open(second, port, signal), ip: second };
      }
    },
  };
}

/** Names what failed by its code: the messages of OpenSSL and of the system hold addresses and source files. */
export function toNetworkError(error: unknown, signal: AbortSignal): NetworkError {
  if (error instanceof NetworkError) return error;
  if (signal.aborted) {
    return signal.reason instanceof NetworkError
      ? signal.reason
      : new NetworkError('no response in time', 'timeout');
  }
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ETIMEDOUT') return new NetworkError('no response in time', 'timeout');
  return new NetworkError(`connection failed (${code ?? message})`, 'refused');
}
