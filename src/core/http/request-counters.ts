/** What a feature counts. Each label has its values, so that each series begins at 0. */
export type CounterType<Labels = Readonly<Record<string, readonly string[]>>> = {
  name: string;
  help: string;
  labels: Labels;
};

/** A value of each label. */
export type LabelsOf<Type extends CounterType> = {
  [Name in keyof Type['labels']]: Type['labels'][Name][number];
};

/** What a feature measures when it is asked. */
export type GaugeType<Started = unknown> = { name: string; help: string; read(started: Started): number };

export type RequestCounters = {
  /** `kind`: of an endpoint. */
  request(kind: string, status: number, ms: number): void;
  count<Type extends CounterType>(type: Type, labels: LabelsOf<Type>): void;
};
