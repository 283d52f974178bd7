import type { Moment } from '../../../lib/format-time.ts';
import type { explainSetting } from '../../server/config.ts';
import type { countOpen, describeLine } from './launch-checks.ts';
import type { readHealth } from './read-health.ts';

export type HealthProps = Awaited<ReturnType<typeof readHealth>>;
export type ReceiverLine = HealthProps['receivers'][number];
export type TestLine = NonNullable<HealthProps['test']>;

export type LaunchLine = ReturnType<typeof describeLine>;
export type LaunchProps = {
  lines: LaunchLine[];
  open: ReturnType<typeof countOpen>;
  /** When the checks that connect to the site were last run. */
  online: Moment | null;
};

export type SettingProps = { name: string } & NonNullable<ReturnType<typeof explainSetting>>;

export type HealthPages = {
  health: HealthProps;
  'health/launch': LaunchProps;
  'health/setting': SettingProps;
};
