import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/core';
import { AlertCommand } from '@tocsin/events';
import type { AuditFinding, StuckWork } from '@tocsin/mongo';
import { AuditResponders } from './audit-responders.ts';
import { AUDIT_SLACK_MS, Auditor } from './auditor.ts';

/** As the store promises: what is not met is forgotten, and only the first to ask handles. */
class MemoryFindings {
  readonly #rows = new Map<string, AuditFinding>();

  record(stuck: readonly StuckWork[], now: Date): Promise<readonly AuditFinding[]> {
    const ids = new Set(stuck.map(({ id }) => id));
    for (const id of this.#rows.keys()) if (!ids.has(id)) this.#rows.delete(id);
    for (const { id, text } of stuck) {
      const known = this.#rows.get(id);
      this.#rows.set(id, known ?? { id, text, foundAt: now, handledAt: undefined, raisedAt: undefined });
    }
    return Promise.resolve([...this.#rows.values()]);
  }

  claim(id: string, now: Date): Promise<boolean> {
    return Promise.resolve(this.#set(id, 'handledAt', now));
  }

  recordRaised(ids: readonly string[], now: Date): Promise<void> {
    for (const id of ids) this.#set(id, 'raisedAt', now);
    return Promise.resolve();
  }

  #set(id: string, field: 'handledAt' | 'raisedAt', now: Date): boolean {
    const row = this.#rows.get(id);
    if (row === undefined || row[field] !== undefined) return false;
    this.#rows.set(id, { ...row, [field]: now });
    return true;
  }
}

function audited() {
  const clock = new ManualClock(new Date('2026-01-05T08:00:00Z'));
  const state = { stuck: [] as StuckWork[], publishing: true, mending: true };
  const driven: string[] = [];
  const raised: AlertCommand[] = [];
  const counted: number[] = [];
  const trouble: string[] = [];
  const findings = new MemoryFindings();
  const auditor = () =>
    new Auditor({
      service: 'notifier',
      clock,
      findings,
      responders: AuditResponders.parse('team:Operations'),
      audit: {
        kind: 'pages',
        what: 'messages are overdue',
        look: () => Promise.resolve(state.stuck),
        redrive: (ids) => {
          driven.push(...ids);
          return state.mending ? Promise.resolve() : Promise.reject(new Error('The database is unavailable.'));
        },
      },
      publish: (command) => {
        if (!state.publishing) return Promise.reject(new Error('Kafka is unavailable.'));
        raised.push(AlertCommand.parse(command));
        return Promise.resolve();
      },
      onCounted: (count) => counted.push(count),
      onFailure: (_, text) => trouble.push(text),
    });
  return { clock, state, driven, raised, counted, trouble, auditor, findings };
}

const one: StuckWork = { id: 'd1', text: 'A message to Ada is due since 08:00.' };
const other: StuckWork = { id: 'd2', text: 'A message to Bob is due since 08:00.', count: 4 };

describe('an audit', () => {
  it('drives what is stuck once, and raises one P1 alert where that did not help for another 30 s', async () => {
    const { auditor, clock, counted, driven, raised, state } = audited();
    state.stuck = [one, other];
    await auditor().run();
    clock.advance(AUDIT_SLACK_MS - 1);
    await auditor().run();
    expect(driven).toEqual(['d1', 'd2']);
    expect(raised).toEqual([]);
    clock.advance(1);
    await auditor().run();
    clock.advance(AUDIT_SLACK_MS);
    await auditor().run();
    expect(driven).toEqual(['d1', 'd2']);
    expect(counted).toEqual([5, 5, 5, 5]);
    expect(raised).toHaveLength(1);
    expect(raised[0]).toMatchObject({
      kind: 'create',
      identifier: { type: 'alias', value: 'tocsin-audit:pages' },
      alert: {
        priority: 'P1',
        message: 'Tocsin: messages are overdue (2)',
        description: `${one.text}\n${other.text}`,
        responders: [{ type: 'team', name: 'Operations' }],
      },
    });
  });

  it('is silent where it came right; what is stuck anew is new', async () => {
    const { auditor, clock, driven, raised, state } = audited();
    state.stuck = [one];
    await auditor().run();
    state.stuck = [];
    clock.advance(AUDIT_SLACK_MS);
    await auditor().run();
    state.stuck = [one];
    await auditor().run();
    expect(raised).toEqual([]);
    expect(driven).toEqual(['d1', 'd1']);
  });

  it('redrives what it has marked where the mark of a later finding fails', async () => {
    const { auditor, driven, findings, state } = audited();
    state.stuck = [one, other];
    const claim = findings.claim.bind(findings);
    findings.claim = (id, now) =>
      id === 'd2' ? Promise.reject(new Error('The database is unavailable.')) : claim(id, now);
    await expect(auditor().run()).rejects.toThrow('The database is unavailable.');
    expect(driven).toEqual(['d1']);
    findings.claim = claim;
    await auditor().run();
    expect(driven).toEqual(['d1', 'd2']);
  });

  it('redrives what it has marked and marks nothing more once it is aborted', async () => {
    const { auditor, driven, findings, state } = audited();
    state.stuck = [one, other];
    const abort = new AbortController();
    const claim = findings.claim.bind(findings);
    findings.claim = (id, now) => {
      abort.abort();
      return claim(id, now);
    };
    await auditor().run(abort.signal);
    expect(driven).toEqual(['d1']);
  });

  it('raises again under the same id what a process that died may have raised', async () => {
    const { auditor, clock, counted, raised, state } = audited();
    state.stuck = [one];
    await auditor().run();
    clock.advance(AUDIT_SLACK_MS);
    state.publishing = false;
    await expect(auditor().run()).rejects.toThrow('Kafka is unavailable.');
    expect(counted).toHaveLength(2);
    state.publishing = true;
    clock.advance(10_000);
    await auditor().run();
    await auditor().run();
    expect(raised).toHaveLength(1);
    const [first] = raised;
    const twin = audited();
    twin.state.stuck = [one];
    await twin.auditor().run();
    twin.clock.advance(AUDIT_SLACK_MS);
    await twin.auditor().run();
    expect(twin.raised[0]?.requestId).toBe(first?.requestId);
  });

  it('raises what could not be driven again, and is not held up by it', async () => {
    const { auditor, clock, raised, state, trouble } = audited();
    state.stuck = [one];
    state.mending = false;
    await auditor().run();
    expect(trouble).toHaveLength(1);
    clock.advance(AUDIT_SLACK_MS);
    await auditor().run();
    expect(raised).toHaveLength(1);
  });
});

describe('AUDIT_RESPONDERS', () => {
  it('names responders by type and name', () => {
    expect(AuditResponders.parse(undefined)).toEqual([]);
    expect(AuditResponders.parse(' Team:Night: watch , user:ada@example.com')).toEqual([
      { type: 'team', name: 'Night: watch' },
      { type: 'user', name: 'ada@example.com' },
    ]);
  });

  it.each(['Operations', 'robot:R2', 'team:'])('refuses [%s]', (text) => {
    expect(AuditResponders.safeParse(text).success).toBe(false);
  });
});
