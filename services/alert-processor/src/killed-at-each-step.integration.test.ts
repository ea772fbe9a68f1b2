import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AlertCommand } from '@tocsin/events';
import type { PointOfDeath } from '@tocsin/testkit';
import { EVERY_KIND, raise, target, type Target } from './testing/every-kind.ts';
import { expectProcessedOnce } from './testing/processed-once.ts';
import { endOfPlanned, plannedLives } from './testing/planned-lives.ts';
import { KilledProcessors } from './testing/killed-processors.ts';

const ACCEPTED_AT = new Date().toISOString();

/** In the order of a batch: the position, the reads, the writes to each collection, the commit, and publishing. */
const POINTS: readonly PointOfDeath[] = [
  { when: 'before', command: 'update', collection: 'checkpoints' },
  { when: 'after', command: 'update', collection: 'checkpoints' },
  { when: 'before', command: 'find', collection: 'request_statuses' },
  { when: 'after', command: 'find', collection: 'alerts' },
  { when: 'before', command: 'insert', collection: 'alerts' },
  { when: 'after', command: 'update', collection: 'alerts' },
  { when: 'before', command: 'insert', collection: 'alert_logs' },
  { when: 'before', command: 'insert', collection: 'alert_notes' },
  { when: 'after', command: 'insert', collection: 'request_statuses' },
  { when: 'before', command: 'insert', collection: 'outbox' },
  { when: 'before', command: 'commitTransaction' },
  { when: 'after', command: 'commitTransaction' },
  { when: 'before', command: 'delete', collection: 'outbox' },
  { when: 'after', command: 'delete', collection: 'outbox' },
];

const PUBLISHED: PointOfDeath = { when: 'before', command: 'delete', collection: 'outbox' };
/** Once the events are published, the position is written, all is written, and all is committed. */
const POINTS_OF_REBALANCE: readonly PointOfDeath[] = [
  PUBLISHED,
  { when: 'after', command: 'update', collection: 'checkpoints' },
  { when: 'before', command: 'commitTransaction' },
  { when: 'after', command: 'commitTransaction' },
];

/** Commands name two of them by alias and two by id. */
const ALERTS_PER_POINT = 4;
/** Enough for each partition to have some. */
const ALERTS_OF_REBALANCE = 48;
/** One for each processor of the rebalance test. */
const PARTITIONS = 1 + POINTS_OF_REBALANCE.length;

let processors: KilledProcessors;

beforeEach(async () => {
  processors = await KilledProcessors.open(PARTITIONS);
});

afterEach(async () => {
  await processors.close();
});

const KINDS = Object.values(EVERY_KIND);
const ENDS = [EVERY_KIND.close, EVERY_KIND.delete];

/**
 * Every kind of command about one alert: the create, one of a tool that raises it, the others rotated by `turn`, its end, and a create
 * again.
 */
function lifeOf(subject: Target, turn: number): readonly AlertCommand[] {
  const others = KINDS.filter((make) => make !== EVERY_KIND.create && !ENDS.includes(make)).map((make) =>
    make(subject),
  );
  const own = others.filter(({ identifier }) => identifier.type === subject.identifier.type);
  const rotated = [...own.slice(turn % own.length), ...own.slice(0, turn % own.length)];
  const end = turn % 3 === 0 ? [] : [turn % 3 === 1 ? EVERY_KIND.close(subject) : EVERY_KIND.delete(subject)];
  const again = subject.alias === '' ? [] : [raise(subject)];
  return [EVERY_KIND.create(subject), ...again, ...rotated, ...end, ...again.map(() => EVERY_KIND.create(subject))];
}

const subjects = (from: number, count: number): readonly Target[] =>
  Array.from({ length: count }, (_, index) => {
    const name = `alert-${String(from + index)}`;
    return target(name, index % 2 === 0 ? name : '', ACCEPTED_AT);
  });

const subjectsOf = (number: number) => subjects(number * ALERTS_PER_POINT, ALERTS_PER_POINT);

/**
 * The lives of new alerts, a note on each stored alert of the first ones, and the close of an alert that waits for its close.
 */
