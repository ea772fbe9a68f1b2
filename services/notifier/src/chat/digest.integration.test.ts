import { afterEach, describe, expect, it } from '@jest/globals';
import type { ChatProvider, WebhookCommand } from '@tocsin/events';
import type { ChatMessage } from '@tocsin/testkit';
import { RetainedRows } from '../messages/store.ts';
import {
  allMessages,
  CHANGING_PRODUCTS,
  type ChatFixture,
  KEEPING_PRODUCTS,
  openChatFixture,
  textOf,
} from '../testing/chat-fixture.ts';
import { webhookCommand } from '../testing/webhook-samples.ts';

/** The alerts of one minute. */
const STORM: Readonly<Record<ChatProvider, number>> = {
  slack: 1_000,
  mattermost: 100,
  telegram: 200,
  discord: 100,
  teams: 100,
  'google-chat': 100,
};

const opened: ChatFixture[] = [];
afterEach(async () => {
  for (const fixture of opened.splice(0)) await fixture.close();
});

async function setUp(provider: ChatProvider, limit: number): Promise<ChatFixture> {
  const fixture = await openChatFixture(provider, { limit });
  opened.push(fixture);
  return fixture;
}

type Fields = NonNullable<Parameters<typeof webhookCommand>[0]>;
const about = (n: number, fields: Fields = {}): WebhookCommand =>
  webhookCommand({
    alertId: `a${n}`,
    ...fields,
    alert: { tinyId: String(n), message: `Disk of host-${n}.`, ...fields.alert },
  });
const storm = (from: number, to: number): WebhookCommand[] =>
  Array.from({ length: to - from + 1 }, (_, index) => about(from + index));

const isDigest = (post: ChatMessage): boolean => textOf(post).includes('more alert');
const digestsOf = ({ double }: ChatFixture): readonly ChatMessage[] => double.posts().filter(isDigest);
const ownOf = ({ double }: ChatFixture): readonly ChatMessage[] => double.posts().filter((post) => !isDigest(post));
/** The numbers of the alerts that posts show, each once for each post, in their order. */
const listedIn = (posts: readonly ChatMessage[]): readonly number[] =>
  posts.flatMap((post) => [...new Set([...textOf(post).matchAll(/Disk of host-(\d+)\./g)].map(([, n]) => Number(n)))]);

/** Goes on until no delivery waits. Resolves with how many seconds that took. */
async function settled(fixture: ChatFixture): Promise<number> {
  const begunAt = fixture.clock.now().getTime();
  for (;;) {
    await fixture.fireDue();
    const next = await fixture.queues.nextDueAt(['webhook']);
    if (next === undefined || next.getFullYear() > 3_000) break;
    fixture.clock.advance(Math.max(0, next.getTime() - fixture.clock.now().getTime()));
  }
  return (fixture.clock.now().getTime() - begunAt) / 1_000;
}

