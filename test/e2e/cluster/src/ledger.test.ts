import { describe, expect, it } from '@jest/globals';
import { BUSY } from './caller.ts';
import { balanced, problems, type Ledger, type SentAlert } from './ledger.ts';

const phase = { name: 'kill notifier', isOrderly: false, seconds: 10, restarts: 1, wantedRestarts: 1 };
const alert: SentAlert = {
  phase: phase.name,
  sentAt: 1_000,
  tookMs: 20,
  refusal: undefined,
  alias: 'run-1',
  recipients: ['ada@example.com', 'bob@example.com'],
  requestId: 'request-1',
};
const mail = (alias: string, to: string) => ({ at: 2_000, to, subject: `[P3] ${alias} (#7)` });
const whole: Ledger = {
  phases: [phase],
  alerts: [alert],
  reads: [],
  settled: new Set(['request-1']),
  pages: [mail('run-1', 'ada@example.com'), mail('run-1', 'bob@example.com')],
};
const problemsOf = (changes: Partial<Ledger>) => problems(balanced({ ...whole, ...changes }));

describe('the ledger of a cluster run', () => {
  it('balances where every accepted alert is settled and has paged everybody it should', () => {
    expect(problemsOf({})).toEqual([]);
    expect(balanced(whole)[0]).toMatchObject({ alerts: 1, accepted: 1, paged: 2, duplicates: 0, slowestMs: 20 });
  });

  it('does not balance while an accepted alert is not settled', () => {
    expect(problemsOf({ settled: new Set() })).toEqual([
      'kill notifier: 1 accepted alerts are not settled: run-1 (request-1)',
    ]);
  });

  it('does not balance while one of the people an alert should page has no page', () => {
    expect(problemsOf({ pages: [mail('run-1', 'ada@example.com')] })).toEqual([
      'kill notifier: 1 pages did not arrive: run-1 to bob@example.com',
    ]);
  });

  it('takes a page about another alert, or to another user, for none', () => {
    const pages = [mail('run-11', 'ada@example.com'), mail('run-1', 'eve@example.com')];
    expect(balanced({ ...whole, pages })[0]?.missing).toEqual(['run-1 to ada@example.com', 'run-1 to bob@example.com']);
  });

  it('counts pages that come again, and balances all the same', () => {
    const pages = [...whole.pages, mail('run-1', 'ada@example.com'), mail('run-1', 'ada@example.com')];
    expect(balanced({ ...whole, pages })[0]).toMatchObject({ paged: 2, duplicates: 2 });
    expect(problemsOf({ pages })).toEqual([]);
  });

  it('asks nothing of an alert that was refused', () => {
    const refused = { ...alert, alias: 'run-2', requestId: undefined, refusal: '503', tookMs: 900 };
    const [balance] = balanced({ ...whole, alerts: [alert, refused] });
    expect(balance).toMatchObject({ alerts: 2, accepted: 1, refused: new Map([['503', 1]]), slowestMs: 900 });
    expect(problemsOf({ alerts: [alert, refused] })).toEqual([]);
  });

  it('does not balance where a caller is refused although the disturbance was announced', () => {
    const orderly = { ...phase, isOrderly: true };
    const read = { phase: phase.name, sentAt: 1, tookMs: 1, refusal: 'ECONNREFUSED' };
    expect(problemsOf({ phases: [orderly], reads: [read] })).toEqual(['kill notifier: 1 callers were refused']);
  });

  it('takes it for no closed port where a caller is answered that the installation is busy', () => {
    const orderly = { ...phase, isOrderly: true };
    const read = { phase: phase.name, sentAt: 1, tookMs: 1, refusal: BUSY };
    expect(problemsOf({ phases: [orderly], reads: [read] })).toEqual([]);
  });

  it('does not balance where nothing was accepted, or more containers ended than were killed', () => {
    expect(problemsOf({ alerts: [], phases: [{ ...phase, restarts: 3 }] })).toEqual([
      'kill notifier: no alert was accepted, so nothing is shown',
      'kill notifier: 2 containers ended by themselves',
    ]);
  });

  it('does not balance where what was to be killed went on', () => {
    expect(problemsOf({ phases: [{ ...phase, restarts: 0 }] })).toEqual([
      'kill notifier: the container that was killed was not started again',
    ]);
  });

  it('keeps phases apart', () => {
    const later = { ...phase, name: 'upgrade' };
    const second = { ...alert, phase: 'upgrade', alias: 'run-2', requestId: 'request-2' };
    const balances = balanced({ ...whole, phases: [phase, later], alerts: [alert, second] });
    expect(balances.map(({ unsettled, missing }) => [unsettled.length, missing.length])).toEqual([
      [0, 0],
      [1, 2],
    ]);
  });
});
