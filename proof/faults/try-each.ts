import type { Driver, DriverOptions } from './driver.ts';
import type { Trial } from './family.ts';
import type { Fixture, Running } from './fixture.ts';
import { becomesTrueWithin, statusOf } from './tools.ts';

export const patienceMs = 30_000;

type Tried = { server: Running; driver: Driver; problems: string[] };

type Setting = {
  tries: number;
  env?: Record<string, string>;
  driving?: Pick<DriverOptions, 'connections' | 'perSecond'>;
  mayRefuse?: boolean;
};

/** One server under load, which must live through every trouble and take messages after each of them. */
export async function tryEach(
  fixture: Fixture,
  { tries, env, driving = { connections: 16 }, mayRefuse = true }: Setting,
  trouble: (tried: Tried) => Promise<void>,
): Promise<Trial> {
  const problems: string[] = [];
  const server = await fixture.begin(env);
  const driver = fixture.drive({ ...driving, address: () => server.url });
  for (let count = 0; count < tries && problems.length === 0; count += 1) {
    if (await takesMessages(driver)) await trouble({ server, driver, problems });
    else problems.push(`no message was taken after ${count} troubles`);
  }
  if (!(await takesMessages(driver))) problems.push('no message was taken after the last trouble');
  await driver.stop();
  const code = await server.end();
  if (code !== 0) problems.push(`the server ended with ${code}: ${server.output().slice(-500)}`);
  problems.push(...driver.findOdd(...(mayRefuse ? [200, 503] : [200])));
  return { tries, problems, notes: [`${driver.figures().statuses.get(503) ?? 0} answers of 503`] };
}

function takesMessages(driver: Driver): Promise<boolean> {
  const enough = driver.figures().acknowledged + 50;
  return becomesTrueWithin(patienceMs, () => driver.figures().acknowledged >= enough);
}

export async function assertReady({ server, problems }: Omit<Tried, 'driver'>): Promise<void> {
  const isReady = async () => (await statusOf(server.url, '/readyz')) === 200;
  if (!(await becomesTrueWithin(patienceMs, isReady))) problems.push('not ready again');
}

export async function assertUnready(
  { server, problems }: Omit<Tried, 'driver'>,
  when: string,
): Promise<void> {
  const isUnready = async () => (await statusOf(server.url, '/readyz')) === 503;
  if (!(await becomesTrueWithin(patienceMs, isUnready))) problems.push(`ready ${when}`);
}
