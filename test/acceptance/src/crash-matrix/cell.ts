import { setTimeout as pause } from 'node:timers/promises';
import { casesOf, eventually } from '@tocsin/testkit';
import { Api } from '../system/api.ts';
import { Ledger } from '../system/ledger.ts';
import type { ServiceProcess } from '../system/service-process.ts';
import { keyOf, PagedPeople } from './paged-people.ts';
import type { Manner, Point } from './points.ts';
import type { Row } from './table.ts';
import type { WatchedSystem } from './watched-system.ts';

/** Longer than leases (5 s) and the membership of groups (6 s) last. */
const FROZEN_MS = casesOf({ usual: 7_000, deep: 10_000 });
const POINT_WITHIN_MS = 120_000;
const TIMED_POINT_WITHIN_MS = 200_000;
const RECOVERED = { everyMs: 50 };
const BALANCED = { everyMs: 500 };

/** The errors besides those in the row, if any. */
export interface Findings {
  readonly row: Row;
  readonly missing: readonly string[];
  /** Pages to a user who should not have been paged about that alert. */
  readonly strangers: readonly string[];
  /** Messages that came more often than once, or than twice where a send was cut. */
  readonly unexplained: readonly string[];
  /** Requests that did not settle well. */
  readonly unsettled: readonly string[];
}

/** A message as the notifier keeps it. */
interface SendingRow {
  readonly _id: string;
  readonly to: string;
  readonly page?: { readonly alert: { readonly alias: string } };
}

/** A moment at which a process was cut, and the mails whose outcome was not written then. */
interface Cut {
  readonly at: number;
  readonly sends: ReadonlySet<string>;
}

/** Pages people, cuts the process at the point, lets it come back, and answers what came of all that. */
export async function runCell(
  system: WatchedSystem,
  { cell, manner, point }: { readonly cell: number; readonly manner: Manner; readonly point: Point },
): Promise<Findings> {
  system.mailbox.clear();
  const api = new Api(system.installation.gatewayUrl);
  const people = new PagedPeople(api, system.mailbox, { cell, isTimed: point.isTimed === true });
  await people.create();
  const reached = point.isTimed ? undefined : cutAt(system, point, manner);
  const accepted = people.page();
  // Where the point is not reached, no process waits for it.
  accepted.catch(() => undefined);
  const timed = async (): Promise<Cut> => {
    await accepted;
    await notified(people, people.expectedAtOnce);
    return cutAt(system, point, manner);
  };
  const cut = await Promise.race([reached ?? timed(), tooLate(point)]).finally(() => {
    system.watch(() => 'pass');
  });
  const isBack = manner === 'killed' ? system.processOf(point.asked.victim).start() : thawed(system, point, cut);
  const recovered = recoveryOf(api, people, accepted);
  const [{ unsettled, at }, leave] = await Promise.all([recovered, isBack]);
  const ledgerBalances = await balances(system);
  await leave?.();
  return findingsOf(people, cut, { point, manner, recoveredAfterMs: at - cut.at, ledgerBalances }, unsettled);
}

/** Cuts the process the first time that it comes to the point. What was under way at the point stays there. */
function cutAt(system: WatchedSystem, { asked }: Point, manner: Manner): Promise<Cut> {
  const victim = system.processOf(asked.victim);
  return new Promise((resolve, reject) => {
    system.watch(({ of, victim: name, what, when }) => {
      const isAsked = what === asked.what || what.startsWith(`${asked.what} `);
      if (name !== asked.victim || when !== asked.when || of !== asked.of || !isAsked) return 'pass';
      system.watch(() => 'pass');
      const at = performance.now();
      const isCut = manner === 'killed' ? victim.kill() : frozen(victim);
      isCut
        .then(() => sendsUnderWay(system))
        .then((sends) => {
          resolve({ at, sends });
        }, reject);
      return 'hold';
    });
  });
}

async function frozen(victim: ServiceProcess): Promise<void> {
  victim.freeze();
  await pause(0);
}

