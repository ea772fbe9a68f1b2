import { lookup, Resolver } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import type { Resolve } from './outgoing-target.ts';

/** How a name is looked up. */
export interface LookUpWays {
  /** Of name servers alone: it takes no thread. */
  readonly asked: Resolve;
  /** Of the machine, which knows more, such as its file of hosts. */
  readonly machine: Resolve;
}

const TRY_MS = 1_500;
const TRIES = 2;

/**
 * Look-ups of names that anybody may have written down. The resolver of the machine has two threads for the whole process, and
 * keeps one until it gives up, long after its caller has: two names whose server is silent would keep every other call of the
 * process waiting. So name servers are asked directly. A name that they do not tell is looked up by the machine, one at a time.
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
  if (found.length === 0) throw new Error('No name server tells an address.');
  return found;
}

const addresses = (answer: PromiseSettledResult<string[]>, family: 4 | 6): readonly LookupAddress[] =>
  answer.status === 'rejected' ? [] : answer.value.map((address) => ({ address, family }));
