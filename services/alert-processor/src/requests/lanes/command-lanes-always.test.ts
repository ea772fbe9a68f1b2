import { describe, expect, it } from '@jest/globals';
import {
  AlertCommands,
  type AlertCommand,
  type BatchResult,
  type BulkAlertCommand,
  type ConsumedBatch,
  type ConsumedRecord,
} from '@tocsin/events';
import { partitionOf } from '@tocsin/kafka';
import fc from 'fast-check';
import { ACCEPTED_AT, addNote, byAlias } from '../../testing/commands-samples.ts';
import { batchOf } from '../../testing/batch-samples.ts';
import { commandsOf, type CommandBatch } from '../../alerts/apply-commands.ts';
import { FairRates } from './fair-rates.ts';
import { CommandLanes, type CommandLanesPorts } from './command-lanes.ts';

type CommandRecord = ConsumedRecord<AlertCommand>;

const RETRY: BatchResult = { outcome: 'retry', reason: 'unavailable' };
const NOW_MS = Date.parse(ACCEPTED_AT) + 1_000;

/** The fault of a call of a process. */
const Fate = fc.oneof(
  { weight: 6, arbitrary: fc.constant('succeeds' as const) },
  { weight: 1, arbitrary: fc.constant('fails before' as const) },
  { weight: 1, arbitrary: fc.constant('fails after' as const) },
);
type Fate = 'succeeds' | 'fails before' | 'fails after';

const Run = fc.record({
  /** The keys of the commands, in their order. */
  keys: fc.array(fc.constantFrom('a', 'a', 'b', 'd', 'd'), { minLength: 1, maxLength: 60 }),
  /** Whether each command is over the rate of its integration, at each count. */
  overRate: fc.infiniteStream(fc.boolean()),
  /** Whether one integration is alone, at each look. */
  isAlone: fc.infiniteStream(fc.boolean()),
  /** How much longer than a second commands wait, at each look. */
  waitsMs: fc.infiniteStream(fc.integer({ min: -800, max: 1 })),
  fates: fc.infiniteStream(Fate),
  sizes: fc.infiniteStream(fc.integer({ min: 1, max: 6 })),
  /** After how many moments each process dies, and whether it processes the partitions together. */
  lives: fc.array(fc.record({ moments: fc.integer({ min: 1, max: 30 }), isTogether: fc.boolean() }), { maxLength: 3 }),
  /** Of the process that lives. */
  isTogether: fc.boolean(),
  slots: fc.integer({ min: 1, max: 16 }),
  partitions: fc.integer({ min: 1, max: 2 }),
  bulkPartitions: fc.integer({ min: 1, max: 2 }),
  schedule: fc.scheduler(),
});
type Run = typeof Run extends fc.Arbitrary<infer T> ? T : never;

/** Kafka and MongoDB. */
class World {
  /** By partition. */
  readonly log: readonly (readonly AlertCommand[])[];
  readonly bulk: readonly BulkAlertCommand[][];
  /** The request ids, in the order in which they were processed first. */
  readonly processed: string[] = [];
  readonly positions: number[];
  readonly bulkPositions: number[];
  readonly partitions: readonly number[];

  constructor({ bulkPartitions, keys, partitions }: Pick<Run, 'bulkPartitions' | 'keys' | 'partitions'>) {
    const commands = keys.map((key, index) => ({ ...addNote(byAlias(key), 'x'), requestId: `${key}${index}` }));
    this.partitions = Array.from({ length: partitions }, (_, index) => index);
    this.log = this.partitions.map((partition) =>
      commands.filter((command) => partitionOf(AlertCommands.key(command), partitions) === partition),
    );
    this.bulk = Array.from({ length: bulkPartitions }, () => []);
    this.positions = this.log.map(() => 0);
    this.bulkPositions = this.bulk.map(() => 0);
  }

