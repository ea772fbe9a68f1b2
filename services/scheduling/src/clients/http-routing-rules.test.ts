import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/errors';
import { HttpRoutingRules } from './http-routing-rules.ts';

function answering(status: number, body: Record<string, unknown>) {
  const asked: string[] = [];
  const rules = new HttpRoutingRules({
    get: (path) => {
      asked.push(path);
      return Promise.resolve({ status, body });
    },
  });
  return { rules, asked };
}

describe('HttpRoutingRules', () => {
  it('asks the directory which routing rules name the thing', async () => {
    const { rules, asked } = answering(200, { data: ['Routing rule [Default] of team [SRE] notifies it.'] });
    expect(await rules.usesOf('schedule', 'a b')).toEqual(['Routing rule [Default] of team [SRE] notifies it.']);
    expect(asked).toEqual(['/internal/uses?type=schedule&id=a+b']);
  });

  it.each([
    [404, {}],
    [200, { data: 'none' }],
  ])('cannot tell when the directory answers %i %j', async (status, body) => {
    await expect(answering(status, body).rules.usesOf('schedule', 'x')).rejects.toThrow(UnavailableError);
  });
});
