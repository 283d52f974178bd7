import { expect, test } from 'vitest';
import { listNetworks, widestNetwork } from './ip-networks.ts';

test.each([
  ['203.0.113.7', ['203.0.113.7'], '203.0.113.0/24'],
  ['2001:db8:1:2/64', ['2001:db8:1:2/64', '2001:db8:1:0/56', '2001:db8:1/48'], '2001:db8:1/48'],
  ['2001:db8:1:a2ff/64', ['2001:db8:1:a2ff/64', '2001:db8:1:a2/56', '2001:db8:1/48'], '2001:db8:1/48'],
  ['', [''], ''],
])('%j is counted in %j, and takes its turns in %s', (address, counted, widest) => {
  expect(listNetworks(address).map(({ name }) => name)).toEqual(counted);
  expect(widestNetwork(address)).toBe(widest);
});
