export type Histogram = {
  add(ms: number): void;
  count(): number;
  /** The latency in milliseconds that this share of the answers stayed within. */
  quantile(share: number): number;
};

const bucketMs = 0.01;
const buckets = 200_000;

/** Latencies in steps of 10 µs up to 2 s; what is longer counts as 2 s. */
export function createHistogram(): Histogram {
  const counts = new Uint32Array(buckets);
  let total = 0;
  return {
    add(ms) {
      const bucket = Math.min(buckets - 1, Math.floor(ms / bucketMs));
      counts[bucket] = (counts[bucket] ?? 0) + 1;
      total++;
    },
    count: () => total,
    quantile(share) {
      let seen = 0;
      const bucket = counts.findIndex(count => {
        seen += count;
        return seen >= share * total;
      });
      return (bucket + 1) * bucketMs;
    },
  };
}
