export function withTimeout<T>(ms: number, work: PromiseLike<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  Promise.resolve(work)
    .then(resolve, reject)
    .finally(() => clearTimeout(timer));
  return promise;
}
