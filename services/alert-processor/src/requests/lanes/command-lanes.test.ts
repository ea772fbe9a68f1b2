import { setImmediate as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { AlertCommand, BulkAlertCommand, BatchResult } from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';
import { batchOf } from '../../testing/batch-samples.ts';
import { ACCEPTED_AT, acknowledge, byAlias, create } from '../../testing/commands-samples.ts';
import { FairRates } from './fair-rates.ts';
import { commandsOf, type CommandBatch } from '../../alerts/apply-commands.ts';
import { CommandLanes, type CommandLanesPorts } from './command-lanes.ts';

const flood = (alias: string, more: Parameters<typeof create>[1] = {}) =>
  create(alias, { integration: { id: 'flood', name: 'Flood', type: 'API' }, ...more });
const quiet = (alias: string) => create(alias, { integration: { id: 'quiet', name: 'Quiet', type: 'API' } });

function setUp(more: Partial<CommandLanesPorts> = {}) {
  const stage = {
    /** How long the oldest command waits. */
    waitMs: 1_100,
    laterWaitMs: 0,
    bulk: [] as BulkAlertCommand[],
    bulkPosition: 0,
    /** The next question for the position of the bulk topic is answered after it. */
    answered: undefined as Promise<undefined> | undefined,
    isKafkaUnavailable: false,
    processed: [] as AlertCommand[],
    positions: new Map<number, number>(),
    moved: [] as string[],
    scans: 0,
    answer: undefined as BatchResult | undefined,
  };
  const apply = (batches: readonly CommandBatch[]): BatchResult => {
    if (stage.answer !== undefined) return stage.answer;
    for (const { partition, records } of batches) {
      stage.processed.push(...commandsOf(records));
      stage.positions.set(partition, (records.at(-1)?.offset ?? 0) + 1);
    }
    return { outcome: 'done' };
  };
  const lanes = new CommandLanes({
    commands: {
      process: (batches) => Promise.resolve(apply(batches)),
      deadLetter: ({ offset, partition }) => {
        stage.positions.set(partition, offset + 1);
        return Promise.resolve({ outcome: 'done' });
      },
    },
    bulk: {
      bounds: () => Promise.resolve(new Map([[0, { start: 0, end: stage.bulk.length }]])),
      positions: async () => {
        const { answered } = stage;
        stage.answered = undefined;
        await answered;
        return new Map([[0, stage.bulkPosition]]);
      },
      scan: (from, take) => {
        stage.scans += 1;
        for (const command of stage.bulk.slice(from.get(0))) take(command.identifier.value, 0);
        return Promise.resolve();
      },
      publish: async (commands) => {
        await pause();
        if (stage.isKafkaUnavailable) throw new UnavailableError('unavailable');
        stage.bulk.push(...commands);
      },
    },
    positions: () => Promise.resolve(stage.positions),
    rates: new FairRates(10),
    laterWaitMs: () => stage.laterWaitMs,
    now: () => new Date(Date.parse(ACCEPTED_AT) + stage.waitMs),
    onMoved: ({ identifier }, reason) => stage.moved.push(`${identifier.value} ${reason}`),
    ...more,
  });
  let offset = 0;
  return {
    stage,
    lanes,
    give: async (...commands: readonly AlertCommand[]) => {
      const result = await lanes.process([batchOf(commands, offset)]);
      if (result.outcome === 'done') offset += commands.length;
      return result;
    },
    bulkProcessed: () => {
      stage.bulkPosition = stage.bulk.length;
      return lanes.refresh();
    },
  };
}

const names = (commands: readonly AlertCommand[]) => commands.map(({ identifier }) => identifier.value);
const many = (count: number, name = 'f') =>
  Array.from({ length: count }, (_, index) => flood(`${name}${String(index)}`));

describe('an integration that sends more than its fair rate while commands wait', () => {
  it('is delayed beyond that rate, and no other', async () => {
    const { give, stage } = setUp();
    await give(...many(22), quiet('q'));
    expect(names(stage.bulk)).toEqual(['f20', 'f21']);
    expect(names(stage.processed)).toEqual([...names(many(20)), 'q']);
    expect(stage.moved).toEqual(['f20 rate', 'f21 rate']);
  });

  it('is delayed while records wait at the later stages, and not while none wait', async () => {
    const idle = setUp();
    idle.stage.waitMs = 100;
    await idle.give(...many(22));
    expect(idle.stage.bulk).toEqual([]);
    const later = setUp();
    later.stage.waitMs = 100;
    later.stage.laterWaitMs = 350;
    await later.give(quiet('q'), ...many(22));
    expect(names(later.stage.bulk)).toEqual(['f20', 'f21']);
  });

  it('is delayed until none of its commands waits any more', async () => {
    const { bulkProcessed, give, stage } = setUp();
    await give(quiet('q'), ...many(21));
    stage.waitMs = 0;
    await give(...many(1, 'g'));
    expect(names(stage.bulk)).toEqual(['f20', 'g0']);
    await bulkProcessed();
    await bulkProcessed();
    await give(...many(1, 'h'));
    expect(names(stage.bulk)).toEqual(['f20', 'g0']);
  });

  it('is not delayed while it is alone and its commands wait for less than a second', async () => {
    const { give, stage } = setUp();
    stage.waitMs = 900;
    await give(...many(30));
    expect(stage.bulk).toEqual([]);
    await give(quiet('q'), ...many(2, 'g'));
    expect(names(stage.bulk)).toEqual(['g0', 'g1']);
  });

  it('is delayed while its commands wait in the bulk topic, also where it is alone: later ones do not overtake them', async () => {
    const { give, stage } = setUp();
    await give(...many(22));
    stage.waitMs = 0;
    await give(...many(2, 'g'));
    expect([names(stage.bulk), names(stage.processed).slice(20)]).toEqual([['f20', 'f21', 'g0', 'g1'], []]);
  });

  it('is not delayed in commands that end work, nor in its first creates of priority P1', async () => {
    const { give, stage } = setUp();
    const urgent = flood('urgent', { alert: { priority: 'P1' } });
    const end = { ...acknowledge(byAlias('open')), integration: urgent.integration };
    await give(...many(20), urgent, end);
    expect(stage.bulk).toEqual([]);
  });
});

describe('a command of a record key that has a command in the bulk topic', () => {
  it('is moved behind it, whichever integration sent it and whatever it does', async () => {
    const { bulkProcessed, give, stage } = setUp();
    await give(...many(21));
    await give(acknowledge(byAlias('f20')), quiet('f20'), acknowledge(byAlias('f1')));
    expect(names(stage.bulk)).toEqual(['f20', 'f20', 'f20']);
    expect(stage.moved.slice(1)).toEqual(['f20 order', 'f20 order']);
    await bulkProcessed();
    await bulkProcessed();
    await give(quiet('f20'));
    expect(stage.bulk).toHaveLength(3);
  });

  it('is known to a process that gets the partition', async () => {
    const first = setUp();
    await first.give(...many(21));
    const second = setUp();
    Object.assign(second.stage, { bulk: first.stage.bulk, positions: first.stage.positions, waitMs: 0 });
    await second.lanes.process([batchOf([quiet('f20'), quiet('q')], 21)]);
    expect([names(second.stage.bulk), names(second.stage.processed)]).toEqual([['f20', 'f20'], ['q']]);
    expect(second.stage.scans).toBe(1);
  });

  it('is known to batches of two partitions that come at once to a process that has just begun', async () => {
    const { lanes, stage } = setUp();
    await Promise.all([
      lanes.process([batchOf(many(21))]),
      lanes.process([{ ...batchOf([quiet('q')]), partition: 1 }]),
    ]);
    await lanes.process([batchOf([quiet('f20')], 21)]);
    expect([names(stage.bulk), names(stage.processed).includes('f20')]).toEqual([['f20', 'f20'], false]);
  });

  it('is known where another process wrote it while this one asked for the ends of the topic', async () => {
    const { lanes, give, stage } = setUp();
    await give(...many(21));
    const { promise, resolve } = Promise.withResolvers<undefined>();
    stage.answered = promise;
    const refreshed = lanes.refresh();
    while (stage.answered === promise) await pause();
    stage.bulk.push(quiet('x'));
    stage.bulkPosition = 1;
    stage.positions.set(0, 30);
    const processed = lanes.process([batchOf([quiet('q')], 30)]);
    await pause();
    resolve(undefined);
    await Promise.all([refreshed, processed]);
    await lanes.process([batchOf([quiet('x')], 31)]);
    expect(names(stage.bulk)).toEqual(['f20', 'x', 'x']);
  });

  it('keeps that it was late', async () => {
    const { lanes, give, stage } = setUp();
    await give(...many(21));
    const batch = batchOf([quiet('f20')], 21);
    await lanes.process([{ ...batch, records: batch.records.map((record) => ({ ...record, late: true })) }]);
    expect(stage.bulk.map(({ late }) => late)).toEqual([undefined, true]);
  });
});

describe('commands that are tried again', () => {
  it('are neither counted nor written again', async () => {
    const { give, stage } = setUp();
    stage.answer = { outcome: 'retry', reason: 'the database is unavailable' };
    for (let tries = 0; tries < 5; tries += 1) await give(...many(21), quiet('q'));
    stage.answer = undefined;
    await give(...many(21), quiet('q'));
    expect([names(stage.bulk), names(stage.processed)]).toEqual([['f20'], [...names(many(20)), 'q']]);
  });

  it('are written again where Kafka did not answer, and processed in neither way before', async () => {
    const { give, stage } = setUp();
    stage.isKafkaUnavailable = true;
    await expect(give(...many(21))).rejects.toThrow(UnavailableError);
    expect([stage.bulk, stage.processed]).toEqual([[], []]);
    stage.isKafkaUnavailable = false;
    await give(...many(21));
    expect(names(stage.bulk)).toEqual(['f20']);
  });

  it('are neither counted nor written again where a part of them is processed first', async () => {
    const { lanes, stage } = setUp();
    const commands = [
      ...many(21),
      ...many(15, 'g').map((command) => ({ ...command, integration: quiet('q').integration })),
    ];
    stage.answer = { outcome: 'retry', reason: 'the database is unavailable' };
    await lanes.process([batchOf(commands)]);
    stage.answer = undefined;
    await lanes.process([batchOf(commands.slice(0, 10))]);
    await lanes.process([batchOf(commands.slice(10), 10)]);
    expect([names(stage.bulk), stage.processed.length]).toEqual([['f20'], 35]);
  });

  it.each([
    ['below', 5],
    ['above', 9],
  ])('are sought, and none is moved, where they begin %s the checkpoint', async (_, offset) => {
    const { lanes, stage } = setUp();
    stage.positions.set(0, 7);
    expect(await lanes.process([batchOf(many(30), offset)])).toEqual({ outcome: 'seek', offset: 7 });
    expect([stage.bulk, stage.processed]).toEqual([[], []]);
  });

  it('are processed above the checkpoint where the topic has lost the records between', async () => {
    const { lanes, stage } = setUp();
    stage.positions.set(0, 7);
    expect(await lanes.process([{ ...batchOf(many(3), 9), lostBefore: 9 }])).toEqual({ outcome: 'done' });
    expect(stage.processed).toHaveLength(3);
  });

  it('are processed after a dead letter without another read of the same records of the bulk topic', async () => {
    const first = setUp();
    await first.give(...many(21));
    const second = setUp();
    Object.assign(second.stage, { bulk: first.stage.bulk, positions: first.stage.positions });
    await second.lanes.process([batchOf([quiet('p')], 21)]);
    const record = { topic: 'alert-commands.v1', partition: 0, clusterId: 'cluster', offset: 22 };
    await second.lanes.deadLetter({ ...record, key: 'k', timestampMs: 0, value: undefined }, 'it cannot be read');
    await second.lanes.process([batchOf([quiet('f20'), quiet('q')], 23)]);
    expect([second.stage.scans, names(second.stage.bulk)]).toEqual([1, ['f20', 'f20']]);
  });
});
