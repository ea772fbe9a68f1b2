import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { stateOf, type Alert } from './alert.ts';
import {
  ACCEPTED_AT,
  acknowledge,
  addNote,
  byAlias,
  close,
  create,
  pagingCreate,
} from '../testing/commands-samples.ts';
import { comparePositions } from '../alert-log/entry.ts';
import { after, EMPTY, CONTEXT, apply } from '../testing/apply-samples.ts';
import { type StoredState } from './apply-commands.ts';

const ALIASES = ['disk', 'fan', ''] as const;
const instants = fc.integer({ min: 0, max: 600_000 }).map((ms) => new Date(Date.parse(ACCEPTED_AT) + ms).toISOString());
const commands = fc.array(
  fc.oneof(
    fc
      .record({ alias: fc.constantFrom(...ALIASES), at: instants, make: fc.constantFrom(create, pagingCreate) })
      .map(({ alias, at, make }) => make(alias, { at })),
    fc
      .record({ alias: fc.constantFrom(...ALIASES), at: instants, priority: fc.constantFrom('P1', 'P2', 'P4') })
      .map(({ alias, at, priority }) => pagingCreate(alias, { at, hook: { preset: 'grafana' }, alert: { priority } })),
    fc
      .record({ alias: fc.constantFrom(...ALIASES), at: instants })
      .map(({ alias, at }) => close(byAlias(alias), { at })),
    fc
      .record({ alias: fc.constantFrom(...ALIASES), at: instants })
      .map(({ alias, at }) => acknowledge(byAlias(alias), { at })),
    fc
      .record({ tiny: fc.nat(5), at: instants })
      .map(({ tiny, at }) => addNote({ type: 'tiny', value: String(tiny) }, 'n', { at })),
    fc
      .record({ tiny: fc.nat(5), at: instants })
      .map(({ tiny, at }) => close({ type: 'tiny', value: String(tiny) }, { at })),
  ),
  { maxLength: 40 },
);

describe('always', () => {
  it('a command that comes twice is processed once', () => {
    fc.assert(
      fc.property(commands, (batch) => {
        expect(apply([...batch, ...batch])).toEqual(apply(batch));
        const stored = after(EMPTY, apply(batch));
        expect(apply(batch, stored)).toMatchObject({ inserted: [], updated: [], logs: [], statuses: [], events: [] });
      }),
    );
  });

  it('every command is processed, once', () => {
    fc.assert(
      fc.property(commands, (batch) => {
        expect(apply(batch).statuses.map(({ requestId }) => requestId)).toEqual(
          batch.map(({ requestId }) => requestId),
        );
      }),
    );
  });

  it('a closed alert never opens again, and at most one alert of an alias is open', () => {
    fc.assert(
      fc.property(commands, (batch) => {
        const closed = new Set<string>();
        let stored = EMPTY;
        for (const [index, command] of batch.entries()) {
          stored = after(stored, apply([command], stored, { ...CONTEXT, firstTinyId: index + 1 }));
          for (const alert of stored.alerts) {
            expect(closed.has(alert.id) && alert.status === 'open').toBe(false);
            if (alert.status === 'closed') closed.add(alert.id);
          }
          const open = stored.alerts.filter(({ status }) => status === 'open').map(({ alias }) => alias);
          expect(new Set(open).size).toBe(open.length);
        }
      }),
    );
  });

  it('how the commands are cut into batches makes no difference to the alerts', () => {
    fc.assert(
      fc.property(commands, fc.nat(40), (batch, cut) => {
        const whole = after(EMPTY, apply(batch));
        const creates = batch.slice(0, cut).filter(({ kind }) => kind === 'create').length;
        const first = after(EMPTY, apply(batch.slice(0, cut)));
        const both = after(first, apply(batch.slice(cut), first, { ...CONTEXT, firstTinyId: 1 + creates }));
        const sorted = (stored: StoredState): Alert[] => [...stored.alerts].sort((a, b) => a.tinyId - b.tinyId);
        expect(sorted(both)).toEqual(sorted(whole));
      }),
    );
  });

  it('positions in a history and versions of events strictly increase, and the last event is the state', () => {
    fc.assert(
      fc.property(commands, (batch) => {
        const { logs, notes, events, inserted } = apply(batch);
        for (const alert of inserted) {
          const own = [...logs, ...notes].filter(({ alertId }) => alertId === alert.id);
          const positions = own.map(({ position }) => position).sort(comparePositions);
          positions.slice(1).forEach((position, index) => {
            expect(comparePositions(positions[index] ?? position, position)).toBeLessThan(0);
          });
          const published = events.filter(({ alertId }) => alertId === alert.id);
          const versions = published.map(({ version }) => version);
          expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
          // An alert without responders publishes only a new owner (F4).
          const isPaging = alert.responders.length > 0;
          const kinds = published.flatMap(({ facts }) => facts.map(({ kind }) => kind));
          expect(kinds.filter((kind) => !isPaging && kind !== 'assigned')).toEqual([]);
          expect(isPaging ? published.at(-1)?.state : undefined).toEqual(isPaging ? stateOf(alert) : undefined);
          expect(versions.at(-1) ?? 0).toBeLessThanOrEqual(alert.version);
        }
      }),
    );
  });
});
