import { describe, expect, it } from '@jest/globals';
import type { Decision, DecisionFinding } from '@tocsin/events';
import { decisionEntries } from '../alert-log/consumer.ts';
import { explain, type ExplainedRecipient, type ExplainedUser, type Explanation } from './explanation.ts';
import { comparePositions, type LogEntry } from '../alert-log/entry.ts';

const ADA = { id: 'u-ada', username: 'ada' };
const GRACE = { id: 'u-grace', username: 'grace' };

let decisions = 0;
const decided = (stage: Decision['stage'], seconds: number, ...findings: DecisionFinding[]): Decision => ({
  decisionId: `d${(decisions += 1)}`,
  alertId: 'a1',
  stage,
  at: new Date(Date.UTC(2026, 0, 5, 8, 0, seconds)).toISOString(),
  findings,
});

const logOf = (...all: readonly Decision[]): readonly LogEntry[] =>
  all.flatMap(decisionEntries).toSorted((a, b) => comparePositions(a.position, b.position));

const finding = (subject: string, outcome: string, facts: Record<string, unknown> = {}): DecisionFinding => ({
  subject,
  outcome,
  text: `${subject} ${outcome}.`,
  facts,
});

const paged = ({ id: userId, username }: ExplainedUser, branch = 'team:t1') =>
  finding('page', 'paged', { userId, username, branch });
const step = ({ id: userId }: ExplainedUser, outcome: string, deliveryId?: string) =>
  finding('step', outcome, { userId, ...(deliveryId !== undefined && { deliveryId }) });
const delivery = ({ id: userId, username }: ExplainedUser, outcome: string, deliveryId = 'm1'): DecisionFinding => ({
  ...finding('delivery', outcome, { userId, username, deliveryId }),
  text: `${deliveryId} ${outcome}.`,
});
/** Its provider refused it, and a new message goes to another provider. */
const handedOn = (user: ExplainedUser): DecisionFinding => {
  const failed = delivery(user, 'failed');
  return { ...failed, facts: { ...failed.facts, successorId: 'm1@2' } };
};

const only = (entries: readonly LogEntry[], about?: ExplainedUser): ExplainedRecipient => {
  const [user, ...others] = explain(entries, about).users;
  if (user === undefined || others.length > 0) throw new Error('not one user');
  return user;
};

describe('explain: the order of its steps', () => {
  it('has the outcome of a page after it, where the clock of its service is behind', () => {
    const log = logOf(
      decided('page', 0, step(ADA, 'scheduled', 'm1')),
      decided('deliver', 1, delivery(ADA, 'sent')),
      decided('route', 2, finding('on-call', 'found'), paged(ADA), paged(GRACE)),
      decided('page', 3, step(GRACE, 'scheduled', 'm2')),
      decided('route', 4, paged(ADA)),
      decided('page', 5, step(ADA, 'scheduled', 'm3')),
    );
    const order = explain(log).steps.map(({ facts, outcome, stage }) =>
      [stage, outcome, facts['deliveryId']].filter(Boolean).join(' '),
    );
    expect(order).toEqual([
      'route found',
      'route paged',
      'page scheduled m1',
      'deliver sent m1',
      'route paged',
      'page scheduled m2',
      'route paged',
      'page scheduled m3',
    ]);
  });
});

describe('explain: how a user was notified', () => {
  it.each([
    ['notified', 'm1 sent.', [delivery(ADA, 'sent')]],
    ['notified', 'm2 sent.', [delivery(ADA, 'failed'), delivery(ADA, 'sent', 'm2')]],
    ['notified', 'm1 sent.', [delivery(ADA, 'sent'), delivery(ADA, 'retrying')]],
    ['notified', 'm1 delivered.', [delivery(ADA, 'delivered'), delivery(ADA, 'sent')]],
    ['notified', 'm1 delivered.', [delivery(ADA, 'failed'), delivery(ADA, 'delivered')]],
    ['failed', 'm1 failed.', [delivery(ADA, 'failed'), delivery(ADA, 'sent')]],
    ['pending', 'm1 failed.', [delivery(ADA, 'sent'), handedOn(ADA)]],
    ['pending', 'step scheduled.', []],
    ['pending', 'm1 retrying.', [delivery(ADA, 'retrying')]],
    ['failed', 'm1 failed.', [delivery(ADA, 'failed')]],
    ['failed', 'm1 failed.', [delivery(ADA, 'failed'), delivery(ADA, 'dropped', 'm2')]],
    ['not-sent', 'm1 dropped.', [delivery(ADA, 'dropped')]],
    ['pending', 'm1 failed.', [handedOn(ADA)]],
    ['notified', 'm1@2 sent.', [handedOn(ADA), delivery(ADA, 'sent', 'm1@2')]],
    ['failed', 'm1 failed. m1@2 failed.', [handedOn(ADA), delivery(ADA, 'failed', 'm1@2')]],
  ])('%s: %s', (outcome, reason, messages) => {
    const log = logOf(
      decided('route', 0, paged(ADA)),
      decided('page', 1, step(ADA, 'scheduled', 'm1')),
      decided('deliver', 2, ...messages),
    );
    expect(only(log)).toEqual({ user: ADA, outcome, reason });
  });

  it('says why nothing was sent if no step of the rules can be sent', () => {
    const log = logOf(
      decided('route', 0, paged(ADA)),
      decided('page', 1, finding('notification-rule', 'matched', { userId: ADA.id }), step(ADA, 'skipped')),
    );
    expect(only(log)).toEqual({ user: ADA, outcome: 'not-sent', reason: 'step skipped.' });
  });

  it('is pending while the rules of the user have not been evaluated', () => {
    expect(only(logOf(decided('route', 0, paged(ADA))))).toMatchObject({ outcome: 'pending', reason: 'page paged.' });
    const waiting = decided('page', 1, finding('user', 'waiting', { userId: ADA.id }));
    expect(only(logOf(decided('route', 0, paged(ADA)), waiting))).toMatchObject({
      outcome: 'pending',
      reason: 'user waiting.',
    });
  });
});

