import { describe, expect, it } from '@jest/globals';
import { READINESS_KINDS } from '@tocsin/api';
import type { ServiceContext } from '@tocsin/service';
import type { Finding } from './finding.ts';
import type { ReadinessReport } from './operations.ts';
import { reportReadiness } from './task.ts';

const finding: Finding = {
  kind: 'schedule-gap',
  severity: 'error',
  teamIds: [],
  entity: { type: 'schedule', id: 'nights', name: 'Nights' },
  message: 'No user is on call.',
  remedy: 'Add a rotation.',
  path: '/v2/schedules/nights',
};

describe('the task that reports readiness', () => {
  it('sets the count of each kind, so that one that is mended goes back to 0, and none while findings of a service are missing', async () => {
    const reported = new Map<string, number>();
    const tasks: Parameters<ServiceContext['tasks']['add']>[0][] = [];
    let findings: readonly Finding[] = [finding, finding];
    let incompleteServices: readonly string[] = [];
    reportReadiness(
      {
        metrics: { readiness: (kind, count) => reported.set(kind, count) },
        tasks: { add: (task) => tasks.push(task) },
      },
      { current: () => Promise.resolve({ findings, incompleteServices } as ReadinessReport) },
    );
    await tasks[0]?.activate(new AbortController().signal);
    expect([...reported.keys()].sort()).toEqual([...READINESS_KINDS].sort());
    expect([reported.get('schedule-gap'), reported.get('clock-change')]).toEqual([2, 0]);
    findings = [];
    incompleteServices = ['alert-ingest'];
    await tasks[0]?.activate(new AbortController().signal);
    expect(reported.get('schedule-gap')).toBe(2);
    incompleteServices = [];
    await tasks[0]?.activate(new AbortController().signal);
    expect(reported.get('schedule-gap')).toBe(0);
  });
});
