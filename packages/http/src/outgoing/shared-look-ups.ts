import type { Resolve } from './outgoing-target.ts';

/**
 * Shares one look-up among concurrent calls to the same host, because the system's resolver has few threads, and one slow name
 * server would block all of them. Results are not cached.
 */
export function sharedLookUps(resolve: Resolve): Resolve {
  const underWay = new Map<string, ReturnType<Resolve>>();
  const begun = (host: string): ReturnType<Resolve> => {
    const lookUp = resolve(host).finally(() => underWay.delete(host));
    underWay.set(host, lookUp);
    return lookUp;
  };
  return (host) => underWay.get(host) ?? begun(host);
}