  get isDone(): boolean {
    return (
      this.log.every(({ length }, partition) => this.positions[partition] === length) &&
      this.processed.length === this.log.flat().length
    );
  }

  apply(commands: readonly AlertCommand[]): void {
    for (const { requestId } of commands) if (!this.processed.includes(requestId)) this.processed.push(requestId);
  }

  /** As the ledger with `onlyAtCheckpoint`. */
  processBatches(batches: readonly CommandBatch[]): BatchResult {
    const other = batches.find(({ partition, records }) => this.positions[partition] !== records[0]?.offset);
    if (other !== undefined && batches.length > 1) return { outcome: 'refused', reason: 'each alone' };
    if (other !== undefined) return { outcome: 'seek', offset: this.positions[other.partition] ?? 0 };
    for (const { partition, records } of batches) {
      this.apply(commandsOf(records));
      this.positions[partition] = (records[0]?.offset ?? 0) + records.length;
    }
    return { outcome: 'done' };
  }

  processBulk(partition: number, limit: number): void {
    const from = this.bulkPositions[partition] ?? 0;
    const slice = (this.bulk[partition] ?? []).slice(from, from + limit);
    this.apply(slice);
    this.bulkPositions[partition] = from + slice.length;
  }
}

/** The next value of an infinite stream. */
function next<T>(values: Iterator<T, unknown>): T {
  const result = values.next();
  if (result.done === true) throw new Error('The stream has ended.');
  return result.value;
}

/** Does `work` at some later time, or not, and answers as the call does. */
type Call = <T>(name: string, work: () => T, fate?: Fate) => Promise<T>;

/** The calls of a process until it dies. */
class Process {
  readonly #run: Run;
  readonly #world: World;
  readonly #call: Call;
  #isDead = false;

  constructor(run: Run, world: World, call: Call) {
    this.#run = run;
    this.#world = world;
    this.#call = call;
  }

