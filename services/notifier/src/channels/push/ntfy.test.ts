import { describe, expect, it } from '@jest/globals';
import { OutgoingCaller } from '@tocsin/http';
import { startNtfy } from '@tocsin/testkit';
import { Ntfy } from './ntfy.ts';

const outgoing = new OutgoingCaller({ allowedRanges: ['127.0.0.1'] });
const push = { topic: 'tocsin-abc', title: '[P1] Disk full', text: 'No space\n"left" ü', priority: 5 } as const;

describe('Ntfy', () => {
  it('publishes title, text and priority to the topic', async () => {
    const ntfy = await startNtfy();
    await new Ntfy({ url: ntfy.url }, outgoing).send(push);
    await new Ntfy({ url: `${ntfy.url}/` }, outgoing).send(push);
    const { text: message, ...rest } = push;
    expect(ntfy.taken).toEqual([
      { ...rest, message },
      { ...rest, message },
    ]);
    await ntfy.stop();
  });

  it('opens the page that acknowledges by a tap and by a button, which both change nothing', async () => {
    const ntfy = await startNtfy();
    const acknowledgeUrl = 'https://tocsin.example.com/acknowledge/x';
    await new Ntfy({ url: ntfy.url }, outgoing).send({ ...push, acknowledgeUrl });
    const actions = [{ action: 'view', label: 'Acknowledge', url: acknowledgeUrl }];
    expect(ntfy.taken).toMatchObject([{ click: acknowledgeUrl, actions }]);
    await ntfy.stop();
  });

  it('shows itself to a server on which not everybody may publish', async () => {
    const ntfy = await startNtfy('a-token');
    expect(await new Ntfy({ url: ntfy.url, token: 'a-token' }, outgoing).send(push)).toMatchObject({
      kind: 'accepted',
    });
    expect(await new Ntfy({ url: ntfy.url, token: 'another' }, outgoing).send(push)).toEqual({
      kind: 'permanent',
      reason: 'it answered 401: unauthorized',
    });
    await ntfy.stop();
  });

  it('cuts a text that would become a file, never within a character', async () => {
    const ntfy = await startNtfy();
    for (const text of ['ü'.repeat(2_000), 'ü'.repeat(2_001), '🔥'.repeat(3_000)])
      await new Ntfy({ url: ntfy.url }, outgoing).send({ ...push, text });
    expect(ntfy.taken.map(({ message }) => message)).toEqual([
      'ü'.repeat(2_000),
      `${'ü'.repeat(1_998)}…`,
      `${'🔥'.repeat(999)}…`,
    ]);
    await ntfy.stop();
  });
});
