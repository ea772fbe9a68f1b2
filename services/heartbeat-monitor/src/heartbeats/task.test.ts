import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { gatewayAcceptsPings } from './task.ts';

const answering = (reply: () => Promise<{ status: number; body: object }>) => {
  const asked: string[] = [];
  const get = (path: string) => {
    asked.push(path);
    return reply() as Promise<{ status: number; body: Readonly<Record<string, unknown>> }>;
  };
  return { asked, acceptsPings: gatewayAcceptsPings({ get }) };
};

describe('gatewayAcceptsPings', () => {
  it('is true where the gateway answers that it is ready', async () => {
    const { asked, acceptsPings } = answering(() => Promise.resolve({ status: 200, body: {} }));
    expect(await acceptsPings()).toBe(true);
    expect(asked).toEqual(['/healthz']);
  });

  it('is false where the gateway answers otherwise or not at all', async () => {
    const unavailable = () => Promise.reject(new UnavailableError('no answer'));
    for (const { acceptsPings } of [
      answering(() => Promise.resolve({ status: 404, body: {} })),
      answering(unavailable),
    ])
      expect(await acceptsPings()).toBe(false);
  });
});
