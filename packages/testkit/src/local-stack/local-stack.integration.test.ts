import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import nodemailer from 'nodemailer';
import { filledOnce } from './downloads.ts';
import { bindable, freePort, portAnswers } from './ports.ts';
import { ServerProcess } from './server-process.ts';
import { SmtpSink, type Mail } from './smtp-sink.ts';

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-local-stack-'));
});
afterAll(() => {
  fs.rmSync(folder, { recursive: true });
});

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

async function gone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 4_000 && alive(pid); tries++) await pause(25);
  return !alive(pid);
}

const sleeper = (name: string): ServerProcess =>
  new ServerProcess({ command: 'sleep', args: ['600'], logFile: path.join(folder, `${name}.log`) });

describe('ServerProcess', () => {
  test('ends at once when it is killed, and says how it ended', async () => {
    const process_ = sleeper('killed');

    expect(await process_.kill()).toEqual({ code: null, signal: 'SIGKILL' });
    expect(process_.end).toEqual({ code: null, signal: 'SIGKILL' });
  });

  test('ends when it is stopped while it is paused', async () => {
    const process_ = sleeper('paused');
    await process_.pause();

    expect(await process_.stop()).toMatchObject({ signal: 'SIGTERM' });
  });

  test('is ended after its grace when it does not listen', async () => {
    const args = ['-c', 'trap "" TERM; echo deaf; while :; do sleep 0.1; done'];
    const logFile = path.join(folder, 'deaf.log');
    const process_ = new ServerProcess({ command: '/bin/sh', args, logFile });
    while (!fs.readFileSync(logFile, 'utf8').includes('deaf')) await pause(10);

    expect(await process_.stop(200)).toMatchObject({ signal: 'SIGKILL' });
  });

  test('reports a command that does not exist as ended', async () => {
    const plan = { command: path.join(folder, 'missing'), args: [], logFile: path.join(folder, 'missing.log') };

    expect(await new ServerProcess(plan).exited).toEqual({ code: 127, signal: null });
  });

  test('does not outlive its parent, not even one that is killed with -9', async () => {
    const module_ = fileURLToPath(new URL('server-process.ts', import.meta.url));
    const source = `
      const { ServerProcess } = await import(${JSON.stringify(module_)});
      const child = new ServerProcess({ command: 'sleep', args: ['600'], logFile: ${JSON.stringify(path.join(folder, 'child.log'))} });
      console.log(child.pid);
      setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', source], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [printed] = (await once(parent.stdout, 'data')) as [Buffer];
    const child = Number(printed.toString());
    expect(alive(child)).toBe(true);

    parent.kill('SIGKILL');

    expect(await gone(child)).toBe(true);
  });
});

describe('freePort', () => {
  test('never gives one twice, although none is listened on yet', async () => {
    const ports = await Promise.all(Array.from({ length: 400 }, () => freePort()));
    expect(new Set(ports).size).toBe(ports.length);
  });

  test('never gives one that another process gave, although none is listened on yet', async () => {
    const source = `import { freePort } from ${JSON.stringify(import.meta.resolve('./ports.ts'))};
      const ports = [];
      for (let count = 0; count < 500; count += 1) ports.push(await freePort());
      process.send(ports);
      process.on('message', () => process.exit());`;
    const children = Array.from({ length: 3 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', source], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      }),
    );
    const given = await Promise.all(children.map(async (child) => ((await once(child, 'message')) as [number[]])[0]));
    for (const child of children) child.send('end');

    expect(given.map(({ length }) => length)).toEqual([500, 500, 500]);
    expect(new Set(given.flat()).size).toBe(1_500);
  });

  test('gives a port that can be listened on, below those of outgoing connections', async () => {
    const port = await freePort();

    expect(port).toBeLessThan(32_768);
    expect(await bindable(port)).toBe(true);
    expect(await portAnswers(port)).toBe(false);
  });

  test('finds a port on which a process listens', async () => {
    const server = net.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as net.AddressInfo;

    expect(await bindable(port)).toBe(false);
    expect(await portAnswers(port)).toBe(true);
    server.close();
  });
});

describe('filledOnce', () => {
  test('fills a folder the first time only', async () => {
    const target = path.join(folder, 'once');
    let fills = 0;
    const fill = async (into: string): Promise<void> => {
      fills++;
      await fs.promises.writeFile(path.join(into, 'part'), 'whole');
    };

    await filledOnce(target, fill);
    await filledOnce(target, fill);

    expect(fills).toBe(1);
    expect(fs.readFileSync(path.join(target, 'part'), 'utf8')).toBe('whole');
  });

  test('leaves nothing when filling fails', async () => {
    const target = path.join(folder, 'never');

    await expect(filledOnce(target, () => Promise.reject(new Error('cut')))).rejects.toThrow('cut');

    expect(fs.readdirSync(folder).filter((name) => name.startsWith('never'))).toEqual([]);
  });

  test('leaves one whole folder when two fill it at once', async () => {
    const target = path.join(folder, 'raced');
    const fill = (into: string): Promise<void> => fs.promises.writeFile(path.join(into, 'part'), 'whole');

    await Promise.all([filledOnce(target, fill), filledOnce(target, fill)]);

    expect(fs.readdirSync(folder).filter((name) => name.startsWith('raced'))).toEqual(['raced']);
  });
});

describe('SmtpSink', () => {
  test('takes a mail as its recipients get it and calls its listeners', async () => {
    const sink = await new SmtpSink({ now: () => new Date('2026-01-01T00:00:00Z') }).start();
    const heard: Mail[] = [];
    sink.onMail((mail) => heard.push(mail));
    const transport = nodemailer.createTransport(sink.url);

    await transport.sendMail({
      from: 'tocsin@example.com',
      to: 'Ada@Example.com, grace@example.com',
      subject: 'Grüße',
      text: 'Disk full',
    });

    expect(sink.mails).toEqual([
      {
        id: 1,
        receivedAt: new Date('2026-01-01T00:00:00Z'),
        from: 'tocsin@example.com',
        to: ['ada@example.com', 'grace@example.com'],
        subject: 'Grüße',
        text: expect.stringContaining('Disk full') as unknown as string,
        html: '',
      },
    ]);
    expect(heard).toEqual(sink.mails);
    await sink.stop();
  });

  test('keeps the newest first and forgets the oldest beyond its limit', async () => {
    const sink = await new SmtpSink({ now: () => new Date(), keep: 2 }).start();
    const transport = nodemailer.createTransport(sink.url);
    for (const subject of ['one', 'two', 'three']) {
      await transport.sendMail({ from: 'a@example.com', to: 'b@example.com', subject, text: '' });
    }

    expect(sink.mails.map((mail) => mail.subject)).toEqual(['three', 'two']);
    sink.forgetAll();
    expect(sink.mails).toEqual([]);
    await sink.stop();
  });

  test('refuses a mail over 1 MB and goes on', async () => {
    const sink = await new SmtpSink({ now: () => new Date() }).start();
    const transport = nodemailer.createTransport(sink.url);
    const mail = { from: 'a@example.com', to: 'b@example.com', subject: 'large' };

    await expect(transport.sendMail({ ...mail, text: 'x'.repeat(1_200_000) })).rejects.toMatchObject({
      responseCode: 552,
    });
    await transport.sendMail({ ...mail, text: 'small' });

    expect(sink.mails).toHaveLength(1);
    await sink.stop();
  });
});
