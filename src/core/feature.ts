import type { Commands, FeatureFields } from './action.ts';
import type { Clock } from './clock.ts';
import type { ListPagePaths } from './content/page-view.ts';
import type { Store } from './database/open-store.ts';
import type { Schedule } from './database/schedule.ts';
import type { DeskArea } from './desk/desk-area.ts';
import type { FigureSource } from './figures/figure.ts';
import type { HmacSigner } from './hmac.ts';
import type { AdmissionDeps } from './http/admission-control.ts';
import type { Endpoint } from './http/endpoint.ts';
import type { RateCounts, RateLimit } from './http/rate-limits.ts';
import type { CounterType, GaugeType } from './http/request-counters.ts';
import type { Ids } from './ids.ts';
import type { IssueSource } from './issue-source.ts';
import type { LaunchCheck } from './launch/check.ts';
import type { MessageContext } from './message-context.ts';
import type { DeliveryKinds, DroppedKind, Receiver, ReceiverType } from './outbox/delivery.ts';
import type { DiskSpaceCheck } from './outbox/disk-space.ts';
import type { Job } from './outbox/job-scheduler.ts';
import type { NotifyOwner } from './outbox/notify-owner.ts';
import type { Outbox } from './outbox/outbox.ts';
import type { ReceiverStates } from './outbox/receivers.ts';
import type { ReportProblem } from './outbox/worker-deps.ts';
import type { CorrectableField, PersonalData } from './personal-data.ts';
import type { CoreConfig } from './settings/core-settings.ts';
import type { SettingsPart } from './settings/define-settings.ts';

/**
 * What a feature registers; core, the desk, the commands and the build iterate over the list in src/features.ts and know no
 * feature by its name. Each part is declared where it is used, and has a field here. What needs no running site is said here;
 * what runs is passed to it.
 */
export type Feature<Started extends StartedFeature = StartedFeature> = {
  name: string;
  /** Other features whose index.ts it imports: only ones that cannot be removed. */
  needs?: readonly string[];
  /** What the owner can do, by commands. */
  actions?: Commands;
  /** Its part of the environment, by the headings in .env.example. */
  settings?: Record<string, SettingsPart>;
  endpoints?: readonly Endpoint<Started>[];
  counters?: readonly CounterType[];
  gauges?: readonly GaugeType<Started>[];
  /** Opens nothing, and connects to nothing. */
  start?(core: Core): Started;
  /** Fields of a person that can be corrected on request. */
  personalFields?: readonly CorrectableField[];
  personalData?: () => Promise<{ personalData: PersonalData }>;
  /** Its table of receivers. */
  receivers?: readonly ReceiverType[];
  /** What a restore does not send again. */
  droppedByRestore?: readonly DroppedKind[];
  /** What it adds to the owner's desk, loaded when that is opened. */
  desk?(features: readonly FeatureFields[], listPagePaths: ListPagePaths): Promise<DeskArea>;
  /** What of it the newsletter can send. */
  issueSource?(): Promise<IssueSource>;
  /** Its lines of the launch checklist. */
  checks?(): Promise<readonly LaunchCheck[]>;
  /** What the desk draws, and the report prints. */
  figures?(): Promise<FigureSource>;
};

export type Lent = Readonly<Record<string, unknown>>;

/** The running parts of a feature in one process. */
export type StartedFeature = {
  /** What its actions and its desk area need beside the parts of the core, by the names that they use. */
  forOwner?: { domainDeps?: Lent; [part: string]: unknown };
  /** What a message is about: one feature at most has it. */
  messageContext?: MessageContext;
  /** Not while it is switched off; what expires its personal data goes on. */
  jobs?: readonly Job[];
  /** What is delivered, by kind, and to whom. */
  deliveries?: DeliveryKinds;
  receivers?: readonly Receiver[];
  /** Tells the owner that a receiver takes nothing. */
  reportProblem?: ReportProblem;
  /** Whether mail may go to an address. All features have to agree. */
  mayMailTo?(address: string): Promise<boolean>;
  /** Before the first visitor comes. */
  prepare?(): void;
  /** When the server begins to stop: visitors who wait are told. */
  stop?(): Promise<void>;
  /** Once nothing is delivered any more. */
  close?(): void;
};

/** What every feature may use. */
export type Core = AdmissionDeps & {
  clock: Clock;
  ids: Ids;
  config: CoreConfig;
  /** Of a part that the feature registers. */
  readSettings<Result>(part: SettingsPart<Result>): Result;
  database: Pick<Store, 'db' | 'group' | 'isPostgres' | 'location'>;
  outbox: Outbox;
  schedule: Schedule;
  receiverStates: ReceiverStates;
  hmac: HmacSigner;
  /** It outlives a change of SECRET, and all processes share it. */
  permanentHmac: HmacSigner;
  /** By the visitor's network. */
  rateLimit: RateLimit;
  /** Of which a feature makes its own limits. */
  rateCounts: RateCounts;
  /** At most so many are remembered where one process counts alone. */
  createRateCounts(max?: number): RateCounts;
  checkDiskSpace: DiskSpaceCheck;
  notifyOwner: NotifyOwner;
  /** Of all features, once they have started. */
  listReceivers(): readonly Receiver[];
  mayMailTo(address: string): Promise<boolean>;
  /** There is something to deliver. */
  wake(): void;
  /** The folder of the texts in force. */
  findContent(): string;
  /** The folder of the build that is served. */
  findBuild(): string;
};

export type StartedFeatures = ReturnType<typeof startFeatures>;

export function startFeatures(features: readonly Feature[], core: Core) {
  return collectStarted(new Map(features.map(feature => [feature.name, feature.start?.(core) ?? {}])));
}

function collectStarted(started: ReadonlyMap<string, StartedFeature>) {
  return {
    all: [...started.values()],
    /** A feature that is off starts nothing new; the next publish may change which ones are. */
    listJobs: (isOn: (name: string) => boolean): Job[] =>
      [...started].flatMap(([name, { jobs = [] }]) =>
        jobs.map(job => ({ ...job, run: async signal => isOn(name) && job.run(signal) })),
      ),
    prepare(isOn: (name: string) => boolean): void {
      for (const [name, { prepare }] of started) if (isOn(name)) prepare?.();
    },
    get<Started extends StartedFeature>({ name }: Feature<Started>): Started {
      return started.get(name) as Started;
    },
    /** With other parts of one feature: what dev and tests replace. */
    with<Started extends StartedFeature>(feature: Feature<Started>, parts: Partial<Started>) {
      const { name } = feature;
      return collectStarted(new Map([...started, [name, { ...started.get(name), ...parts }]]));
    },
  };
}
