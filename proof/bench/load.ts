import autocannon from 'autocannon';

export type LoadOrder = {
  /** The connections are spread over them evenly. */
  ports: readonly number[];
  path: string;
  connections: number;
  seconds: number;
  /** JSON to post; without it the path is fetched. */
  post?: string;
};
export type LoadResult = { requests: number; seconds: number; p99Ms: number };

/** Each connection asks again as soon as it is answered. Anything but a 200 as long as the others of its server is an error. */
export async function runLoad({ ports, path, connections, seconds, post }: LoadOrder): Promise<LoadResult> {
  const times: number[] = [];
  const lengths = new Set<number>();
  const running = autocannon({
    url: ports.map(port => `http://127.0.0.1:${port}${path}`),
    ...(post ? { method: 'POST', body: post } : {}),
    headers: post ? { 'content-type': 'application/json' } : { 'accept-encoding': 'gzip' },
    connections,
    duration: seconds,
    sampleInt: 50,
  });
  // Its own histogram has whole milliseconds.
  running.on('response', (_client, _status, bytes, ms) => {
    times.push(ms);
    lengths.add(bytes);
  });
  const { duration, errors, non2xx } = await running;
  if (errors + non2xx > 0 || times.length === 0 || lengths.size > 1)
    throw new Error(
      `${path}: ${times.length} answers of ${[...lengths]} bytes, ${non2xx} refused, ${errors} errors`,
    );
  times.sort((one, other) => one - other);
  const p99Ms = times[Math.ceil(times.length * 0.99) - 1] as number;
  return { requests: times.length, seconds: duration, p99Ms };
}
