import { lookup, Resolver } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import type { Resolve } from './outgoing-target.ts';

/** Two ways to look a name up. */
export interface LookUpWays {
  /** Asks name servers directly, which takes no thread. */
  readonly asked: Resolve;
  /** The system's resolver, which also knows the hosts file. */
  readonly machine: Resolve;
}

const TRY_MS = 1_500;
const TRIES = 2;

/**
 * Look-ups of names that users wrote. The system's resolver has two threads for the whole process, and blocks one until it gives
 * up, long after its caller has. So two names with a silent name server would block all other calls of the process. Therefore
 * name servers are asked directly. Only a name that they do not know is looked up by the system, one at a time.
 */
export function lookUpsApart({ asked, machine }: LookUpWays = WAYS): Resolve {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn: Resolve = (host) => {
    const found = last.then(() => machine(host));
    last = found.catch(() => undefined);
    return found;
  };
  return (host) => asked(host).catch(() => inTurn(host));
}

const WAYS: LookUpWays = { asked: askServers, machine: (host) => lookup(host, { all: true }) };

async function askServers(host: string): Promise<readonly LookupAddress[]> {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = [...addresses(four, 4), ...addresses(six, 6)];
  if (found.length === 0) throw new Error('No name server answers with an address.');
  return found;
}

const addresses = (answer: PromiseSettledResult<string[]>, family: 4 | 6): readonly LookupAddress[] =>
  answer.status === 'rejected' ? [] : answer.value.map((address) => ({ address, family }));
