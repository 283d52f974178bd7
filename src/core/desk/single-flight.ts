/** A form that is sent twice acts once: the second request gets the result of the first. */
export function createSingleFlight<Result>() {
  const running = new Map<string, Promise<Result>>();
  let last: { key: string; result: Result } | undefined;
  return {
    async run(key: string, act: () => Promise<Result>): Promise<Result> {
      const flight = running.get(key) ?? act().finally(() => running.delete(key));
      running.set(key, flight);
      const result = await flight;
      last = { key, result };
      return result;
    },
    /** For a request that finds nothing left to do. */
    findLast: (key: string): Result | undefined => (last?.key === key ? last.result : undefined),
  };
}
