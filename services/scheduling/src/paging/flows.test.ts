import { describe, expect, it } from '@jest/globals';
import type { EscalationRepeat, NotifyType, Responder } from '@tocsin/events';
import fc from 'fast-check';
import type { EscalationRecipient, EscalationRule } from '../escalations/escalation.ts';
import { escalationOf, rotationOf, ruleFor, scheduleOf, teamOf } from '../testing/on-call-samples.ts';
import type { Participant } from '../schedules/schedule.ts';
import { dueItems } from './due.ts';
import { paged, start, type view } from '../testing/transition-samples.ts';
import { applyEffects, fireDue } from './transitions.ts';

const names = ['1', '2', '3'] as const;
const name = fc.constantFrom(...names);
const user = fc.constantFrom('ada', 'grace', 'edsger', 'gone');

const participant = fc.oneof(
  user.map((id): Participant => ({ type: 'user', id })),
  name.map((of): Participant => ({ type: 'team', id: `t${of}` })),
  name.map((of): Participant => ({ type: 'escalation', id: `e${of}` })),
  fc.constant<Participant>({ type: 'none' }),
);

const recipient = fc.oneof(
  user.map((id): [EscalationRecipient, readonly NotifyType[]] => [{ type: 'user', id }, ['default']]),
  name.map((of): [EscalationRecipient, readonly NotifyType[]] => [
    { type: 'schedule', id: `s${of}` },
    ['default', 'next', 'previous'],
  ]),
  name.map((of): [EscalationRecipient, readonly NotifyType[]] => [
    { type: 'team', id: `t${of}` },
    ['default', 'users', 'admins', 'all', 'random'],
  ]),
);

const rule = fc
  .tuple(recipient, fc.nat(), fc.nat({ max: 20 }), fc.constantFrom('if-not-acked' as const, 'if-not-closed' as const))
  .map(([[of, notifyTypes], pick, delayMinutes, condition]): EscalationRule =>
    ruleFor(of, { condition, delayMinutes, notifyType: notifyTypes[pick % notifyTypes.length] ?? 'default' }),
  );

const repeat = fc.option(
  fc.record<EscalationRepeat>({
    waitMinutes: fc.integer({ min: 1, max: 20 }),
    count: fc.nat({ max: 3 }),
    resetRecipientStates: fc.constant(false),
    closeAlertAfterAll: fc.boolean(),
  }),
  { nil: undefined },
);

const target = fc.oneof(
  name.map((of) => ({ type: 'escalation', id: `e${of}` }) as const),
  name.map((of) => ({ type: 'schedule', id: `s${of}` }) as const),
  fc.constant({ type: 'none' } as const),
);

/** Three teams, schedules and escalations that lead to each other at random. */
const snapshots = fc
  .tuple(
    ...names.map(() =>
      fc.tuple(fc.array(participant, { maxLength: 3 }), fc.array(rule, { maxLength: 3 }), repeat, target),
    ),
  )
  .map((made) => ({
    schedules: made.map(([participants], index) => scheduleOf(`s${index + 1}`, [rotationOf(participants)])),
    escalations: made.map(([, rules, again], index) => escalationOf(`e${index + 1}`, rules, { repeat: again })),
    teams: made.map(([, , , to], index) => teamOf(`t${index + 1}`, { ada: 'admin', grace: 'user' }, to)),
  }));

const responder = fc.oneof(
  name.map((of): Responder => ({ type: 'team', id: `t${of}` })),
  name.map((of): Responder => ({ type: 'escalation', id: `e${of}` })),
);

/** More turns than any flow here has: with 3 escalations that repeat 3 times, at most 4 repeats within 4 within 4. */
const ENOUGH = 5_000;

/** Fires everything to the end, each item `times` times. */
function exhausted(snapshot: Parameters<typeof view>[0], responders: Responder[], times: number) {
  const { effects, state: first, view: known } = start(responders, snapshot);
  let state = first;
  const pages = [...effects.pages];
  const orders = [...effects.orders];
  for (let turn = 0; ; turn += 1) {
    if (turn > ENOUGH) throw new Error('this flow does not end');
    const [item] = dueItems(state);
    if (item === undefined) break;
    for (let time = 0; time < times; time += 1) {
      const after = fireDue(state, item, known, item.dueAt);
      state = applyEffects(state, after);
      pages.push(...after.pages);
      orders.push(...after.orders);
    }
  }
  return { pages, orders, state };
}

describe('every flow', () => {
  it('ends, and never pages for one reason twice, however its escalations, teams and schedules lead to each other', () => {
    fc.assert(
      fc.property(snapshots, fc.array(responder, { minLength: 1, maxLength: 2 }), (snapshot, responders) => {
        const { pages } = exhausted(snapshot, responders, 1);
        expect(new Set(pages.map(({ pageId }) => pageId)).size).toBe(pages.length);
      }),
      { numRuns: 300 },
    );
  });

  it('is the same when all that is due is done twice', () => {
    fc.assert(
      fc.property(snapshots, fc.array(responder, { minLength: 1, maxLength: 2 }), (snapshot, responders) => {
        const [once, twice] = [exhausted(snapshot, responders, 1), exhausted(snapshot, responders, 2)];
        expect([paged(twice), twice.orders, twice.state]).toEqual([paged(once), once.orders, once.state]);
      }),
      { numRuns: 200 },
    );
  });

  it('numbers its orders without a gap', () => {
    fc.assert(
      fc.property(snapshots, fc.array(responder, { minLength: 1, maxLength: 2 }), (snapshot, responders) => {
        const { orders, state } = exhausted(snapshot, responders, 1);
        expect(orders.map(({ id }) => id)).toEqual(
          orders.map((_, index) => `escalation:${state.alertId}:${index + 1}`),
        );
        expect(state.orders).toBe(orders.length);
      }),
      { numRuns: 100 },
    );
  });

  it('stops at routes over the limit, and reports it', () => {
    const many = Array.from({ length: 12 }, (_, index) => `${index}`);
    const all = many.map((id): Participant => ({ type: 'escalation', id }));
    const crossed = {
      escalations: many.map((id) => escalationOf(id, [ruleFor({ type: 'schedule', id: `s${id}` })])),
      schedules: many.map((id) =>
        scheduleOf(
          `s${id}`,
          all.map((one, index) => rotationOf([one], { id: `r${index}` })),
        ),
      ),
    };
    const { effects } = start([{ type: 'escalation', id: '0' }], crossed);
    expect(effects.findings.filter(({ outcome }) => outcome === 'ended')).toHaveLength(1);
    expect(effects.started.length).toBeLessThanOrEqual(1_000);
  });
});
