import { describe, expect, it } from '@jest/globals';
import type { Cancel, TimedCancel } from '@tocsin/events';
import { finished } from '@tocsin/core';
import { ada, cancel, closing, page } from '../testing/page-samples.ts';
import { simulate, type SimulationContext } from './simulate.ts';

const T0 = Date.parse(page().pagedAt);
const after = (minutes: number): Date => new Date(T0 + minutes * 60_000);
const [rule] = ada().notificationRules;
const [step] = rule?.steps ?? [];
if (rule === undefined || step === undefined) throw new Error('the sample has no step');

const twice = { ...rule, steps: [step, { ...step, id: 's2', sendAfterMinutes: 10 }] };
const at = (minutes: number, of: Cancel): TimedCancel => ({ at: after(minutes), cancel: of });

function simulated(context: Partial<SimulationContext> & { readonly rule?: typeof twice }, pages = [page()]) {
  const user = ada({ notificationRules: [context.rule ?? twice] });
  const { deliveries, truncated } = finished(
    simulate(pages, {
      user: () => user,
      channels: new Set(['email']),
      cancels: [],
      maxMessages: 100,
      isOver: () => false,
      ...context,
    }),
  );
  return { minutes: deliveries.map(({ dueAt }) => (dueAt.getTime() - T0) / 60_000), truncated };
}

describe('simulated pages', () => {
  it('have the steps of the rules of their users, in the order of their times', () => {
    const late = page({ pageId: 'late', pagedAt: after(5).toISOString() });
    expect(simulated({}, [late, page()])).toEqual({ minutes: [0, 5, 10, 15], truncated: false });
  });

  it('send no more messages once they are cancelled', () => {
    expect(simulated({ cancels: [at(5, closing())] }).minutes).toEqual([0]);
    expect(simulated({ cancels: [at(10, cancel())] }).minutes).toEqual([0]);
    expect(simulated({ cancels: [at(5, closing(2, { userId: 'grace' })), at(11, closing())] }).minutes).toEqual([
      0, 10,
    ]);
  });

  it('repeat their steps while the alert is open', () => {
    const repeating = { ...rule, repeat: { enabled: true, loopAfterMinutes: 10 } };
    const closed = [at(35, closing())];
    expect(simulated({ rule: repeating, cancels: closed })).toEqual({ minutes: [0, 10, 20, 30], truncated: false });
    const endless = simulated({ rule: repeating });
    expect([endless.minutes.length, endless.truncated]).toEqual([51, true]);
  });

  it('are listed up to a bound', () => {
    expect(simulated({ maxMessages: 1 })).toEqual({ minutes: [0], truncated: true });
    const closed = [at(5, closing())];
    expect(simulated({ maxMessages: 1, cancels: closed }, [page(), page({ pageId: 'p2' })])).toEqual({
      minutes: [0],
      truncated: true,
    });
  });

  it('are evaluated up to a limit where nothing can be sent', () => {
    const repeating = { ...rule, repeat: { enabled: true, loopAfterMinutes: 10 } };
    const user = ada({ notificationRules: [repeating] });
    const pages = Array.from({ length: 500 }, (_, number) => page({ pageId: `p${number}` }));
    const context = {
      user: () => user,
      channels: new Set<never>(),
      cancels: [],
      maxMessages: 100,
      isOver: () => false,
    };
    const { truncated, findings } = finished(simulate(pages, context));
    expect([truncated, findings.length < 200]).toEqual([true, true]);
    expect(finished(simulate(pages, { ...context, isOver: () => true }))).toMatchObject({
      findings: [],
      truncated: true,
    });
  });

  it('of an unknown user send no message, and the reason is given', () => {
    const context = { channels: new Set(['email'] as const), cancels: [], maxMessages: 1, isOver: () => false };
    const none = finished(simulate([page()], { ...context, user: () => undefined }));
    expect([none.deliveries, none.findings]).toEqual([[], [expect.objectContaining({ outcome: 'skipped' })]]);
  });
});
