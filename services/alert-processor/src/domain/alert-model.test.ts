import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AlertCommand } from '@tocsin/contracts';
import type { Alert } from './alert.ts';
import { acknowledge, byAlias, close, create, order, snoozeOver } from './commands.samples.ts';
import { decide } from './decide.ts';
import { evolve, type Happening } from './happening.ts';
import { settleCommands, type World } from './settle.ts';

const START = Date.parse('2026-01-05T08:00:00.000Z');
const at = (minute: number) => new Date(START + minute * 60_000).toISOString();
const resolve = ({ id = '' }: { readonly id?: string | undefined }) => ({ kind: 'known', id, name: id }) as const;

/** What an alert of one alias is thought to be, in few words. */
interface Model {
  state: 'none' | 'open' | 'acked';
  /** Its end, in minutes. */
  snooze: number;
  cycle: number;
  count: number;
  tags: Set<string>;
}

/** The alerts of the alias `disk` and everything that happened to the present one. */
interface Real {
  world: World;
  minute: number;
  happenings: Happening[];
}

const present = ({ world }: Real): Alert | undefined => world.alerts.find(({ status }) => status === 'open');

function give(real: Real, command: AlertCommand): void {
  const before =
    command.kind === 'create' || command.identifier.type === 'alias' ? present(real) : target(real, command);
  const decided = decide(before, command, { resolve, tinyId: 1 });
  if (before === undefined) real.happenings = [];
  if (decided.kind === 'changed') real.happenings.push(decided.happening);
  const means = { resolve, firstTinyId: 1, processedAt: new Date(at(real.minute)) };
  const twice = settleCommands([command, command], real.world, means);
  expect(twice).toEqual(settleCommands([command], real.world, means));
  const alerts = new Map(real.world.alerts.map((alert) => [alert.id, alert]));
  for (const alert of [...twice.updated, ...twice.inserted]) alerts.set(alert.id, alert);
  for (const id of twice.deleted) alerts.delete(id);
  real.world = { settled: new Set(), alerts: [...alerts.values()] };
  if (decided.kind !== 'changed') return;
  const replayed = real.happenings.reduce<Alert | undefined>(evolve, undefined);
  expect(replayed).toEqual(replayed && alerts.get(replayed.id));
}

const target = ({ world }: Real, { identifier }: AlertCommand) =>
  world.alerts.find(({ id }) => id === identifier.value);

/** One step: what it does to the model, and the command that does it to the alert. */
const step = (
  name: string,
  command: (real: Real, now: string) => AlertCommand,
  meant: (model: Model, minute: number) => void,
): fc.Command<Model, Real> => ({
  check: () => true,
  toString: () => name,
  run: (model, real) => {
    real.minute += 1;
    const alertId = present(real)?.id;
    give(real, command(real, at(real.minute)));
    if (model.state !== 'none' || name === 'create') meant(model, real.minute);
    const alert = present(real);
    expect(alert === undefined).toBe(model.state === 'none');
    if (alert === undefined) return;
    expect(alert.acknowledged).toBe(model.state === 'acked');
    expect(alert).toMatchObject({ snoozed: model.snooze > 0, cycle: model.cycle, count: model.count });
    expect(new Set(alert.tags)).toEqual(model.tags);
    if (name !== 'create') expect(alert.id).toBe(alertId);
  },
});

const disk = byAlias('disk');
const end = (model: Model) => Object.assign(model, { state: 'none', snooze: 0 });
const again = (model: Model) => Object.assign(model, { state: 'open', cycle: model.cycle + 1 });

const STEPS = [
  fc.constant(
    step(
      'create',
      (_, now) => create('disk', { at: now }),
      (model) => {
        if (model.state === 'none')
          Object.assign(model, { state: 'open', snooze: 0, cycle: 1, count: 1, tags: new Set<string>() });
        else model.count += 1;
      },
    ),
  ),
  fc.constant(
    step(
      'acknowledge',
      (_, now) => acknowledge(disk, { at: now }),
      (model) => {
        Object.assign(model, { state: 'acked', snooze: 0 });
      },
    ),
  ),
  fc.constant(
    step(
      'unacknowledge',
      (_, now) => order(disk, { kind: 'unacknowledge' }, { at: now }),
      (model) => {
        if (model.state === 'acked') again(model);
      },
    ),
  ),
  fc.constant(step('close', (_, now) => close(disk, { at: now }), end)),
  fc.constant(step('delete', (_, now) => order(disk, { kind: 'delete' }, { at: now }), end)),
  fc.integer({ min: 1, max: 9 }).map((minutes) =>
    step(
      `snooze ${minutes}`,
      ({ minute }, now) => order(disk, { kind: 'snooze', endTime: at(minute + minutes) }, { at: now }),
      (model, minute) => Object.assign(model, { snooze: minute + minutes }),
    ),
  ),
  fc.constant(
    step(
      'timer',
      (real, now) => snoozeOver(present(real)?.id ?? 'none', real.minute, now),
      (model, minute) => {
        if (model.snooze > 0 && model.snooze <= minute) Object.assign(again(model), { snooze: 0 });
      },
    ),
  ),
  fc.constantFrom('a', 'b').map((tag) =>
    step(
      `tag ${tag}`,
      (_, now) => order(disk, { kind: 'add-tags', tags: [tag] }, { at: now }),
      ({ tags }) => tags.add(tag),
    ),
  ),
  fc.constantFrom('a', 'b').map((tag) =>
    step(
      `untag ${tag}`,
      (_, now) => order(disk, { kind: 'remove-tags', tags: [tag] }, { at: now }),
      ({ tags }) => tags.delete(tag),
    ),
  ),
];

describe('an alert', () => {
  it('is what the model says after any commands; its replay is what is stored; the same command twice is once', () => {
    fc.assert(
      fc.property(fc.commands(STEPS, { maxCommands: 40 }), (commands) => {
        fc.modelRun(
          () => ({
            model: { state: 'none', snooze: 0, cycle: 0, count: 0, tags: new Set() } satisfies Model,
            real: { world: { settled: new Set(), alerts: [] }, minute: 0, happenings: [] } satisfies Real,
          }),
          commands,
        );
      }),
      { numRuns: 300 },
    );
  });
});
