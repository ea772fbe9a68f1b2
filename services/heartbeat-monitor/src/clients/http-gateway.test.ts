import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/errors';
import { HttpGateway } from './http-gateway.ts';

const answering = (reply: () => Promise<{ status: number; body: object }>) => {
  const asked: string[] = [];
  const get = (path: string) => {
    asked.push(path);
    return reply() as Promise<{ status: number; body: Readonly<Record<string, unknown>> }>;
  };
  return { asked, gateway: new HttpGateway({ get }) };
};

describe('HttpGateway', () => {
  it('takes pings where the gateway says that it is ready', async () => {
    const { asked, gateway } = answering(() => Promise.resolve({ status: 200, body: {} }));
    expect(await gateway.takesPings()).toBe(true);
    expect(asked).toEqual(['/healthz']);
  });

  it('takes none where it says anything else, or nothing', async () => {
    const away = () => Promise.reject(new UnavailableError('no answer'));
    for (const { gateway } of [answering(() => Promise.resolve({ status: 404, body: {} })), answering(away)])
      expect(await gateway.takesPings()).toBe(false);
  });
});
