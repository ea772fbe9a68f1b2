import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AlertCommand } from '@tocsin/contracts';
import { FILES, nothing, STEPS, type Model, type Step } from '../testing/alert-model.ts';
import type { Alert } from './alert.ts';
import { BroughtFiles, type FoundFile } from './brought-files.ts';
import { decide } from './decide.ts';
import { evolve, type AlertChange } from './alert-change.ts';
import { settleCommands, type Changes } from './settle.ts';

const START = Date.parse('2026-01-05T08:00:00.000Z');
const at = (minute: number) => new Date(START + minute * 60_000).toISOString();
const resolve = ({ id = '' }: { readonly id?: string | undefined }) => ({ kind: 'known', id, name: id }) as const;

/** The alerts of the alias `disk` with what belongs to them, and everything that happened to the present one. */
interface Real {
  alerts: readonly Alert[];
  files: readonly FoundFile[];
  readonly notes: { readonly alertId: string }[];
  minute: number;
  changes: AlertChange[];
}

const present = ({ alerts }: Real): Alert | undefined => alerts.find(({ status }) => status === 'open');

const named = (real: Real, { kind, identifier }: AlertCommand): Alert | undefined =>
  kind === 'create' || identifier.type === 'alias'
    ? present(real)
    : real.alerts.find(({ id }) => id === identifier.value);

/** Settles a command, given twice as if given once, and compares the replay of the alert with what is stored. */
function give(real: Real, command: AlertCommand): void {
  const before = named(real, command);
  const decided = decide(before, command, { resolve, tinyId: 1 });
  if (before === undefined) real.changes = [];
  if (decided.kind === 'changed')
    real.changes.push(new BroughtFiles(real.files).brought(decided, command, before).change);
  const stored = { settled: new Set<string>(), alerts: real.alerts, files: real.files };
  const context = { resolve, firstTinyId: 1, processedAt: new Date(at(real.minute)) };
  const changes = settleCommands([command, command], stored, context);
  expect(changes).toEqual(settleCommands([command], stored, context));
  keep(real, changes);
  if (decided.kind !== 'changed') return;
  const replayed = real.changes.reduce<Alert | undefined>(evolve, undefined);
  expect(replayed).toEqual(replayed && real.alerts.find(({ id }) => id === replayed.id));
}

function keep(real: Real, { updated, inserted, deleted, links, notes }: Changes): void {
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
  expect(new Set(alert.tags)).toEqual(model.tags);
  expect(new Map(Object.entries(alert.details))).toEqual(model.details);
  expect(new Set(alert.responders.map(({ type, id }) => `${type}:${id}`))).toEqual(model.responders);
  expect(real.notes.filter(({ alertId }) => alertId === alert.id)).toHaveLength(model.notes);
  const own = real.files.filter(({ alertId }) => alertId === alert.id);
  expect(new Set(own.map(({ id }) => id))).toEqual(model.files);
}

const asCommand = ({ name, command, meant }: Step): fc.Command<Model, Real> => ({
  check: () => true,
  toString: () => name,
  run: (model, real) => {
    real.minute += 1;
    const { id: alertId = 'none', cycle = 0 } = present(real) ?? {};
    const given = command({ alertId, cycle, minute: real.minute, at });
    give(real, given);
    if (model.state !== 'none' || given.kind === 'create') meant(model, real.minute);
    agrees(model, real);
    if (given.kind !== 'create' && model.state !== 'none') expect(present(real)?.id).toBe(alertId);
  },
});

describe('an alert', () => {
  it('is what the model says after any commands; its replay is what is stored; the same command twice is once', () => {
    // Without a create there is nothing to do anything to.
    const steps = [...Object.values(STEPS), STEPS.create, STEPS.create].map((kind) => kind.map(asCommand));
    fc.assert(
      fc.property(fc.commands(steps, { maxCommands: 60 }), (commands) => {
        fc.modelRun(
          () => ({
            model: nothing(),
            real: {
              alerts: [],
              notes: [],
              minute: 0,
              changes: [],
              files: FILES.map((id) => ({ id, name: id, alertId: undefined })),
            } satisfies Real,
          }),
          commands,
        );
      }),
      { numRuns: 300 },
    );
  });
});
