import fs from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, freePort } from '@tocsin/testkit';
import { listenForWebhook, webhookPathIn } from './webhook-listener.ts';

const SECRET = `/${'s'.repeat(43)}`;
let url: string;
let port: number;
let posts: number;
let end: () => void;
let folder: string;

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-webhook-'));
  [port, posts] = [await freePort(), 0];
  url = `http://127.0.0.1:${port}`;
  end = await listenForWebhook({ address: '127.0.0.1', port, path: SECRET }, () => (posts += 1));
});
afterEach(() => {
  end();
  fs.rmSync(folder, { recursive: true, force: true });
});

const answered = async (method: string, to: string, body?: string): Promise<number> =>
  (await fetch(url + to, { method, ...(body !== undefined && { body }) })).status;

describe('the listener for the webhook of Opsgenie', () => {
  it('takes each POST to its secret path, whatever the body is', async () => {
    expect(await answered('POST', SECRET, '{"action":"Acknowledge"}')).toBe(200);
    expect(await answered('POST', `${SECRET}?a=b`, 'no JSON')).toBe(200);
    expect(await answered('POST', SECRET)).toBe(200);
    expect(posts).toBe(3);
  });

  it.each([
    ['another path', 'POST', `/${'t'.repeat(43)}`, 404],
    ['a path below it', 'POST', `${SECRET}/x`, 404],
    ['no path', 'GET', '/', 404],
    ['another method', 'GET', SECRET, 405],
    ['a PUT', 'PUT', SECRET, 405],
  ])('refuses %s', async (_what, method, to, status) => {
    expect([await answered(method, to), posts]).toEqual([status, 0]);
  });

  it('ends a connection that sends more than 1 MiB', async () => {
    await expect(answered('POST', SECRET, 'x'.repeat(3 * 1_024 * 1_024))).rejects.toThrow();
    expect(await answered('POST', SECRET, '{}')).toBe(200);
  });

  it('answers others while connections are open that send nothing', async () => {
    const silent = Array.from({ length: 20 }, () => net.connect(port, '127.0.0.1'));
    expect(await answered('POST', SECRET, '{}')).toBe(200);
    for (const each of silent) each.destroy();
  });

  it('ends connections that send nothing before a server does that checks them each 20 s, and then answers others', async () => {
    const slow = http.createServer({ headersTimeout: 10_000, connectionsCheckingInterval: 20_000 });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    try {
      const other = net.connect((slow.address() as AddressInfo).port, '127.0.0.1');
      const silent = Array.from({ length: 100 }, () => net.connect(port, '127.0.0.1'));
      const ended = (socket: net.Socket): Promise<net.Socket> =>
        new Promise((resolve) => {
          socket.resume().once('close', () => {
            resolve(socket);
          });
        });
      const first = await Promise.race([other, ...silent].map(ended));
      expect(silent).toContain(first);
      expect(await eventually(() => answered('POST', SECRET, '{}'))).toBe(200);
      for (const each of [other, ...silent]) each.destroy();
    } finally {
      slow.close();
      slow.closeAllConnections();
    }
  });

  it('says which port it cannot open', async () => {
    await expect(listenForWebhook({ address: '127.0.0.1', port, path: SECRET }, () => undefined)).rejects.toThrow(
      `Cannot listen on port ${port} of 127.0.0.1 (EADDRINUSE).`,
    );
  });
});

describe('the secret path of the webhook', () => {
  it('is made once, and only its user can read it', () => {
    const made = webhookPathIn(folder);
    expect(made).toMatch(/^\/[\w-]{43}$/);
    expect(webhookPathIn(folder)).toBe(made);
    expect(fs.statSync(path.join(folder, 'webhook-path.txt')).mode & 0o777).toBe(0o600);
  });

  it('is not made anew where the file is damaged', () => {
    fs.writeFileSync(path.join(folder, 'webhook-path.txt'), '/');
    expect(() => webhookPathIn(folder)).toThrow('webhook-path.txt is damaged.');
  });
});