  async live({ isTogether, moments }: Run['lives'][number]): Promise<void> {
    const lanes = new CommandLanes(this.#ports());
    const { partitions } = this.#world;
    const groups = isTogether ? [partitions] : partitions.map((partition) => [partition]);
    const work = [this.#refresh(lanes), ...groups.map((group) => this.#consume(lanes, group))];
    await Promise.race([Promise.all(work), this.#die(moments)]);
  }

  async #die(moments: number): Promise<void> {
    for (let left = moments; left > 0 && !this.#world.isDone; left -= 1) await this.#call('alive', () => undefined);
    this.#isDead = true;
  }

  /** The requests of a dead process are still carried out, and it gets no answer. */
  readonly #ask: Call = async (name, work, fate) => {
    const answer = await Promise.allSettled([this.#call(name, work, fate)]);
    if (this.#isDead) await new Promise(() => undefined);
    if (answer[0].status === 'rejected') throw answer[0].reason;
    return answer[0].value;
  };

  #ports(): CommandLanesPorts {
    const { fates, isAlone, overRate, slots, waitsMs } = this.#run;
    const world = this.#world;
    const ask = this.#ask;
    const publish = (commands: readonly BulkAlertCommand[]) => {
      for (const command of commands)
        world.bulk[partitionOf(AlertCommands.key(command), world.bulk.length)]?.push(command);
    };
    return {
      commands: {
        process: (batches) => ask('transaction', () => world.processBatches(batches), next(fates)).catch(() => RETRY),
        deadLetter: () => Promise.resolve({ outcome: 'done' }),
      },
      bulk: {
        bounds: () =>
          ask('ends', () => new Map(world.bulk.map(({ length }, index) => [index, { start: 0, end: length }]))),
        positions: () => ask('bulk positions', () => new Map(world.bulkPositions.entries())),
        scan: (from, take) =>
          ask('scan', () => {
            for (const [partition, offset] of from)
              for (const command of world.bulk[partition]?.slice(offset) ?? [])
                take(AlertCommands.key(command), partition);
          }),
        publish: (commands) =>
          ask(
            'publish',
            () => {
              publish(commands);
            },
            next(fates),
          ),
      },
      positions: () => ask('positions', () => new Map(world.positions.entries())),
      laterWaitMs: () => 0,
      now: () => new Date(NOW_MS + next(waitsMs)),
      onMoved: () => undefined,
      rates: { count: () => !next(overRate), isAlone: () => next(isAlone) },
      slots,
    };
  }

  async #refresh(lanes: CommandLanes): Promise<void> {
    while (!this.#world.isDone) {
      await lanes.refresh();
      await this.#ask('pause', () => undefined);
    }
  }

  /** Processes these partitions in the same batches. */
  async #consume(lanes: CommandLanes, partitions: readonly number[]): Promise<void> {
    const { log, positions } = this.#world;
    const offsets = await this.#ask('assignment', () => [...positions]);
    while (!this.#world.isDone) {
      const batches = partitions.flatMap((partition) => {
        const offset = offsets[partition] ?? 0;
        const commands = log[partition]?.slice(offset, offset + next(this.#run.sizes)) ?? [];
        return commands.length === 0 ? [] : [batchOf(commands, offset, partition)];
      });
      if (batches.length === 0) await this.#ask('idle', () => undefined);
      else await this.#process(lanes, batches, offsets);
    }
  }

  /** As a consumer: what is refused together is processed alone. */
  async #process(
    lanes: CommandLanes,
    batches: readonly ConsumedBatch<AlertCommand>[],
    offsets: number[],
  ): Promise<void> {
    const result: BatchResult = await lanes.process(batches).catch(() => RETRY);
    if (result.outcome === 'refused') for (const batch of batches) await this.#process(lanes, [batch], offsets);
    for (const { partition, records } of batches) {
      if (result.outcome === 'seek') offsets[partition] = result.offset;
      if (result.outcome === 'done') offsets[partition] = (records.at(-1)?.offset ?? 0) + 1;
    }
  }
}

async function play(run: Run): Promise<World> {
  const { isTogether, lives, schedule, sizes } = run;
  const world = new World(run);
  const call: Call = async (name, work, fate = 'succeeds') => {
    await schedule.schedule(Promise.resolve(), name);
    if (fate === 'fails before') throw new Error('unavailable');
    const answer = work();
    if (fate === 'fails after') throw new Error('no answer');
    return answer;
  };
  const consumeBulk = async (partition: number): Promise<void> => {
    while (!world.isDone) {
      const limit = next(sizes);
      // It is slow, so that much waits.
      for (let pauses = 4 * limit; pauses > 0; pauses -= 1) await call('pause of the bulk topic', () => undefined);
      await call('bulk transaction', () => {
        world.processBulk(partition, limit);
      });
    }
  };
  const all = Promise.all([
    ...[...lives, { moments: Infinity, isTogether }].map((life) => new Process(run, world, call).live(life)),
    ...world.bulk.map((_, partition) => consumeBulk(partition)),
  ]);
  await schedule.waitFor(all);
  // A process that was frozen may write more now.
  await schedule.waitIdle();
  for (const [partition, { length }] of world.bulk.entries()) world.processBulk(partition, length);
  return world;
}

describe('commands that are moved to the bulk topic', () => {
  it('are all processed, and those of one record key in order, with any deaths, freezes and repeats', async () => {
    let moved = 0;
    await fc.assert(
      fc.asyncProperty(Run, async (run) => {
        const { bulk, log, processed } = await play(run);
        moved += bulk.flat().length;
        const inOrder = (ids: readonly string[]) => Map.groupBy(ids, (id) => id[0]);
        expect(inOrder(processed)).toEqual(inOrder(log.flat().map(({ requestId }) => requestId)));
      }),
      { numRuns: 1_000 },
    );
    expect(moved).toBeGreaterThan(300);
  });
});

/** Batches of one partition, as they are read, each so long after its last command. */
const Batches = fc.array(
  fc.record({
    commands: fc.array(
      fc.record({
        sender: fc.oneof(
          { weight: 9, arbitrary: fc.constant('flood') },
          { weight: 1, arbitrary: fc.constant('quiet') },
        ),
        /** Since the command before. */
        afterMs: fc.constantFrom(0, 0, 0, 1, 10),
      }),
      { minLength: 1, maxLength: 60 },
    ),
    /** Between the last command of the batch before and the first one. */
    pauseMs: fc.constantFrom(0, 100, 1_000, 9_500, 11_000),
    waitMs: fc.integer({ min: 0, max: 1_500 }),
  }),
  { maxLength: 12 },
);

/** Lanes at a fair rate of 1 a second, and what they left of the last batch. */
function fairLanes() {
  const stage = { nowMs: 0, moved: 0, left: [] as CommandRecord[] };
  const zero = new Map([[0, 0]]);
  const lanes = new CommandLanes({
    commands: {
      process: ([batch]) => {
        stage.left = (batch?.records ?? []).flatMap(({ value, ...record }) => (value ? [{ ...record, value }] : []));
        return Promise.resolve({ outcome: 'done' });
      },
      deadLetter: () => Promise.resolve({ outcome: 'done' }),
    },
    bulk: {
      bounds: () => Promise.resolve(new Map([[0, { start: 0, end: stage.moved }]])),
      positions: () => Promise.resolve(zero),
      scan: () => Promise.resolve(),
      publish: (commands) => {
        stage.moved += commands.length;
        return Promise.resolve();
      },
    },
    positions: () => Promise.resolve(zero),
    laterWaitMs: () => 0,
    now: () => new Date(stage.nowMs),
    onMoved: () => undefined,
    rates: new FairRates(1),
  });
  return { lanes, stage };
}

function sentBy(sender: string, offset: number, timestampMs: number): CommandRecord {
  const key = String(offset);
  const value = { ...addNote(byAlias(key), 'x'), integration: { id: sender, name: sender, type: 'API' } };
  return { offset, key, timestampMs, value };
}

describe('of integrations over their fair rate', () => {
  it('moves all commands that delay another one, and none of a key that is alone and waits for less than a second', async () => {
    const count = { moved: 0, left: 0 };
    await fc.assert(
      fc.asyncProperty(Batches, async (batches) => {
        const { lanes, stage } = fairLanes();
        const sent: CommandRecord[] = [];
        let atMs = 0;
        for (const { commands, pauseMs, waitMs } of batches) {
          const movedBefore = stage.moved;
          atMs += pauseMs;
          const records = commands.map(({ afterMs, sender }, index) => {
            atMs += afterMs;
            return sentBy(sender, sent.length + index, atMs);
          });
          sent.push(...records);
          const firstMs = records[0]?.timestampMs ?? 0;
          stage.nowMs = Math.max(atMs, firstMs + waitMs);
          await lanes.process([{ ...batchOf([]), records }]);

          const latest = sent.filter(({ timestampMs }) => timestampMs >= atMs - 10_000);
          const isAlone = new Set(latest.map(({ value }) => value.integration.id)).size < 2;
          const bySpan = ({ timestampMs, value }: CommandRecord): string =>
            `${value.integration.id} ${Math.floor(timestampMs / 2_000).toString()}`;
          const most = Math.max(
            0,
            ...Map.groupBy(stage.left, bySpan)
              .values()
              .map(({ length }) => length),
          );
          const limitMs = movedBefore > 0 ? -1 : isAlone ? 1_000 : 400;
          const isWaiting = stage.nowMs - firstMs > limitMs;
          expect(isWaiting ? most <= 2 : stage.left.length === records.length).toBe(true);
          count.moved += stage.moved - movedBefore;
          if (most > 2) count.left += 1;
        }
      }),
      { numRuns: 300 },
    );
    expect([count.moved > 100, count.left > 100]).toEqual([true, true]);
  });
});
