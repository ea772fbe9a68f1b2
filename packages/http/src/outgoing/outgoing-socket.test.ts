import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually, startWebSockets, type SocketAtDouble } from '@tocsin/testkit';
import { OutgoingCaller } from './outgoing-caller.ts';

const LOCAL = ['127.0.0.0/8'];
const MAX_BYTES = 1_000;
const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

/** A server, and a caller that opens a connection to it. */
async function setUp({ accepts = () => true, pingEveryMs = 60_000, first }: SetUp = {}) {
  const [texts, received, closed]: [string[], string[], true[]] = [[], [], []];
  const server = await startWebSockets({
    accepts,
    onOpen: (socket) => {
      if (first !== undefined) socket.send(first);
    },
    onText: (text) => void received.push(text),
  });
  closings.push(() => server.stop());
  const caller = new OutgoingCaller({ allowedRanges: LOCAL, timeoutMs: 10_000 });
  const open = async (url = `${server.url}/link?ticket=secret`) => {
    const opened = await caller.openSocket({
      url,
      maxMessageBytes: MAX_BYTES,
      pingEveryMs,
      onText: (text) => void texts.push(text),
      onClosed: () => void closed.push(true),
    });
    if (opened.kind === 'open')
      closings.push(() => {
        opened.close();
      });
    return opened;
  };
  const openOne = async () => {
    const opened = await open();
    if (opened.kind !== 'open') throw new Error(opened.reason);
    return opened;
  };
  const isClosed = () =>
    eventually(() => {
      expect(closed).toEqual([true]);
    });
  const only = (): SocketAtDouble => {
    const [socket] = server.open;
    if (socket === undefined) throw new Error('There is no connection.');
    return socket;
  };
  return { server, open, openOne, isClosed, only, texts, received, closed };
}

interface SetUp {
  readonly accepts?: () => boolean;
  readonly pingEveryMs?: number;
  readonly first?: string;
}

describe('a WebSocket that is opened outward', () => {
  it('is opened at a URL with a fragment, which no server gets', async () => {
    const { open, server } = await setUp();
    expect(await open(`${server.url}/link#here`)).toMatchObject({ kind: 'open' });
  });

  it('carries messages of text both ways, also the first one at once, until one side ends it', async () => {
    const { closed, isClosed, only, openOne, received, texts } = await setUp({ first: 'hello' });
    const socket = await openOne();
    expect(only().path).toBe('/link?ticket=secret');
    only().send('one');
    only().send('x'.repeat(MAX_BYTES));
    expect([socket.send('two'), socket.send('y'.repeat(70_000))]).toEqual([true, true]);
    await eventually(() => {
      expect(texts).toEqual(['hello', 'one', 'x'.repeat(MAX_BYTES)]);
      expect(received).toEqual(['two', 'y'.repeat(70_000)]);
    });
    expect(closed).toEqual([]);
    socket.close();
    await isClosed();
    expect(socket.send('three')).toBe(false);
  });

  it('that the other side ends is closed, once', async () => {
    const { closed, isClosed, only, openOne } = await setUp();
    await openOne();
    only().destroy();
    await isClosed();
    expect(closed).toEqual([true]);
  });

  it('stays open while the other side answers pings, and is ended where it does not', async () => {
    const { closed, isClosed, openOne, server } = await setUp({ pingEveryMs: 20 });
    await openOne();
    await eventually(() => {
      expect(server.pings).toBeGreaterThan(8);
    });
    expect(closed).toEqual([]);
    server.fallSilent();
    await isClosed();
  });

  it.each([
    ['a message that is too long', Buffer.concat([Buffer.from([0x81, 127, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff])])],
    ['bytes that are no frame', Buffer.from('HTTP/1.1 200 OK\r\n\r\n')],
    ['a masked frame', Buffer.from([0x81, 0x81, 1, 2, 3, 4, 5])],
  ])('is ended by %s', async (_, bytes) => {
    const { isClosed, only, openOne, texts } = await setUp();
    await openOne();
    only().sendBytes(bytes);
    await isClosed();
    expect(texts).toEqual([]);
  });

  it('skips messages that are not text', async () => {
    const { only, openOne, texts } = await setUp();
    await openOne();
    only().sendBytes(Buffer.from([0x82, 2, 1, 2]));
    only().send('text');
    await eventually(() => {
      expect(texts).toEqual(['text']);
    });
  });
});

describe('no WebSocket is opened', () => {
  it.each([
    ['http://127.0.0.1/', 'the URL is neither ws nor wss'],
    ['nothing', 'the URL is neither ws nor wss'],
    ['wss://user:secret@127.0.0.1/', 'the URL carries a user name or a password'],
    ['ws://10.0.0.1/', '10.0.0.1 is a private address'],
    ['wss://169.254.169.254/', '169.254.169.254 is a metadata address'],
  ])('to %s: %s', async (url, reason) => {
    const { open } = await setUp();
    expect(await open(url)).toEqual({ kind: 'refused', reason });
  });

  it('where the server refuses it, or is not there', async () => {
    const { open, server } = await setUp({ accepts: () => false });
    expect(await open()).toEqual({ kind: 'unreached', reason: 'it was reached, and opened no WebSocket' });
    const { url } = server;
    await closings.splice(0)[0]?.();
    expect(await open(url)).toEqual({ kind: 'unreached', reason: 'it could not be reached' });
  });

  it('where the server does not answer in time', async () => {
    const silent = createServer();
    closings.push(() => silent.close());
    silent.on('connection', (stream) => {
      closings.push(() => stream.destroy());
    });
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const caller = new OutgoingCaller({ allowedRanges: LOCAL, timeoutMs: 100 });
    const { port } = silent.address() as AddressInfo;
    const noMessage = { maxMessageBytes: MAX_BYTES, onText: () => undefined, onClosed: () => undefined };
    expect(await caller.openSocket({ url: `ws://127.0.0.1:${port}`, ...noMessage })).toEqual({
      kind: 'unreached',
      reason: 'it was reached, and opened no WebSocket',
    });
  });

  it('at another address than the one that was checked', async () => {
    const { server } = await setUp();
    const { port } = new URL(server.url);
    let looks = 0;
    const resolve = () => {
      looks += 1;
      return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    };
    const caller = new OutgoingCaller({ allowedRanges: LOCAL, resolve });
    const opened = await caller.openSocket({
      url: `ws://chat.invalid:${port}/`,
      maxMessageBytes: MAX_BYTES,
      onText: () => undefined,
      onClosed: () => undefined,
    });
    // The name has no address but that of the one look-up.
    expect([opened.kind, looks]).toEqual(['open', 1]);
    if (opened.kind === 'open') opened.close();
  });
});