async function tooLate({ asked, isTimed, named }: Point): Promise<never> {
  const withinMs = isTimed ? TIMED_POINT_WITHIN_MS : POINT_WITHIN_MS;
  await pause(withinMs, undefined, { ref: false });
  throw new Error(`${asked.victim} did not come to the point ${named} within ${withinMs / 1_000} s.`);
}

/** The mails that were handed over or about to be, and whose outcome was not written. */
async function sendsUnderWay({ installation }: WatchedSystem): Promise<ReadonlySet<string>> {
  const rows = await installation.stored.rows<SendingRow>('notifier', 'deliveries', { state: 'sending' });
  return new Set(rows.map(({ page, to }) => keyOf({ alias: page?.alert.alias ?? '', address: to })));
}

/** Lets another process take over what the frozen one has, and then that one go on. Resolves with how the other one leaves again. */
async function thawed(system: WatchedSystem, { asked }: Point, cut: Cut): Promise<() => Promise<void>> {
  const another = await system.another(asked.victim);
  const started = another.start();
  await pause(cut.at + FROZEN_MS - performance.now());
  system.processOf(asked.victim).thaw();
  system.release();
  await started;
  return () => another.stop();
}

/** Until all is accepted and settled and every user was notified, or it takes too long. */
async function recoveryOf(api: Api, people: PagedPeople, accepted: Promise<void>) {
  const problems: string[] = [];
  const tried = async (what: string, work: () => Promise<unknown>) => {
    await work().catch((error: unknown) => problems.push(`${what}: ${String(error)}`));
  };
  await tried('not accepted', () => accepted);
  await tried('not notified', () => notified(people, people.expected));
  for (const id of people.accepted)
    await tried(`not settled: ${id}`, () => eventually(() => settledWell(api, id), RECOVERED));
  return { unsettled: problems, at: performance.now() };
}

async function settledWell(api: Api, requestId: string): Promise<void> {
  const { isSuccess, status } = await api.read<{ isSuccess: boolean; status: string }>(
    `/v2/alerts/requests/${requestId}`,
  );
  if (!isSuccess) throw new Error(status);
}

/** Resolves when all of `expected` have been notified. */
const notified = (people: PagedPeople, expected: PagedPeople['expected']): Promise<void> =>
  eventually(() => {
    const missing = missingOf(people, expected);
    if (missing.length > 0) throw new Error(missing.join());
  }, RECOVERED);

const missingOf = (people: PagedPeople, expected = people.expected): readonly string[] => {
  const mails = people.mails();
  return expected.map(keyOf).filter((key) => !mails.has(key));
};

/** Whether no service owes anything, and no message waits. */
async function balances({ installation }: WatchedSystem): Promise<boolean> {
  const ledger = new Ledger(installation);
  const settled = eventually(async () => {
    const reconciliation = await ledger.read();
    if (!reconciliation.balances || reconciliation.messages.waiting > 0)
      throw new Error(JSON.stringify(reconciliation));
  }, BALANCED);
  return settled.then(
    () => true,
    () => false,
  );
}

function findingsOf(
  people: PagedPeople,
  { sends }: Cut,
  of: Pick<Row, 'point' | 'manner' | 'recoveredAfterMs' | 'ledgerBalances'>,
  unsettled: readonly string[],
): Findings {
  const mails = people.mails();
  const wanted = new Set(people.expected.map(keyOf));
  const extra = [...mails].filter(([, count]) => count > 1);
  return {
    row: {
      ...of,
      expected: wanted.size,
      received: [...mails.keys()].filter((key) => wanted.has(key)).length,
      cutSends: sends.size,
      duplicates: extra.reduce((sum, [, count]) => sum + count - 1, 0),
    },
    missing: missingOf(people),
    strangers: [...mails.keys()].filter((key) => !wanted.has(key)),
    unexplained: extra
      .filter(([key, count]) => count > (sends.has(key) ? 2 : 1))
      .map(([key, count]) => `${count} x ${key}`),
    unsettled,
  };
}