describe.each(CHANGING_PRODUCTS)('a storm in a channel of %s', (provider) => {
  it('makes as many posts as a minute may have, and lists all other alerts in one (C6)', async () => {
    const fixture = await setUp(provider, 3);
    await fixture.settle(...storm(1, 10));
    await settled(fixture);
    expect(ownOf(fixture)).toHaveLength(3);
    const digests = digestsOf(fixture);
    expect([digests.length, textOf(digests[0] ?? { content: {} }).includes('7 more alerts')]).toEqual([1, true]);
    const all = [...listedIn(ownOf(fixture)), ...listedIn(digests)];
    expect(all.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const said = await fixture.said();
    expect(said.filter((text) => text?.includes('it is listed with others') === true)).toHaveLength(7);
    fixture.clock.advance(60_000);
    await fixture.settle(about(11));
    await settled(fixture);
    expect(listedIn(ownOf(fixture))).toContain(11);
  });

  it('edits its digest every 10 s at most, and no delivery ends before its line is shown', async () => {
    const fixture = await setUp(provider, 1);
    await fixture.settle(...storm(1, 2));
    await settled(fixture);
    await fixture.settle(
      about(3),
      about(2, { action: 'Close', version: 2, state: { status: 'closed', acknowledged: false, closedBy: 'bob' } }),
    );
    await fixture.fireDue();
    expect([digestsOf(fixture)[0]?.edits, (await fixture.said()).length]).toEqual([0, 2]);
    expect(await settled(fixture)).toBeGreaterThan(8);
    const [digest] = digestsOf(fixture);
    expect([digest?.edits, (await fixture.said()).length]).toEqual([1, 4]);
    expect(textOf(digest ?? { content: {} })).toMatch(/host-2. \(#2\): Closed by bob.*host-3/);
  });

  it('gives an alert a post of its own when a user acts on it, once there may be one', async () => {
    const fixture = await setUp(provider, 1);
    await fixture.settle(...storm(1, 3));
    await settled(fixture);
    fixture.clock.advance(60_000);
    const state = { status: 'open', acknowledged: true, acknowledgedBy: 'ada' } as const;
    await fixture.settle(
      about(2, { action: 'AddTags', version: 2 }),
      about(3, { action: 'Acknowledge', version: 2, state }),
    );
    await settled(fixture);
    expect(listedIn(ownOf(fixture)).toSorted((a, b) => a - b)).toEqual([1, 3]);
    await fixture.settle(about(3, { action: 'Close', version: 3 }));
    await settled(fixture);
    expect(ownOf(fixture).map(({ edits, replies }) => [edits, replies.length])).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });

  it('keeps no word of alerts that are deleted (A6, C4)', async () => {
    const fixture = await setUp(provider, 1);
    await fixture.settle(...storm(1, 3));
    await settled(fixture);
    fixture.clock.advance(60_000);
    await fixture.settle(about(3, { action: 'AddNote', note: 'secret', version: 2 }));
    await settled(fixture);
    const gone = [2, 3].map((n) => about(n, { action: 'Delete', version: 5, integrationIds: [] }));
    await fixture.settle(...gone);
    await settled(fixture);
    const left = fixture.double.posts().map(textOf).join();
    expect(/host-[23]|secret/.exec(left)).toBeNull();
    expect(left).toContain('These alerts were deleted.');
    const isShown = { $or: [{ reference: { $exists: true } }, { line: { $exists: true } }] };
    expect(await fixture.connection.db?.collection('chat_posts').countDocuments(isShown)).toBe(1);
  });

  it('shows the lines of now where a frozen process edits its digest late, also none of a deleted alert (A6, C2)', async () => {
    const fixture = await setUp(provider, 1);
    await fixture.settle(...storm(1, 3));
    await settled(fixture);
    fixture.clock.advance(10_000);
    await fixture.settle(about(4));
    const first = await fixture.freeze();
    await fixture.settle(about(2, { action: 'Delete', version: 5 }), about(5));
    await settled(fixture);
    await first.resume();
    expect([listedIn(digestsOf(fixture)), listedIn(ownOf(fixture))]).toEqual([[3, 4, 5], [1]]);
  });

  it('keeps a digest as long as its lines, from the last event of an alert in it on', async () => {
    const fixture = await setUp(provider, 1);
    const madeAt = fixture.clock.now();
    await fixture.settle(...storm(1, 3));
    await settled(fixture);
    fixture.clock.advance(86_400_000);
    await fixture.settle(about(2, { action: 'AddTags', version: 2 }));
    await settled(fixture);
    const retained = new RetainedRows(fixture.connection);
    await retained.remove('digests', new Date(madeAt.getTime() + 3_600_000));
    await fixture.settle(about(2, { action: 'Delete', version: 3 }));
    await settled(fixture);
    expect(listedIn(digestsOf(fixture))).toEqual([3]);
    await retained.remove('digests', new Date(fixture.clock.now().getTime()));
    expect(await fixture.connection.db?.collection('chat_digests').countDocuments()).toBe(0);
  });

  it('keeps one digest where a frozen process posts it a second time (C2)', async () => {
    const fixture = await setUp(provider, 1);
    await fixture.settle(about(1));
    await settled(fixture);
    await fixture.settle(about(2));
    const first = await fixture.freeze();
    await settled(fixture);
    await fixture.settle(about(3));
    await settled(fixture);
    await first.resume();
    expect(listedIn(digestsOf(fixture))).toEqual([2, 3]);
  });

  it('has one digest where the process died before it wrote the outcome (C2)', async () => {
    const fixture = await setUp(provider, 1);
    await fixture.settle(about(1));
    await settled(fixture);
    await fixture.settle(about(2));
    await fixture.showAndDie();
    await settled(fixture);
    expect([listedIn(digestsOf(fixture)), digestsOf(fixture)[0]?.edits]).toEqual([[2], 0]);
  });

  it(`of ${STORM[provider]} alerts stays within the pace, and leaves none out (C3, C6)`, async () => {
    const fixture = await setUp(provider, 20);
    for (let from = 1; from <= STORM[provider]; from += 100) await fixture.settle(...storm(from, from + 99));
    const seconds = await settled(fixture);
    expect(fixture.pauses.length).toBeLessThan(100);
    const all = [...listedIn(ownOf(fixture)), ...listedIn(digestsOf(fixture))];
    expect(all.toSorted((a, b) => a - b)).toEqual(Array.from({ length: STORM[provider] }, (_, index) => index + 1));
    const count = digestsOf(fixture).reduce(
      (sum, post) => sum + Number(/(\d+) more alerts?/.exec(textOf(post))?.[1]),
      0,
    );
    expect(count).toBe(STORM[provider] - ownOf(fixture).length);
    expect(seconds).toBeLessThan(120);
    expect((await fixture.said()).filter((text) => text?.includes('accepted Create') === true)).toHaveLength(
      STORM[provider],
    );
  }, 600_000);
});

describe.each(KEEPING_PRODUCTS)('a storm in a channel of %s, where nothing is edited', (provider) => {
  const listsIn = (fixture: ChatFixture) =>
    allMessages(fixture).filter((post) => textOf(post).includes('in one message'));
  const ownIn = (fixture: ChatFixture) =>
    allMessages(fixture).filter((post) => !textOf(post).includes('in one message'));

  it('makes as many messages as a minute may have, and lists all other alerts in one (C6)', async () => {
    const fixture = await setUp(provider, 3);
    await fixture.settle(...storm(1, 10));
    expect(await settled(fixture)).toBeGreaterThan(20);
    expect(ownIn(fixture)).toHaveLength(3);
    const [list, ...others] = listsIn(fixture);
    expect([others.length, textOf(list ?? { content: {} }).includes('7 alerts in one message')]).toEqual([0, true]);
    const all = [...listedIn(ownIn(fixture)), ...listedIn(listsIn(fixture))];
    expect(all.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('lists every 30 s what came since, and each alert once more when it is closed', async () => {
    const fixture = await setUp(provider, 1);
    await fixture.settle(...storm(1, 3));
    await settled(fixture);
    await fixture.settle(
      about(4),
      about(2, { action: 'Close', version: 2, state: { status: 'closed', acknowledged: false, closedBy: 'bob' } }),
    );
    await fixture.fireDue();
    expect(listsIn(fixture)).toHaveLength(1);
    await settled(fixture);
    expect(listsIn(fixture).map((list) => listedIn([list]).toSorted((one, other) => one - other))).toEqual([
      [2, 3],
      [2, 4],
    ]);
    expect(textOf(listsIn(fixture)[1] ?? { content: {} })).toMatch(/host-2. \(#2\): Closed by bob/);
  });

  it('has no second list where the process died before it wrote the outcome (C2)', async () => {
    const fixture = await setUp(provider, 1);
    await fixture.settle(...storm(1, 2));
    await fixture.fireDue();
    fixture.clock.advance(30_000);
    await fixture.showAndDie();
    await settled(fixture);
    expect(listsIn(fixture).map((list) => listedIn([list]))).toEqual([[2]]);
  });

  it('lists no alert that was deleted before it was shown (A6)', async () => {
    const fixture = await setUp(provider, 1);
    await fixture.settle(...storm(1, 3));
    await fixture.fireDue();
    await fixture.settle(about(3, { action: 'Delete', version: 5, integrationIds: [] }));
    await settled(fixture);
    expect(listedIn(allMessages(fixture))).toEqual([1, 2]);
  });

  it(`of ${STORM[provider]} alerts stays within the pace, and leaves none out (C3, C6)`, async () => {
    const fixture = await setUp(provider, 20);
    await fixture.settle(...storm(1, STORM[provider]));
    expect(await settled(fixture)).toBeLessThan(120);
    expect(fixture.pauses.length).toBeLessThan(40);
    const all = [...listedIn(ownIn(fixture)), ...listedIn(listsIn(fixture))];
    expect(all.toSorted((a, b) => a - b)).toEqual(Array.from({ length: STORM[provider] }, (_, index) => index + 1));
  }, 600_000);
});
