import type { Resolve } from './outgoing-target.ts';

/**
 * Many calls to one host at once ask for its addresses once: the resolver of the machine has few threads, and one name server
 * that is slow would keep all of them. What was answered is not kept.
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
