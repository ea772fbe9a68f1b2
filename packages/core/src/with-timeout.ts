/**
 * Settles as `work`. After `limitMs` of real time it settles as `onTimeout` instead: with what that returns, or throws. `work`
 * itself goes on, and its result is ignored.
 */
export async function withTimeout<T, L>(work: T | Promise<T>, limitMs: number, onTimeout: () => L): Promise<T | L> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => {
    resolve(undefined);
  }, limitMs);
  try {
    return await Promise.race([work, promise.then(onTimeout)]);
  } finally {
    clearTimeout(timer);
  }
}
