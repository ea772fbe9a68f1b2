import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { routingUses } from './client.ts';

function answering(status: number, body: Record<string, unknown>) {
  const paths: string[] = [];
  const uses = routingUses({
    get: (path) => {
      paths.push(path);
      return Promise.resolve({ status, body });
    },
  });
  return { uses, paths };
}

describe('the routing rules that name a schedule or escalation', () => {
  it('are requested from directory', async () => {
    const { uses, paths } = answering(200, { data: ['Routing rule [Default] of team [SRE] notifies it.'] });
    expect(await uses('schedule', 'a b')).toEqual(['Routing rule [Default] of team [SRE] notifies it.']);
    expect(paths).toEqual(['/internal/uses?type=schedule&id=a+b']);
  });

  it.each([
    [404, {}],
    [200, { data: 'none' }],
  ])('are unavailable when directory answers %i %j', async (status, body) => {
    await expect(answering(status, body).uses('schedule', 'x')).rejects.toThrow(UnavailableError);
  });
});
