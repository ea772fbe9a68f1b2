import { sizeOf, without, type NumberRange, type SequenceReport } from '@tocsin/events';
import { acceptedOf, unsettledOf, type Unsettled } from './partition-sequence.ts';
import type { InstanceSequences, LostNumbers, SequenceStore } from './sequence-store.ts';

/** How long the audit reports a loss. An operator cannot repair it: only its sender still has the command. */
const SHOWN_MS = 86_400_000;
const MAX_STUCK = 1_000;
/** Reads all losses that are kept: they are removed once Kafka no longer keeps their commands. */
const EVER = new Date(0);

/** Commands that were answered 202 and are lost or wait, as the audit reports them. */
interface StuckCommands {
  /** The same in each audit. */
  readonly id: string;
  /** One sentence for a person. */
  readonly text: string;
  readonly count: number;
}

/** The reports of the processes that accept commands, compared with what was settled. */
export interface ReconciliationResult {
  /** Numbers that were answered 202, of all processes that are still known. */
  readonly accepted: number;
  /** Numbers whose callers were refused, although Kafka may have the message. */
  readonly unacknowledged: number;
  /** Answered 202 and never written; found since the requested instant. */
  readonly lost: number;
  /** Answered 202 for at least 30 s, and not settled yet. */
  readonly waiting: number;
  readonly reportedAt: Date | undefined;
}

/** Records the owed numbers, and finds what is missing (promise 1). */
export class Reconciliation {
  readonly #ledger: SequenceStore;

  constructor(ledger: SequenceStore) {
    this.#ledger = ledger;
  }

  keep(report: SequenceReport, now: Date): Promise<void> {
    return this.#ledger.keep(report, now);
  }

  /** Notes what is lost. Returns what is stuck: losses of the last day, and partitions that stand still. */
  async look(now: Date): Promise<readonly StuckCommands[]> {
    const sequences = await this.#unsettled(await this.#ledger.owed(now), now);
    const found = sequences.flatMap(({ instance, isOver, lost, partition, waiting }) =>
      [...lost, ...(isOver ? waiting : [])].map((numbers) => ({ instance, partition, numbers, foundAt: now })),
    );
    await this.#ledger.note(found);
    const losses = await this.#ledger.losses(new Date(now.getTime() - SHOWN_MS));
    const waiting = sequences.filter((sequence) => sequence.waiting.length > 0 && !sequence.isOver);
    return [...losses.map(stuckLoss), ...waiting.map(stuckSequence)].slice(0, MAX_STUCK);
  }

  async balance(now: Date, since: Date): Promise<ReconciliationResult> {
    const owed = await this.#ledger.owed(now);
    const sequences = owed.flatMap((instance) => instance.sequences);
    const accepted = sequences.reduce((sum, sequence) => sum + acceptedOf(sequence), 0);
    const unsettled = await this.#unsettled(owed, now);
    const fresh = unsettled.reduce((sum, { lost }) => sum + sizeOf(lost), 0);
    const noted = (await this.#ledger.losses(since)).reduce((sum, { numbers }) => sum + sizeOf([numbers]), 0);
    return {
      accepted,
      unacknowledged: sequences.reduce((sum, { through }) => sum + through, 0) - accepted,
      lost: noted + fresh,
      waiting: unsettled.reduce((sum, { waiting }) => sum + sizeOf(waiting), 0),
      reportedAt: owed.map(({ reportedAt }) => reportedAt).toSorted((a, b) => b.getTime() - a.getTime())[0],
    };
  }

  /** The commands that are not processed, without the losses that are noted already. */
  async #unsettled(owed: readonly InstanceSequences[], now: Date): Promise<readonly UnsettledSequence[]> {
    const known = Map.groupBy(await this.#ledger.losses(EVER), placeOf);
    return owed.flatMap((instance) => unsettledOfInstance(instance, known, now));
  }
}

interface UnsettledSequence extends Unsettled {
  readonly instance: string;
  readonly partition: number;
  /** Its process ended at least a day ago: what the partition has not brought since is lost. */
  readonly isOver: boolean;
}

const placeOf = ({ instance, partition }: Pick<UnsettledSequence, 'instance' | 'partition'>): string =>
  `${instance}/${partition}`;

function unsettledOfInstance(
  { instance, sequences, reportedAt, seen }: InstanceSequences,
  known: ReadonlyMap<string, readonly LostNumbers[]>,
  now: Date,
): readonly UnsettledSequence[] {
  const isOver = now.getTime() - reportedAt.getTime() > SHOWN_MS;
  return sequences.map((sequence) => {
    const { partition } = sequence;
    const { lost, waiting } = unsettledOf(sequence, seen.get(partition) ?? { through: 0, gaps: [] }, now);
    const noted: readonly NumberRange[] = (known.get(placeOf({ instance, partition })) ?? []).map(
      ({ numbers }) => numbers,
    );
    return { instance, partition, isOver, lost: without(lost, noted), waiting: without(waiting, noted) };
  });
}

function stuckLoss({ instance, partition, numbers, foundAt }: LostNumbers): StuckCommands {
  const count = sizeOf([numbers]);
  const text = `${count} commands that were answered 202 are not on partition ${partition}: numbers ${numbers.join(' to ')} of ${instance}, found at ${foundAt.toISOString()}.`;
  return { id: `lost ${placeOf({ instance, partition })}/${numbers[0]}`, count, text };
}

function stuckSequence({ instance, partition, waiting }: UnsettledSequence): StuckCommands {
  const count = sizeOf(waiting);
  const text = `${count} commands that were answered 202 more than 30 s ago are not settled: partition ${partition} stands still, or the last of ${instance} are lost.`;
  return { id: `waiting ${placeOf({ instance, partition })}`, count, text };
}
