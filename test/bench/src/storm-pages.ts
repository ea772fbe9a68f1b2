import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import type { BodyOf, Target } from './ingest-load.ts';
import type { PagesMailbox } from './pages-mailbox.ts';

/** The result of the pages of one user whose key sends little. */
export interface QuietPages {
  /** Request ids of the 202s. */
  readonly accepted: readonly string[];
  /** Answer -> how often it was sent again for that. */
  readonly refused: ReadonlyMap<string, number>;
  /** From the first sending of each page to its mail, ascending; infinite where none came. */
  readonly waitsMs: Float64Array;
}

interface QuietLoad {
  readonly perSecond: number;
  readonly seconds: number;
  /** The bodies from the number `first` on are sent. */
  readonly bodyOf: BodyOf;
  readonly first: number;
}

/** After so long without any mail the missing ones are lost. */
const PATIENCE_MS = 20_000;
const LOOK_MS = 20;

/** Pages at an even pace, as senders of alerts do: who is refused comes again as answered. Ends when the mails came, or come no more. */
export async function quietPages(target: Target, mailbox: PagesMailbox, load: QuietLoad): Promise<QuietPages> {
  const { url, path, headers } = target;
  const [accepted, refused] = [[] as string[], new Map<string, number>()];
  const pool = new Pool(url, { connections: 16, pipelining: 1 });
  const page = async (number: number): Promise<void> => {
    for (const until = performance.now() + PATIENCE_MS; performance.now() < until;) {
      const answer = await pool.request({ method: 'POST', path, headers, body: load.bodyOf(number) });
      await answer.body.dump();
      const status = String(answer.statusCode);
      if (status === '202') return void accepted.push(String(answer.headers['x-request-id']));
      refused.set(status, (refused.get(status) ?? 0) + 1);
      await pause(1_000 * Number(answer.headers['retry-after'] ?? 1));
    }
  };
  const startedAt = performance.now();
  const sent: { readonly at: number; readonly number: number; readonly done: Promise<void> }[] = [];
  while (sent.length < load.perSecond * load.seconds) {
    await pause(Math.max(0, startedAt + (1_000 * sent.length) / load.perSecond - performance.now()));
    const number = load.first + sent.length;
    sent.push({ at: performance.now(), number, done: page(number) });
  }
  await Promise.all(sent.map(({ done }) => done));
  const arrived = (): number => sent.filter(({ number }) => mailbox.arrivals.has(number)).length;
  await noMoreCome(arrived, accepted.length, PATIENCE_MS);
  await pool.close();
  const waits = sent.map(({ at, number }) => (mailbox.arrivals.get(number) ?? Infinity) - at);
  return { accepted, refused, waitsMs: Float64Array.from(waits).sort() };
}

/** Resolves when `count` has come to `expected`, or has not grown for `patienceMs`. */
export async function noMoreCome(count: () => number, expected: number, patienceMs: number): Promise<void> {
  let [seen, at] = [count(), performance.now()];
  while (seen < expected && performance.now() < at + patienceMs) {
    await pause(LOOK_MS);
    const now = count();
    if (now > seen) [seen, at] = [now, performance.now()];
  }
}