function lives(number: number): readonly AlertCommand[] {
  const stored = number === 0 ? [] : subjectsOf(0).map(EVERY_KIND['add-note']);
  const planned = plannedLives(number, ACCEPTED_AT).flat();
  if (number > 0) planned.push(endOfPlanned(number - 1, ACCEPTED_AT));
  return [...stored, ...subjectsOf(number).flatMap((subject, index) => lifeOf(subject, number + index)), ...planned];
}

/** The interleaved lives of alerts: the first command of each, then the second of each. */
function stepByStep(all: readonly Target[]): readonly (readonly AlertCommand[])[] {
  const lifetimes = [...all.map(lifeOf), ...all.flatMap((_, index) => plannedLives(index, ACCEPTED_AT))];
  const longest = Math.max(...lifetimes.map(({ length }) => length));
  return Array.from({ length: longest }, (_, step) => lifetimes.flatMap((life) => life[step] ?? []));
}

/** The expected deaths at `points`, listed one by one, so that a failure names the point that was never reached. */
const killed = (points: readonly PointOfDeath[]) => points.map((point) => ({ point, signal: 'SIGKILL' }));

describe('a processor that is killed at each step of a batch', () => {
  it('processes a thousand commands of all kinds exactly once, and publishes their events in order', async () => {
    await processors.give(lives(0));
    // A new group each time, so that no consumer waits for the dead member. The position is stored with the effects.
    const first = processors.start('0');
    await processors.published();
    first.kill('SIGKILL');
    const deaths = [];
    for (const [index, point] of POINTS.entries()) {
      await processors.give(lives(1 + index));
      deaths.push({ point, signal: await processors.death(processors.start(String(1 + index), { dieAt: point })) });
    }
    expect(deaths).toEqual(killed(POINTS));
    expect(processors.commands.length).toBeGreaterThan(1_000);
    expect(new Set(processors.commands.map(({ kind }) => kind)).size).toBe(KINDS.length);
    processors.start(String(1 + POINTS.length));
    await processors.published();
    await expectProcessedOnce(processors);
    const facts = (await processors.events()).flatMap((event) => event.facts.map(({ kind }) => kind));
    expect(facts).toEqual(expect.arrayContaining(['released', 'restarted']));
  });
});

describe('a processor that lives while others of its group are killed at steps of a batch', () => {
  it('takes over their partitions, processes all exactly once, and publishes their events in order', async () => {
    // The first to start relays the events of all, and reaches the step after publishing.
    const relay = await processors.join('shared', { dieAt: PUBLISHED });
    const heir = await processors.join('shared');
    const others = POINTS_OF_REBALANCE.slice(1).map((dieAt) => processors.join('shared', { dieAt }));
    const victims = [relay, ...(await Promise.all(others))];
    // Step by step, so that a processor leaves alerts half-way and another one continues.
    for (const commands of stepByStep(subjects(0, ALERTS_OF_REBALANCE))) await processors.give(commands);
    const [deathOfRelay, ...deaths] = victims.map((victim) => processors.death(victim));
    const later = await Promise.all(deaths);
    await processors.published();
    // On a slow machine it can lose its lease to another relay, and then has no step to die at.
    relay.kill('SIGKILL');
    const signals = [await deathOfRelay, ...later];
    expect(POINTS_OF_REBALANCE.map((point, index) => ({ point, signal: signals[index] }))).toEqual(
      killed(POINTS_OF_REBALANCE),
    );
    expect([heir.exitCode, heir.signalCode]).toEqual([null, null]);
    await expectProcessedOnce(processors);
  });
});

describe('a processor that is killed after it could not publish for a while', () => {
  it('leaves its events to the next one, which publishes them in order', async () => {
    const mute = processors.start('first', { isMute: true });
    for (const commands of stepByStep(subjects(0, ALERTS_PER_POINT))) {
      await processors.give(commands);
      await processors.processed();
    }
    mute.kill('SIGKILL');
    expect(await processors.death(mute)).toBe('SIGKILL');
    expect(await processors.events()).toEqual([]);
    processors.start('second');
    await processors.published();
    await expectProcessedOnce(processors);
  });
});
