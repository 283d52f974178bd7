import { isIP } from 'node:net';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { Endpoint } from '../../core/network/owner-network.ts';

export function parseEndpoint(given: string): Endpoint {
  const [, six, plain, port] =
    /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+|[0-9a-f:]+))(?::(\d{1,5}))?$/i.exec(given) ?? [];
  const ip = six ?? plain ?? '';
  if (!isIP(ip))
    throw new InvalidArgumentError('Expected an IP address such as 192.0.2.1 or 192.0.2.1:5353.');
  return { ip, ...(port && { port: Number(port) }) };
}
