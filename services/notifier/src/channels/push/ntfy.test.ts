import { describe, expect, it } from '@jest/globals';
import { OutgoingCaller } from '@tocsin/http';
import { startNtfy } from '@tocsin/testkit';
import { sequenceOf } from './message.ts';
import { Ntfy } from './ntfy.ts';

const outgoing = new OutgoingCaller({ allowedRanges: ['127.0.0.1'] });
const push = {
  topic: 'tocsin-abc',
  title: '[P1] Disk full',
  text: 'No space\n"left" ü',
  priority: 5,
  sequence: 's1',
} as const;
const none = { newest: () => Promise.resolve(undefined) };

describe('Ntfy', () => {
  it('publishes title, text and priority to the topic', async () => {
    const ntfy = await startNtfy();
    await new Ntfy({ url: ntfy.url }, outgoing, none).send(push);
    await new Ntfy({ url: `${ntfy.url}/` }, outgoing, none).send(push);
    const { sequence, text: message, ...rest } = push;
    expect(ntfy.taken).toEqual([
      { ...rest, message, sequence_id: sequence },
      { ...rest, message, sequence_id: sequence },
    ]);
    await ntfy.stop();
  });

  it('opens the page that acknowledges by a tap, and acknowledges by the POST of its button (U14)', async () => {
    const ntfy = await startNtfy();
    const acknowledgeUrl = 'https://tocsin.example.com/acknowledge/x';
    await new Ntfy({ url: ntfy.url }, outgoing, none).send({ ...push, acknowledgeUrl });
    const actions = [{ action: 'http', label: 'Acknowledge', url: acknowledgeUrl, method: 'POST', clear: true }];
    expect(ntfy.taken).toMatchObject([{ click: acknowledgeUrl, actions }]);
    await ntfy.stop();
  });

  it('replaces the page that a status update outdates, and is a message of its own where there is none', async () => {
    const ntfy = await startNtfy();
    const outdates = { alertId: 'a1', userId: 'ada' };
    const asked: unknown[] = [];
    const newest = (of: unknown) => {
      asked.push(of);
      return Promise.resolve({ deliveryId: 'p1', response: 'an-id' });
    };
    await new Ntfy({ url: ntfy.url }, outgoing, { newest }).send({ ...push, outdates });
    await new Ntfy({ url: ntfy.url }, outgoing, none).send({ ...push, outdates });
    expect(ntfy.taken.map(({ sequence_id }) => sequence_id)).toEqual([sequenceOf('p1'), 's1']);
    expect(asked).toEqual([{ ...outdates, to: push.topic }]);
    await ntfy.stop();
  });

  it('shows itself to a server on which not everybody may publish', async () => {
    const ntfy = await startNtfy('a-token');
    expect(await new Ntfy({ url: ntfy.url, token: 'a-token' }, outgoing, none).send(push)).toMatchObject({
      kind: 'accepted',
    });
    expect(await new Ntfy({ url: ntfy.url, token: 'another' }, outgoing, none).send(push)).toEqual({
      kind: 'permanent',
      reason: 'it answered 401: unauthorized',
    });
    await ntfy.stop();
  });

  it('cuts a text that would become a file, never within a character', async () => {
    const ntfy = await startNtfy();
    for (const text of ['ü'.repeat(2_000), 'ü'.repeat(2_001), '🔥'.repeat(3_000)])
      await new Ntfy({ url: ntfy.url }, outgoing, none).send({ ...push, text });
    expect(ntfy.taken.map(({ message }) => message)).toEqual([
      'ü'.repeat(2_000),
      `${'ü'.repeat(1_998)}…`,
      `${'🔥'.repeat(999)}…`,
    ]);
    await ntfy.stop();
  });
});
