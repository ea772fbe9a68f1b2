import { once } from 'node:events';
import net from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { mongo } from 'mongoose';
import { createTransport } from 'nodemailer';
import { MONGO_PROTOCOL, SMTP_PROTOCOL, startMailbox, testMongo, WatchedProxy } from './index.ts';
import type { Passing } from './watched-proxy.ts';

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** A client of MongoDB behind a proxy, and all messages that the watcher was shown. */
async function watchedMongo() {
  const { uri, database } = await testMongo();
  const proxy = await WatchedProxy.start(Number(new URL(uri).port), MONGO_PROTOCOL);
  stops.push(() => proxy.stop());
  const client = new mongo.MongoClient(`mongodb://127.0.0.1:${proxy.port}/?directConnection=true`);
  stops.push(() => client.close());
  const things = client.db(database).collection<{ _id: number }>('things');
  const shown: string[] = [];
  return { client, proxy, shown, things };
}

/** Makes the proxy hold a message; resolves when it holds it. */
const holds = (proxy: WatchedProxy, when: Passing['when'], what: string): Promise<void> =>
  new Promise((resolve) => {
    proxy.watch((passing) => {
      if (passing.when !== when || passing.what !== what) return 'pass';
      resolve();
      return 'hold';
    });
  });

describe('a proxy that is watched', () => {
  test('shows each command to MongoDB before and after, with its collection', async () => {
    const { client, proxy, shown, things } = await watchedMongo();
    proxy.watch(({ when, what }) => {
      if (/things|commit/.test(what)) shown.push(`${when} ${what}`);
      return 'pass';
    });
    await client.withSession((session) => session.withTransaction(() => things.insertOne({ _id: 1 }, { session })));
    expect(shown).toEqual([
      'before insert things',
      'after insert things',
      'before commitTransaction',
      'after commitTransaction',
    ]);
  });

  test('holds a message back before its server has it, and forwards all of it once it is released', async () => {
    const { proxy, things } = await watchedMongo();
    const held = holds(proxy, 'before', 'insert things');
    const inserted = things.insertOne({ _id: 1 });
    await held;
    expect(await things.countDocuments()).toBe(0);
    proxy.release();
    await inserted;
    expect(await things.countDocuments()).toBe(1);
  });

  test('keeps back an answer after its server did what was asked', async () => {
    const { proxy, things } = await watchedMongo();
    const held = holds(proxy, 'after', 'insert things');
    const inserted = things.insertOne({ _id: 1 });
    await held;
    expect(await things.countDocuments()).toBe(1);
    proxy.release();
    expect((await inserted).acknowledged).toBe(true);
  });

  test('knows the end of a mail, which is not taken where that is held', async () => {
    const mailbox = await startMailbox();
    stops.push(() => mailbox.stop());
    const proxy = await WatchedProxy.start(mailbox.port, SMTP_PROTOCOL);
    stops.push(() => proxy.stop());
    const held = holds(proxy, 'before', 'mail');
    const transport = createTransport({ host: '127.0.0.1', port: proxy.port, ignoreTLS: true });
    const sent = transport.sendMail({ from: 'a@example.com', to: 'b@example.com', subject: 'Hello', text: 'x' });
    await held;
    expect(mailbox.mails).toHaveLength(0);
    proxy.release();
    await sent;
    await mailbox.received('b@example.com', 'Hello');
  });

  test('ends the other side of a connection that one side ends', async () => {
    const echo = net.createServer((socket) => socket.end('bye'));
    await once(echo.listen(0, '127.0.0.1'), 'listening');
    stops.push(() => new Promise((resolve) => echo.close(resolve)));
    const proxy = await WatchedProxy.start((echo.address() as net.AddressInfo).port, SMTP_PROTOCOL);
    stops.push(() => proxy.stop());
    const client = net.connect(proxy.port, '127.0.0.1');
    const [said] = (await once(client, 'data')) as [Buffer];
    expect(said.toString()).toBe('bye');
    await once(client, 'close');
  });
});
