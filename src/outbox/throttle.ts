export function createThrottle(
  perSecond: number,
  { burst = perSecond, now = () => performance.now() }: { burst?: number; now?: () => number } = {},
) {
  const capacity = Math.max(1, burst);
  let tokens = capacity;
  let refilledAt = now();

  function refill(): void {
    const at = now();
    tokens = Math.min(capacity, tokens + ((at - refilledAt) / 1000) * perSecond);
    refilledAt = at;
  }

  return {
    available(): number {
      refill();
      return Math.floor(tokens);
    },
    take(): void {
      tokens -= 1;
    },
    waitMs(): number {
      refill();
      return Math.max(1, Math.ceil(((1 - tokens) / perSecond) * 1000));
    },
  };
}
