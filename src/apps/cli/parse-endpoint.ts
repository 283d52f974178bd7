import { isIP } from 'node:net';
import type { Endpoint } from '../../core/network/owner-network.ts';

export const expectedEndpoint = 'Expected an IP address such as 192.0.2.1 or 192.0.2.1:5353.';

export function parseEndpoint(given: string): Endpoint | undefined {
  const [, six, plain, port] =
    /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+|[0-9a-f:]+))(?::(\d{1,5}))?$/i.exec(given) ?? [];
  const ip = six ?? plain ?? '';
  return isIP(ip) ? { ip, ...(port && { port: Number(port) }) } : undefined;
}
