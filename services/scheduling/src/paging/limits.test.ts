import { describe, expect, it } from '@jest/globals';
import { Flow } from '../testing/flow-samples.ts';
import { escalationOf, rotationOf, ruleFor, scheduleOf, teamOf } from '../testing/on-call-samples.ts';
import { start } from '../testing/transition-samples.ts';
import { dueItems } from './due.ts';
import { fireDue, applyEffects } from './transitions.ts';

const many = <T>(count: number, item: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => item(at));
const user = (id: string) => ({ type: 'user', id }) as const;
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

describe('the document of an escalation state', () => {
  it('is at most 16 MB where long routes lead to many rules and look-ups', () => {
    const id = (kind: string, at: number) => `${kind}0000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
    const to = (escalation: string, key = 'r') => rotationOf([{ type: 'escalation', id: escalation }], { id: key });
    const deep = 23;
    const wide = {
      schedules: [
        ...many(deep, (at) => scheduleOf(id('a', at), [to(id('b', at + 1))])),
        scheduleOf(
          id('a', deep),
          many(900, (at) => to(id('c', at), `r${at}`)),
        ),
      ],
      escalations: [
        ...many(deep + 1, (at) => escalationOf(id('b', at), [ruleFor({ type: 'schedule', id: id('a', at) })])),
        ...many(900, (at) =>
          escalationOf(
            id('c', at),
            many(21, () => ruleFor(user(id('d', at)))),
          ),
        ),
      ],
    };
    const { effects, state } = start([{ type: 'escalation', id: id('b', 0) }], wide);
    expect(state.escalations.length).toBeGreaterThan(100);
    expect(bytesOf(state)).toBeLessThan(8_000_000);
    expect(effects.findings.map(({ text }) => text)).toContainEqual(
      expect.stringContaining('has too many active escalations'),
    );

    const name = 'é'.repeat(1_000);
    const routed = {
      teams: many(24, (at) => ({ ...teamOf(id('t', at), {}, { type: 'schedule', id: id('s', at) }), name })),
      schedules: [
        ...many(23, (at) => scheduleOf(id('s', at), [rotationOf([{ type: 'team', id: id('t', at + 1) }])], { name })),
        scheduleOf(
          id('s', 23),
          many(1_000, (at) => rotationOf([user(id('d', at))], { id: `r${at}` })),
          { name },
        ),
      ],
      escalations: [escalationOf('e1', [ruleFor({ type: 'team', id: id('t', 0) })], { name })],
    };
    const unanswered = many(1_000, (at) => id('d', at));
    const waiting = new Flow([{ type: 'escalation', id: 'e1' }], routed, unanswered).state;
    expect(waiting.lookUps.length).toBeGreaterThan(15);
    expect(bytesOf(waiting.lookUps)).toBeLessThan(4_000_000);
  });

  it('does not count the previous repeat when the next one starts', () => {
    const repeat = { waitMinutes: 1, count: 2, resetRecipientStates: false, closeAlertAfterAll: false };
    const later = many(1_000, () => ruleFor(user('ada'), { delayMinutes: 5 }));
    const things = {
      schedules: [
        scheduleOf(
          'all',
          many(15, (at) => rotationOf([{ type: 'escalation', id: `e${at + 1}` }], { id: `r${at}` })),
        ),
      ],
      escalations: [
        escalationOf('e0', [ruleFor({ type: 'schedule', id: 'all' })], { repeat }),
        ...many(15, (at) => escalationOf(`e${at + 1}`, later)),
      ],
    };
    const { state, view: known } = start([{ type: 'escalation', id: 'e0' }], things);
    const end = dueItems(state).find(({ kind }) => kind === 'repeat');
    if (end === undefined) throw new Error('nothing repeats');
    expect(applyEffects(state, fireDue(state, end, known, end.dueAt)).escalations).toHaveLength(16);
  });
});
