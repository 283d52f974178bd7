import lighthouse, { desktopConfig } from 'lighthouse';

export const devices = ['mobile', 'desktop'] as const;
export type Device = (typeof devices)[number];

export const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
type Category = (typeof categories)[number];
/** Counted by Lighthouse as well, and no part of the goal. */
const further = 'agentic-browsing';

/** An audit without full marks, by its name, with the lowest score that it got. */
export type Shortfall = { id: string; title: string; score: number; category: string };

export type Figures = {
  scores: Partial<Record<Category | typeof further, number>>;
  fcp: number;
  lcp: number;
  speedIndex: number;
  tbt: number;
  cls: number;
  bytes: number;
  requests: number;
  /** Of what the machine can do: Lighthouse's own measure. */
  power: number;
  shortfalls: Shortfall[];
};

export type Asked = {
  url: string;
  device: Device;
  port: number;
  /** How many times slower than this machine the phone is. */
  slowdown: number;
  /** A control is compared by its times alone. */
  isControl: boolean;
  /** What a page is by design, such as one that is not to be found. */
  skipAudits: string[];
};

/** Benchmark powers at which a mid-range phone is 1, 2, 3 and 4 times slower, as Lighthouse's calculator has it; 4 is its maximum. */
const powers = [150, 800, 1300, 1533];

export function slowdownFor(power: number): number {
  const reached = powers.filter(of => of <= power).length;
  const [low, high] = [powers[reached - 1], powers[reached]];
  if (low === undefined || high === undefined) return Math.max(1, reached);
  return Math.round(10 * (reached + (power - low) / (high - low))) / 10;
}

/** One run of Lighthouse in the browser that listens on a port. */
export async function visitPage(asked: Asked): Promise<Figures> {
  const result = await lighthouse(
    asked.url,
    {
      port: asked.port,
      logLevel: 'silent',
      onlyCategories: asked.isControl ? ['performance'] : [...categories, further],
      skipAudits: asked.skipAudits,
      ...(asked.device === 'mobile' && { throttling: { cpuSlowdownMultiplier: asked.slowdown } }),
      ignoreStatusCode: true,
      precomputedLanternData: reckonWithout(new URL(asked.url).origin),
      disableFullPageScreenshot: true,
    },
    asked.device === 'desktop' ? desktopConfig : undefined,
  );
  const error = result?.lhr.runtimeError;
  if (!result || error) throw new Error(`Lighthouse could not read ${asked.url}: ${error?.message}`);
  return readFigures(result.lhr);
}

/** The simulation has a wire of its own: the one to this server, and how busy the machine is, are left out of it. */
function reckonWithout(origin: string) {
  return { additionalRttByOrigin: { [origin]: 0 }, serverResponseTimeByOrigin: { [origin]: 1 } };
}

/** What is read of Lighthouse's own type, which is there only where proof/ is installed. */
type Report = {
  audits: Record<
    string,
    { score: number | null; title: string; numericValue?: number; errorMessage?: string; details?: unknown }
  >;
  categories: Record<string, { id: string; score: number | null; auditRefs: { id: string }[] }>;
  environment: { benchmarkIndex: number };
};

function readFigures({ audits, categories: found, environment }: Report): Figures {
  const number = (id: string) => {
    const value = audits[id]?.numericValue;
    if (value === undefined) throw new Error(`Lighthouse has no ${id}: ${audits[id]?.errorMessage}`);
    return value;
  };
  const sent = sentOver(audits['network-requests']?.details);
  return {
    scores: Object.fromEntries(
      Object.values(found).map(({ id, score }) => [id, Math.round((score ?? 0) * 100)]),
    ),
    fcp: number('first-contentful-paint'),
    lcp: number('largest-contentful-paint'),
    speedIndex: number('speed-index'),
    tbt: number('total-blocking-time'),
    cls: number('cumulative-layout-shift'),
    bytes: sent.reduce((sum, bytes) => sum + bytes, 0),
    requests: sent.length,
    power: environment.benchmarkIndex,
    shortfalls: Object.values(found).flatMap(({ id: category, auditRefs }) =>
      auditRefs.flatMap(({ id }) => {
        const { score, title = id } = audits[id] ?? {};
        return typeof score === 'number' && score < 1 ? [{ id, title, score, category }] : [];
      }),
    ),
  };
}

/** The bytes of each request that went over the network. */
function sentOver(details: unknown): number[] {
  const { items = [] } = (details ?? {}) as { items?: { transferSize?: number }[] };
  return items.map(({ transferSize = 0 }) => transferSize).filter(bytes => bytes > 0);
}
