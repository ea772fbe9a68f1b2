import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AlertCommand } from '@tocsin/events';
import { ELAPSE, FILES, nothing, STEPS, type Model, type Moment, type Step } from '../testing/alert-model.ts';
import type { Alert } from './alert.ts';
import { applyDue, applyDueActions, causeOf } from './apply-due.ts';
import { AttachmentLinks, type FoundFile } from '../attachments/attachment-links.ts';
import { decide } from './decide.ts';
import { evolve, type AlertChange } from './alert-change.ts';
import { scheduledActions } from './due.ts';
import { AT_ONCE, type FlowPlan } from '../policies/policy-result.ts';
import { applyCommands, type Changes } from './apply-commands.ts';
import type { CollectedChanges } from './changes.ts';

const START = Date.parse('2026-01-05T08:00:00.000Z');
const at = (minute: number) => new Date(START + minute * 60_000).toISOString();
const resolve = ({ id = '' }: { readonly id?: string | undefined }) => ({ kind: 'known', id, name: id }) as const;

/** The alerts of the alias `disk` with their notes and files, and all changes of the present one. */
interface Real {
  alerts: readonly Alert[];
  files: readonly FoundFile[];
  readonly notes: { readonly alertId: string }[];
  minute: number;
  changes: { readonly change: AlertChange; readonly processedAt: Date }[];
}

const present = ({ alerts }: Real): Alert | undefined => alerts.find(({ status }) => status === 'open');

const named = (real: Real, { kind, identifier }: AlertCommand): Alert | undefined =>
  kind === 'create' || identifier.type === 'alias'
    ? present(real)
    : real.alerts.find(({ id }) => id === identifier.value);

/** Processes a command that is delivered twice, and compares the replay of the alert with the stored alert. */
function give(real: Real, command: AlertCommand, flow: FlowPlan): void {
  const before = named(real, command);
  const policyResult = { flow, entry: undefined };
  const decided = decide(before, command, { resolve, tinyId: 1, policyResult, processedAt: new Date(at(real.minute)) });
  if (before === undefined) real.changes = [];
  if (decided.kind === 'changed')
    real.changes.push({
      change: new AttachmentLinks(real.files).link(decided, command, before).change,
      processedAt: new Date(at(real.minute)),
    });
  const stored = { processed: new Set<string>(), alerts: real.alerts, files: real.files };
  const context = {
    resolve,
    firstTinyId: 1,
    processedAt: new Date(at(real.minute)),
    policyResults: new Map([[command.requestId, policyResult]]),
  };
  const changes = applyCommands([command, command], stored, context);
  expect(changes).toEqual(applyCommands([command], stored, context));
  keep(real, changes);
  if (decided.kind === 'changed') expectReplayed(real);
}

/** Does the due work, and compares the replay of the alert with the stored alert. */
function elapse(real: Real): void {
  const now = new Date(at(real.minute));
  let alert = present(real);
  for (;;) {
    const [action] = alert === undefined ? [] : scheduledActions(alert);
    if (alert === undefined || action === undefined || action.dueAt > now) break;
    const { change } = applyDue(alert, action, causeOf(alert, action, now), { resolve });
    real.changes.push({ change, processedAt: now });
    alert = evolve(alert, change, now);
  }
  const changes = applyDueActions(real.alerts, { resolve, until: now, processedAt: now });
  keep(real, { ...changes, links: [] });
  expect(applyDueActions(real.alerts, { resolve, until: now, processedAt: now })).toMatchObject({
    updated: [],
    events: [],
  });
  expectReplayed(real);
}

function expectReplayed(real: Real): void {
  const replayed = real.changes.reduce<Alert | undefined>(
    (alert, { change, processedAt }) => evolve(alert, change, processedAt),
    undefined,
  );
  expect(replayed).toEqual(replayed && real.alerts.find(({ id }) => id === replayed.id));
}

function keep(
  real: Real,
  { updated, inserted, deleted, links, notes }: CollectedChanges & Pick<Changes, 'links'>,
): void {
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
  if (alert === undefined) return;
  const { cycle, count, owner, message, description, priority, seen } = model;
  expect(alert).toMatchObject({ cycle, count, owner, message, description, priority, seen });
  expect(alert).toMatchObject({ acknowledged: model.state === 'acked', snoozed: model.snooze > 0 });
  const held = model.hold === undefined ? 'active' : 'delayed';
  expect(alert.notifications.kind).toBe(model.suppressed ? 'suppressed' : held);
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
  const { id: alertId = 'none', cycle = 0 } = present(real) ?? {};
  return { alertId, cycle, minute: real.minute, at };
}

function expectSame({ state }: Model, real: Real, alertId: string): void {
  if (state !== 'none') expect(present(real)?.id).toBe(alertId);
}

const asCommand = ({ name, command, flow, meant }: Step): fc.Command<Model, Real> => ({
  check: () => true,
  toString: () => name,
  run: (model, real) => {
    real.minute += 1;
    const moment = momentOf(real);
    const { alertId } = moment;
    const given = command?.(moment);
    const creates = given?.kind === 'create';
    if (given === undefined) elapse(real);
    else give(real, given, flow?.(moment) ?? AT_ONCE);
    if (model.state !== 'none' || creates) meant(model, real.minute);
    agrees(model, real);
    if (!creates) expectSame(model, real, alertId);
  },
});

const unopened = (): { model: Model; real: Real } => ({
  model: nothing(),
  real: {
    alerts: [],
    notes: [],
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
  it('is equal to the model after any commands; its replay is the stored alert; a repeated command counts once', () => {
    // Without a create there is no alert for the other commands.
    fc.assert(agreementAfter([...Object.values(STEPS), ELAPSE, ELAPSE, STEPS.create, STEPS.create]), OFTEN);
  });

  it('has the flow of the model with any holds, stops and restarts (P6, P7, P16)', () => {
    const { acknowledge, close, create, snooze, unacknowledge } = STEPS;
    const often = [create, create, ELAPSE, ELAPSE, ELAPSE, acknowledge, unacknowledge];
    fc.assert(agreementAfter([...often, snooze, STEPS['reset-recipient-states'], close]), OFTEN);
  });
});
