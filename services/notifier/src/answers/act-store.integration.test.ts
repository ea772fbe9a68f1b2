import { describe, expect, it } from '@jest/globals';
import { AlertCommand, AlertCommands, Decision, Decisions } from '@tocsin/events';
import { RecordingPublisher } from '@tocsin/kafka';
import { collectionOf, Outbox } from '@tocsin/mongo';
import { eventually } from '@tocsin/testkit';
import { act } from '../testing/act-samples.ts';
import { useStores } from '../testing/mongo-fixture.ts';
import { silent } from '../testing/mongo-stores.ts';
import { ACTS } from '../messages/delivery-document.ts';
import { RetainedRows } from '../messages/store.ts';

const open = useStores();
const AT = new Date('2026-01-01T00:05:00Z');

describe('acts of users by answers', () => {
  it('publishes the command and its log entry, in the name of the user', async () => {
    const { acts, commands, decisions } = await open();
    expect(await acts.take(act(), AT)).toBe(true);
    const [command, ...more] = await commands();
    expect(more).toEqual([]);
    expect(AlertCommand.parse(command)).toMatchObject({
      kind: 'acknowledge',
      requestId: 'answer:a1:1:acknowledge',
      identifier: { type: 'id', value: 'a1' },
      actor: 'ada@example.com',
      acceptedAt: AT.toISOString(),
    });
    expect((await decisions()).map((one) => Decision.parse(one))).toMatchObject([
      { alertId: 'a1', findings: [{ text: 'ada@example.com acknowledges the alert by the link of a mail.' }] },
    ]);
  });

  it('accepts an answer once, where it comes twice at the same time and again later', async () => {
    const { acts, commands, decisions } = await open();
    const taken = await Promise.all([acts.take(act(), AT), acts.take(act(), AT), acts.take(act(), AT)]);
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await acts.take(act(), new Date(AT.getTime() + 60_000))).toBe(false);
    expect([await commands(), await decisions()].map(({ length }) => length)).toEqual([1, 1]);
  });

  it('distinguishes answers by their request ids, and recognises those that it accepted', async () => {
    const { acts, commands } = await open();
    expect(await acts.isKnown('answer:a1:1:acknowledge')).toBe(false);
    await acts.take(act(), AT);
    expect(await acts.isKnown('answer:a1:1:acknowledge')).toBe(true);
    expect(await acts.isKnown('reply:x')).toBe(false);
    expect(await acts.take(act({ requestId: 'reply:x', action: 'close' }), AT)).toBe(true);
    expect(await commands()).toMatchObject([{ kind: 'acknowledge' }, { kind: 'close' }]);
  });
});

describe('a notifier that dies after it has written an answer and before anything of it is published', () => {
  it('leaves the command to the next process, which does not accept the answer again', async () => {
    const { acts, connection, publisher } = await open();
    publisher.refuseWith(new Error('the process is gone'));
    await acts.take(act(), AT);
    const next = new RecordingPublisher();
    const topics = [Decisions, AlertCommands];
    const outbox = new Outbox({
      connection,
      publisher: next,
      topics,
      logger: silent,
    });
    outbox.start();
    await eventually(() => {
      expect(next.published.map(({ topic }) => topic).toSorted()).toEqual(topics.map(({ name }) => name).toSorted());
    });
    expect(await acts.take(act(), AT)).toBe(false);
    await outbox.stop();
    expect(await outbox.pending()).toBe(0);
    expect(next.published).toHaveLength(2);
  });
});

describe('accepted answers', () => {
  it('go once they are old', async () => {
    const { acts, connection } = await open();
    await acts.take(act(), AT);
    await acts.take(act({ requestId: 'young' }), new Date(AT.getTime() + 1));
    await new RetainedRows(connection).remove('acts', AT);
    expect((await collectionOf(connection, ACTS).find({}).toArray()).map(({ _id }) => String(_id))).toEqual(['young']);
  });
});
