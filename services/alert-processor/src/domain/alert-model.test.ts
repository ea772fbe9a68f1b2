import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AlertCommand } from '@tocsin/contracts';
import { FILES, nothing, STEPS, type Model, type Moment, type Step } from '../testing/alert-model.ts';
import { timersOf, type TimerRow } from './alarms.ts';
import type { Alert } from './alert.ts';
import { BroughtFiles, type FoundFile } from './brought-files.ts';
import { decide } from './decide.ts';
import { evolve, type AlertChange } from './alert-change.ts';
import { AT_ONCE, type FlowPlan } from './policies/judgement.ts';
import { settleCommands, type Changes } from './settle.ts';

const START = Date.parse('2026-01-05T08:00:00.000Z');
const at = (minute: number) => new Date(START + minute * 60_000).toISOString();
const resolve = ({ id = '' }: { readonly id?: string | undefined }) => ({ kind: 'known', id, name: id }) as const;

/** The alerts of the alias `disk` with their logs and timers, and all changes of the present one. */
interface Real {
  alerts: readonly Alert[];
  files: readonly FoundFile[];
  readonly notes: { readonly alertId: string }[];
  readonly timers: Map<string, TimerRow>;
  minute: number;
  changes: { readonly change: AlertChange; readonly settledAt: Date }[];
}

const present = ({ alerts }: Real): Alert | undefined => alerts.find(({ status }) => status === 'open');

const named = (real: Real, { kind, identifier }: AlertCommand): Alert | undefined =>
  kind === 'create' || identifier.type === 'alias'
    ? present(real)
    : real.alerts.find(({ id }) => id === identifier.value);

/** Settles a command that is delivered twice, and compares the replay of the alert with the stored alert. */
function give(real: Real, command: AlertCommand, flow: FlowPlan): void {
  const before = named(real, command);
  const judged = { flow, entry: undefined };
  const decided = decide(before, command, { resolve, tinyId: 1, judged, processedAt: new Date(at(real.minute)) });
  if (before === undefined) real.changes = [];
  if (decided.kind === 'changed')
    real.changes.push({
      change: new BroughtFiles(real.files).brought(decided, command, before).change,
      settledAt: new Date(at(real.minute)),
    });
  const stored = { settled: new Set<string>(), alerts: real.alerts, files: real.files };
  const context = {
    resolve,
    firstTinyId: 1,
    processedAt: new Date(at(real.minute)),
    judged: new Map([[command.requestId, judged]]),
  };
  const changes = settleCommands([command, command], stored, context);
  expect(changes).toEqual(settleCommands([command], stored, context));
  // The publisher of a timer's command deletes its row.
  if (command.kind === 'timer' && String(real.timers.get(command.timerId)?.fence) === command.fence)
    real.timers.delete(command.timerId);
  keep(real, changes);
  if (decided.kind !== 'changed') return;
  const replayed = real.changes.reduce<Alert | undefined>(
    (alert, { change, settledAt }) => evolve(alert, change, settledAt),
    undefined,
  );
  expect(replayed).toEqual(replayed && real.alerts.find(({ id }) => id === replayed.id));
}

function keep(real: Real, { updated, inserted, deleted, links, notes, ...changes }: Changes): void {
  for (const timerId of changes.cancelled) expect(real.timers.delete(timerId)).toBe(true);
  for (const timer of changes.timers) real.timers.set(timer.timerId, timer);
  const alerts = new Map(real.alerts.map((alert) => [alert.id, alert]));
  for (const alert of [...updated, ...inserted]) alerts.set(alert.id, alert);
  for (const id of deleted) alerts.delete(id);
  real.alerts = [...alerts.values()];
  real.notes.push(...notes);
  const owners = new Map(links.map(({ fileId, alertId }) => [fileId, alertId]));
  real.files = real.files
    .map((file) => ({ ...file, alertId: owners.get(file.id) ?? file.alertId }))
    .filter(({ alertId }) => alertId === undefined || !deleted.includes(alertId));
}

function agrees(model: Model, real: Real): void {
  const alert = present(real);
  expect(alert === undefined).toBe(model.state === 'none');
  // No row is left over, and none is missing.
  expect(new Map(real.alerts.flatMap(timersOf).map((timer) => [timer.timerId, timer]))).toEqual(real.timers);
  if (alert === undefined) return;
  const { cycle, count, owner, message, description, priority, seen } = model;
  expect(alert).toMatchObject({ cycle, count, owner, message, description, priority, seen });
  expect(alert).toMatchObject({ acknowledged: model.state === 'acked', snoozed: model.snooze > 0 });
  const held = model.hold === undefined ? 'go' : 'held';
  expect(alert.verdict.kind).toBe(model.suppressed ? 'suppressed' : held);
  expect(alert.hold === undefined).toBe(model.hold === undefined);
  if (alert.autoRestart !== undefined) {
    const { left, since } = model.restart;
    expect(alert.autoRestart).toMatchObject({ done: alert.autoRestart.times - left, since: new Date(at(since)) });
  }
  expect(new Set(alert.tags)).toEqual(model.tags);
  expect(new Map(Object.entries(alert.details))).toEqual(model.details);
  expect(new Set(alert.responders.map(({ type, id }) => `${type}:${id}`))).toEqual(model.responders);
  expect(real.notes.filter(({ alertId }) => alertId === alert.id)).toHaveLength(model.notes);
  const own = real.files.filter(({ alertId }) => alertId === alert.id);
  expect(new Set(own.map(({ id }) => id))).toEqual(model.files);
}

function momentOf(real: Real): Moment {
  const { id: alertId = 'none', cycle = 0, alarms = {} } = present(real) ?? {};
  return { alertId, cycle, alarms, minute: real.minute, at };
}

const asCommand = ({ name, command, flow, meant }: Step): fc.Command<Model, Real> => ({
  check: () => true,
  toString: () => name,
  run: (model, real) => {
    real.minute += 1;
    const moment = momentOf(real);
    const { alertId } = moment;
    const given = command(moment);
    give(real, given, flow?.(moment) ?? AT_ONCE);
    if (model.state !== 'none' || given.kind === 'create') meant(model, real.minute);
    agrees(model, real);
    if (given.kind !== 'create' && model.state !== 'none') expect(present(real)?.id).toBe(alertId);
  },
});

const unopened = (): { model: Model; real: Real } => ({
  model: nothing(),
  real: {
    alerts: [],
    notes: [],
    timers: new Map(),
    minute: 0,
    changes: [],
    files: FILES.map((id) => ({ id, name: id, alertId: undefined })),
  },
});

/** Checks that any sequence of `steps` does what the model says. */
function agreementAfter(steps: readonly fc.Arbitrary<Step>[]) {
  const commands = fc.commands(
    steps.map((kind) => kind.map(asCommand)),
    { maxCommands: 30, size: 'max' },
  );
  return fc.property(commands, (given) => {
    fc.modelRun(unopened, given);
  });
}

const OFTEN = { numRuns: 120 };

describe('an alert', () => {
  it('is what the model says after any commands; its replay is the stored alert; a repeated command counts once', () => {
    // Without a create there is no alert for the other commands.
    fc.assert(agreementAfter([...Object.values(STEPS), STEPS.create, STEPS.create]), OFTEN);
  });

  it('flows as the model says, whatever holds it back, stops it, and starts it again (P6, P7, P16)', () => {
    const { acknowledge, close, create, snooze, timer, unacknowledge } = STEPS;
    const often = [create, create, timer, timer, timer, acknowledge, unacknowledge];
    fc.assert(agreementAfter([...often, snooze, STEPS['reset-recipient-states'], close]), OFTEN);
  });
});
