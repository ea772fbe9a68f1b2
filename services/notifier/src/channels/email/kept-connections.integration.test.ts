import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Mail } from './message.ts';
import { SmtpMailProvider, type SmtpSettings } from './smtp-mail-provider.ts';

const mail: Mail = {
  to: 'ada@example.com',
  subject: 'Disk full',
  text: 'No space left\n.\n… at all',
  html: '<p>No space left</p>',
  messageId: '<d1@tocsin.invalid>',
  headers: {},
};

/** Long enough for a mail to be sent on a loaded machine. */
const LIMIT_MS = 3_000;
const ANSWERS: Readonly<Record<string, string>> = { DATA: '354 go on', QUIT: '221 bye' };

let provider: SmtpMailProvider | undefined;
let servers: { close: () => unknown }[] = [];
/** Everything that a server of these received, a string for each connection. */
let connections: string[];

afterEach(async () => {
  await provider?.close();
  for (const server of servers) server.close();
  servers = [];
});

function providerOf(server: Server, changes: Partial<SmtpSettings> = {}): SmtpMailProvider {
  const { port } = server.address() as AddressInfo;
  provider = new SmtpMailProvider({
    url: `smtp://127.0.0.1:${port}`,
    username: undefined,
    password: undefined,
    tls: 'auto',
    verifyCertificate: true,
    from: 'Tocsin <tocsin@example.com>',
    ...changes,
  });
  return provider;
}

