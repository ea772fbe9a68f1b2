import { describe, expect, it } from '@jest/globals';
import { InvariantError, UnavailableError } from '@tocsin/core';
import { askAll, findingsOf } from './client.ts';

const finding = {
  kind: 'integration-unused',
  severity: 'warning',
  teamIds: ['sre'],
  entity: { type: 'integration', id: 'i1', name: 'Prometheus' },
  message: 'Integration [Prometheus] was never used.',
  remedy: 'Use it.',
  path: '/v2/integrations/i1',
};
const missing = { findings: [], incompleteServices: ['alert-ingest'] };
const asked = (get: () => Promise<{ status: number; body: Record<string, unknown> }>) =>
  findingsOf('alert-ingest', { get })();

describe('the findings of another service', () => {
  it('are its own, and it is named where it has more', async () => {
    const body = { data: [finding], isComplete: true };
    expect(await asked(() => Promise.resolve({ status: 200, body }))).toEqual({
      findings: [finding],
      incompleteServices: [],
    });
    expect(await asked(() => Promise.resolve({ status: 200, body: { ...body, isComplete: false } }))).toEqual({
      findings: [finding],
      incompleteServices: ['alert-ingest'],
    });
  });

  it('are missing where it does not answer, or answers what is not understood', async () => {
    expect(await asked(() => Promise.reject(new UnavailableError('It is unavailable.')))).toEqual(missing);
    expect(await asked(() => Promise.resolve({ status: 404, body: {} }))).toEqual(missing);
    const unknown = { data: [{ ...finding, kind: 'later' }], isComplete: true };
    expect(await asked(() => Promise.resolve({ status: 200, body: unknown }))).toEqual(missing);
  });

  it('do not hide a defect', async () => {
    await expect(asked(() => Promise.reject(new InvariantError('A defect.')))).rejects.toThrow('A defect.');
  });

  it('of several are joined', async () => {
    const some = { findings: [], incompleteServices: ['alert-processor'] };
    expect(await askAll([() => Promise.resolve(missing), () => Promise.resolve(some)])).toEqual({
      findings: [],
      incompleteServices: ['alert-ingest', 'alert-processor'],
    });
  });
});
