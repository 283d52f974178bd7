import type { Place } from './places.ts';

export type Level = 'required' | 'recommended';
export type State = 'ready' | 'failed' | 'not checked';

/** `detail` says what was found, `advice` what to do about it with files and commands. */
export type CheckResult = { state: State; detail: string; advice?: string; level?: Level };

type Run<Context> = (context: Context) => CheckResult | Promise<CheckResult>;

/** One line of the launch checklist. `Context` is what it looks at. */
export type LaunchCheck<Context = unknown> = {
  name: string;
  level: Level;
  reason: string;
  place: Place;
  needsServer?: boolean;
  /** It connects to the site, or asks for DNS records. */
  asksNetwork?: boolean;
  /** The check that it stands below; the last one, where that is not among them. */
  after?: string;
  run(context: Context): CheckResult | Promise<CheckResult>;
};

/** Before the first start there is no database to look at. */
export type ClosedSite = { reason: string; isBroken: boolean };

export function required<Context>(
  name: string,
  reason: string,
  place: Place,
  run: Run<Context>,
): LaunchCheck<Context> {
  return { name, level: 'required', reason, place, run };
}

export function recommended<Context>(
  name: string,
  reason: string,
  place: Place,
  run: Run<Context>,
): LaunchCheck<Context> {
  return { name, level: 'recommended', reason, place, run };
}

export function serverOnly<Context>(...checks: LaunchCheck<Context>[]): LaunchCheck<Context>[] {
  return checks.map(check => ({ ...check, needsServer: true }));
}

export function online<Context>(...checks: LaunchCheck<Context>[]): LaunchCheck<Context>[] {
  return checks.map(check => ({ ...check, asksNetwork: true }));
}

/** One below the other, the first below the check of this name. */
export function below<Context>(name: string, ...checks: LaunchCheck<Context>[]): LaunchCheck<Context>[] {
  return checks.map((check, index) => ({ ...check, after: checks[index - 1]?.name ?? name }));
}

export function ready(detail: string): CheckResult {
  return { state: 'ready', detail };
}

export function failed(detail: string, advice?: string, level?: Level): CheckResult {
  return { state: 'failed', detail, ...(advice && { advice }), ...(level && { level }) };
}

export function notChecked(detail: string, advice?: string): CheckResult {
  return { state: 'not checked', detail, ...(advice && { advice }) };
}

type RunWithSite<Site, Context> = (site: Site, context: Context) => CheckResult | Promise<CheckResult>;

export function withSite<Site extends object, Context extends object>(
  run: RunWithSite<Site, Context>,
): Run<Context & { site: Site | ClosedSite }> {
  return context =>
    'isBroken' in context.site ? notChecked(context.site.reason) : run(context.site as Site, context);
}

export function afterFirstStart<Site extends object, Context extends object>(
  command: string,
  run: RunWithSite<Site, Context>,
): Run<Context & { site: Site | ClosedSite }> {
  return context => {
    if (!('isBroken' in context.site) || context.site.isBroken) return withSite(run)(context);
    return failed(context.site.reason, `start the site, then run: ${command}`);
  };
}