describe('explain: why a user was not paged', () => {
  it.each([
    [
      'an override put another in their place',
      { layers: [{ override: { displaced: { type: 'user', id: GRACE.id } } }] },
    ],
    ['their duty was forwarded', { fromUserId: GRACE.id, toUserId: ADA.id }],
    ['the rule that names them did not fire', { recipient: { type: 'user', id: GRACE.id } }],
  ])('%s', (_what, facts) => {
    const log = logOf(decided('route', 0, paged(ADA), finding('cause', 'found', facts)));
    expect(only(log, GRACE)).toEqual({ user: GRACE, outcome: 'not-paged', reason: 'cause found.' });
  });

  it('names rules that found no recipient or did not fire, if nothing names the user', () => {
    const log = logOf(
      decided('route', 0, finding('escalation-rule', 'no-recipient'), finding('routing-rule', 'matched')),
    );
    expect(only(log, GRACE).reason).toBe(
      'Nothing that this alert has reached leads to grace. escalation-rule no-recipient.',
    );
  });

  it('names the reason why the flow is not active', () => {
    const silent = { ...finding('policies', 'matched', { heldUntil: '2026-01-05T09:00:00Z' }), text: 'Held.' };
    expect(only(logOf(decided('process', 0, silent)), GRACE).reason).toBe('Held.');
    expect(only(logOf(decided('process', 0, finding('flow', 'suppressed'))), GRACE).reason).toBe('flow suppressed.');
    expect(only(logOf(), GRACE).reason).toContain('reached no user');
  });
});

describe('explain: a log that was read in part', () => {
  const log = logOf(
    decided('route', 0, paged(ADA), finding('routing-rule', 'matched'), finding('escalation-rule', 'no-recipient')),
    decided('deliver', 1, delivery(ADA, 'sent')),
  );
  const partly = ([user]: Explanation['users']) => user;
  const text = 'The part of the log that was read does not show that grace was paged.';

  it('does not show that a user was not paged', () => {
    for (const entries of [log, logOf()])
      expect(partly(explain(entries, GRACE, true).users)).toEqual({ user: GRACE, outcome: 'incomplete', reason: text });
    expect(partly(explain(log, ADA, true).users)).toMatchObject({ outcome: 'notified' });
  });

  it('names the steps about the user that it has', () => {
    const facts = { recipient: { type: 'user', id: GRACE.id } };
    const entries = logOf(decided('route', 0, finding('escalation-rule', 'skipped', facts)));

    expect(partly(explain(entries, GRACE, true).users)).toMatchObject({
      outcome: 'incomplete',
      reason: `${text} escalation-rule skipped.`,
    });
  });
});

describe('explain: the steps', () => {
  const log = logOf(
    decided('ingest', 0, finding('integration-action', 'matched')),
    decided('route', 1, finding('routing-rule', 'matched', { branch: 'team:t1' }), paged(ADA, 'team:t1/-')),
    decided('route', 2, finding('routing-rule', 'matched', { branch: 'team:t2' }), paged(GRACE, 'team:t2/-')),
    decided('deliver', 3, delivery(ADA, 'sent'), delivery(GRACE, 'sent', 'm2')),
  );
  const shown = (about?: ExplainedUser) =>
    explain(log, about).steps.map(({ facts, subject }) => [subject, facts['branch'] ?? facts['deliveryId']]);

  it('of one user are the steps for everybody, the route to the user, and their messages', () => {
    expect(shown(GRACE)).toEqual([
      ['integration-action', undefined],
      ['routing-rule', 'team:t2'],
      ['page', 'team:t2/-'],
      ['delivery', 'm2'],
    ]);
  });

  it('of a user who was not paged are the whole route of the flow, without the messages of others', () => {
    expect(shown({ id: 'u-x', username: 'x' })).toEqual([
      ['integration-action', undefined],
      ['routing-rule', 'team:t1'],
      ['routing-rule', 'team:t2'],
    ]);
  });

  it('of all users are all steps, with all users who were reached', () => {
    expect(shown()).toHaveLength(7);
    expect(explain(log).users.map(({ user }) => user)).toEqual([ADA, GRACE]);
  });
});