/** A server of which `misbehave` may answer a command of a mail of a number, the first mail of all being 1. */
async function serverThat(misbehave: (mails: number, said: string, socket: Socket) => boolean): Promise<Server> {
  connections = [];
  let mails = 1;
  const server = createServer((socket) => {
    const connection = connections.push('') - 1;
    socket.on('error', () => socket.destroy()).write('220 hello\r\n');
    socket.on('data', (data) => {
      const said = data.toString();
      connections[connection] = `${connections[connection] ?? ''}${said}`;
      if (misbehave(mails, said, socket)) return;
      if (said.endsWith('\r\n.\r\n')) mails += 1;
      socket.write(`${ANSWERS[said.slice(0, 4)] ?? '250 ok'}\r\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return server;
}

const bodies = (): number => connections.join('').split('\r\n.\r\n').length - 1;

describe('a connection to a mail server', () => {
  it('is kept, and carries one mail after another', async () => {
    const { send } = sender(providerOf(await serverThat(() => false)));
    for (let sent = 0; sent < 3; sent += 1) expect(await send()).toMatchObject({ kind: 'accepted' });
    expect([connections.length, bodies()]).toEqual([1, 3]);
  });

  it('is used by one mail at a time, and closed after a failure', async () => {
    const { send } = sender(
      providerOf(
        await serverThat((mails, said, socket) => said.startsWith('RCPT') && mails > 3 && socket.write('550 no\r\n')),
      ),
    );
    await Promise.all([send(), send(), send()]);
    expect(await send()).toMatchObject({ kind: 'permanent' });
    expect(await send()).toMatchObject({ kind: 'permanent' });
    expect(connections).toHaveLength(3);
  });

  it.each<[string, Partial<SmtpSettings>, (socket: Socket) => unknown]>([
    ['is reset', {}, (socket) => socket.resetAndDestroy()],
    ['is closed', {}, (socket) => socket.destroy()],
    ['is closed by the server with 421', {}, (socket) => socket.end('421 idle for too long\r\n')],
    ['gets no answer any more', { silenceLimitMs: LIMIT_MS }, () => true],
  ])(
    'that %s before a byte of its next mail was sent is no failure: the mail goes over another',
    async (_, changes, end) => {
      const server = await serverThat((mails, said, socket) => {
        if (mails !== 2 || connections.length > 1 || !said.startsWith('MAIL')) return false;
        end(socket);
        return true;
      });
      const { send } = sender(providerOf(server, changes));
      expect(await send()).toMatchObject({ kind: 'accepted' });
      expect(await send()).toMatchObject({ kind: 'accepted' });
      expect([connections.length, bodies()]).toEqual([2, 2]);
    },
  );

  it('that is closed while no mail is under way is forgotten', async () => {
    const sockets: Socket[] = [];
    const server = await serverThat((_, said, socket) => {
      if (said.startsWith('EHLO')) sockets.push(socket);
      return false;
    });
    const { send } = sender(providerOf(server));
    await send();
    const closed = new Promise((resolve) => sockets[0]?.once('close', resolve));
    sockets[0]?.end();
    await closed;
    expect(await send()).toMatchObject({ kind: 'accepted' });
    expect([connections.length, bodies()]).toEqual([2, 2]);
  });

  it('that breaks during a mail is reported, and nothing is sent again', async () => {
    const server = await serverThat((mails, said, socket) => {
      if (mails !== 2 || !said.endsWith('\r\n.\r\n')) return false;
      socket.destroy();
      return true;
    });
    const { send } = sender(providerOf(server));
    await send();
    expect(await send()).toMatchObject({ kind: 'temporary' });
    expect([connections.length, bodies()]).toEqual([1, 2]);
  });

  it('is closed when its hand-over takes too long, which is not repeated on another one', async () => {
    const server = await serverThat((mails, said) => mails === 2 && said.startsWith('MAIL'));
    const { send } = sender(providerOf(server, { sendLimitMs: LIMIT_MS }));
    expect(await send()).toMatchObject({ kind: 'accepted' });
    expect(await send()).toMatchObject({ kind: 'temporary' });
    expect([connections.length, bodies()]).toEqual([1, 1]);
  });
});

describe('a login', () => {
  async function loginServer(options: SMTPServerOptions): Promise<{ server: Server; heard: string[] }> {
    const heard: string[] = [];
    const smtp = new SMTPServer({
      ...options,
      logger: false,
      onAuth: ({ password, username }, session, done) => {
        heard.push(`${String(username)}:${String(password)} ${session.secure ? 'by TLS' : 'in the clear'}`);
        done(null, { user: username });
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          heard.push(
            `${session.user ?? 'no-user'} sent: ${Buffer.concat(chunks).toString().split('\r\n\r\n')[2]?.split('\r\n--')[0] ?? ''}`,
          );
          done();
        });
      },
    });
    smtp.on('error', () => undefined);
    await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
    servers.push({
      close: () => {
        smtp.close(() => undefined);
      },
    });
    return { server: smtp.server, heard };
  }
  const known = { username: 'tocsin', password: 'secret', verifyCertificate: false } as const;

  it.each<[string, SMTPServerOptions, Partial<SmtpSettings>]>([
    ['STARTTLS', {}, { tls: 'required' }],
    ['TLS from the first byte', { secure: true }, {}],
  ])('goes by %s, once for all mails of a connection', async (_, options, changes) => {
    const { heard, server } = await loginServer(options);
    const { port } = server.address() as AddressInfo;
    const url = `${options.secure === true ? 'smtps' : 'smtp'}://127.0.0.1:${port}`;
    const { send } = sender(providerOf(server, { ...known, ...changes, url }));
    expect([await send(), await send()]).toMatchObject([{ kind: 'accepted' }, { kind: 'accepted' }]);
    const sent = 'tocsin sent: No space left\r\n.\r\n=E2=80=A6 at all';
    expect(heard).toEqual(['tocsin:secret by TLS', sent, sent]);
  });

  it('does not go to a server whose certificate is signed by no authority', async () => {
    const { heard, server } = await loginServer({});
    const { send } = sender(providerOf(server, { ...known, tls: 'required', verifyCertificate: true }));
    expect(await send()).toMatchObject({ kind: 'temporary' });
    expect(heard).toEqual([]);
  });
});

const sender = (of: SmtpMailProvider) => ({ send: () => of.send(mail) });
