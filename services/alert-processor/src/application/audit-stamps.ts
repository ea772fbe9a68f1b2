import { sizeOf, without, type NumberRange, type StampReport } from '@tocsin/contracts';
import type { Stuck } from '@tocsin/persistence';
import { acceptedOf, unsettledOf, type Unsettled } from '../domain/owed.ts';
import type { OwedInstance, StampLedger, StampLoss } from '../ports/stamp-ledger.ts';

/** How long the audit reports a loss. Nobody can repair it: only its sender still has the command. */
const SHOWN_MS = 86_400_000;
const MOST_STUCK = 1_000;
/** Reads all losses that are kept: they are removed once Kafka no longer keeps their commands. */
const EVER = new Date(0);

/** The reports of the processes that accept commands, compared with what was settled. */
export interface StampBalance {
  /** Numbers that were answered 202, of all processes that are still known. */
  readonly accepted: number;
  /** Numbers whose callers were refused, although Kafka may have the message. */
  readonly givenUp: number;
  /** Answered 202 and never written; found since the requested instant. */
  readonly lost: number;
  /** Answered 202 for at least 30 s, and not settled yet. */
  readonly waiting: number;
  readonly reportedAt: Date | undefined;
}

/** Records what is owed, and finds what is missing (promise 1). */
export class AuditStamps {
  readonly #ledger: StampLedger;

  constructor(ledger: StampLedger) {
    this.#ledger = ledger;
  }

  keep(report: StampReport, now: Date): Promise<void> {
    return this.#ledger.keep(report, now);
  }

  /** Notes what is lost. Returns what is stuck: losses of the last day, and partitions that stand still. */
  async look(now: Date): Promise<readonly Stuck[]> {
    const lanes = await this.#unsettled(await this.#ledger.owed(now), now);
    const found = lanes.flatMap(({ instance, isOver, lost, partition, waiting }) =>
      [...lost, ...(isOver ? waiting : [])].map((numbers) => ({ instance, partition, numbers, foundAt: now })),
    );
    await this.#ledger.note(found);
    const losses = await this.#ledger.losses(new Date(now.getTime() - SHOWN_MS));
    const waiting = lanes.filter((lane) => lane.waiting.length > 0 && !lane.isOver);
    return [...losses.map(stuckLoss), ...waiting.map(stuckLane)].slice(0, MOST_STUCK);
  }

  async balance(now: Date, since: Date): Promise<StampBalance> {
    const owed = await this.#ledger.owed(now);
    const lanes = owed.flatMap((instance) => instance.lanes);
    const accepted = lanes.reduce((sum, lane) => sum + acceptedOf(lane), 0);
    const unsettled = await this.#unsettled(owed, now);
    const fresh = unsettled.reduce((sum, { lost }) => sum + sizeOf(lost), 0);
    const noted = (await this.#ledger.losses(since)).reduce((sum, { numbers }) => sum + sizeOf([numbers]), 0);
    return {
      accepted,
      givenUp: lanes.reduce((sum, { through }) => sum + through, 0) - accepted,
      lost: noted + fresh,
      waiting: unsettled.reduce((sum, { waiting }) => sum + sizeOf(waiting), 0),
      reportedAt: owed.map(({ reportedAt }) => reportedAt).toSorted((a, b) => b.getTime() - a.getTime())[0],
    };
  }

  /** What is not settled, without the losses that are noted already. */
  async #unsettled(owed: readonly OwedInstance[], now: Date): Promise<readonly UnsettledLane[]> {
    const known = Map.groupBy(await this.#ledger.losses(EVER), placeOf);
    return owed.flatMap((instance) => lanesOf(instance, known, now));
  }
}

interface UnsettledLane extends Unsettled {
  readonly instance: string;
  readonly partition: number;
  /** Its process ended at least a day ago: what the partition has not brought since is lost. */
  readonly isOver: boolean;
}

const placeOf = ({ instance, partition }: Pick<UnsettledLane, 'instance' | 'partition'>): string =>
  `${instance}/${partition}`;

function lanesOf(
  { instance, lanes, reportedAt, seen }: OwedInstance,
  known: ReadonlyMap<string, readonly StampLoss[]>,
  now: Date,
): readonly UnsettledLane[] {
  const isOver = now.getTime() - reportedAt.getTime() > SHOWN_MS;
  return lanes.map((lane) => {
    const { partition } = lane;
    const { lost, waiting } = unsettledOf(lane, seen.get(partition) ?? { through: 0, gaps: [] }, now);
    const noted: readonly NumberRange[] = (known.get(placeOf({ instance, partition })) ?? []).map(
      ({ numbers }) => numbers,
    );
    return { instance, partition, isOver, lost: without(lost, noted), waiting: without(waiting, noted) };
  });
}

function stuckLoss({ instance, partition, numbers, foundAt }: StampLoss): Stuck {
  const count = sizeOf([numbers]);
  const text = `${count} commands that were answered 202 are not on partition ${partition}: numbers ${numbers.join(' to ')} of ${instance}, found at ${foundAt.toISOString()}.`;
  return { id: `lost ${placeOf({ instance, partition })}/${numbers[0]}`, count, text };
}

function stuckLane({ instance, partition, waiting }: UnsettledLane): Stuck {
  const count = sizeOf(waiting);
  const text = `${count} commands that were answered 202 more than 30 s ago are not settled: partition ${partition} stands still, or the last of ${instance} are lost.`;
  return { id: `waiting ${placeOf({ instance, partition })}`, count, text };
}
