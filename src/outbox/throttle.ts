type PaceOptions = {
  now?: () => number;
  atOnce?: number;
};

/** A token bucket; `perSecond` may be less than one. */
export function createThrottle(
  perSecond: number,
  { now = () => performance.now(), atOnce = perSecond }: PaceOptions = {},
) {
  const most = Math.max(1, atOnce);
  let tokens = most;
  let filledAt = now();

  function fill(): void {
    const at = now();
    tokens = Math.min(most, tokens + ((at - filledAt) / 1000) * perSecond);
    filledAt = at;
  }

  return {
    available(): number {
      fill();
      return Math.floor(tokens);
    },
    take(): void {
      tokens -= 1;
    },
    waitMs(): number {
      fill();
      return Math.max(1, Math.ceil(((1 - tokens) / perSecond) * 1000));
    },
  };
}
