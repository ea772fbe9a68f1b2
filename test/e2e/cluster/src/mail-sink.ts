/**
 * Runs alone in a pod, from this file and nothing else: takes every mail on port 2525 and gives on port 8025 the recipients,
 * subjects and instants of all of them, the oldest first. `GET /mails?from=n` leaves out the first n.
 */
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';

/** One mail as its envelope and its subject say. */
export interface SunkMail {
  /** Milliseconds since 1970 by the clock of the sink. */
  readonly at: number;
  readonly to: string;
  readonly subject: string;
}

/** The answer to `GET /mails`; `now` is the clock of the sink in milliseconds since 1970. */
export interface SunkMails {
  readonly now: number;
  readonly mails: readonly SunkMail[];
}

const TAKEN = '250 taken';
const REFUSAL = '421 4.3.2 not now';
const SUBJECT = /^Subject: (.*)$/im;

/**
 * How the server treats its clients: it accepts, refuses for now, or is silent, each also over connections that are open; or it accepts
 * a mail and cuts the connection in place of the answer.
 */
export type MailConduct = 'accepts' | 'refuses' | 'is silent' | 'cuts after the mail';

/** A server for SMTP that keeps of each mail one line for each recipient. */
export function smtpServer(take: (mail: SunkMail) => void, conduct: () => MailConduct = () => 'accepts'): Server {
  return createServer((socket) => {
    socket.setNoDelay().on('error', () => socket.destroy());
    if (conduct() === 'refuses') {
      socket.end(`${REFUSAL}\r\n`);
      return;
    }
    if (conduct() !== 'is silent') socket.write('220 ready\r\n');
    converse(socket, take, conduct);
  });
}

/** A server for HTTP that answers with what was taken, and on any other path that it lives. */
export function httpServer(mails: readonly SunkMail[]): HttpServer {
  return createHttpServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://sink');
    response.setHeader('content-type', 'application/json');
    if (pathname !== '/mails') response.end('{}');
    else {
      const sunk: SunkMails = { now: Date.now(), mails: mails.slice(Number(searchParams.get('from') ?? 0)) };
      response.end(JSON.stringify(sunk));
    }
  });
}

function converse(socket: Socket, take: (mail: SunkMail) => void, conduct: () => MailConduct): void {
  let unread = '';
  let to: string[] = [];
  let body: string[] | undefined;
  const endOfMail = (lines: readonly string[]): string => {
    const subject = SUBJECT.exec(lines.join('\n'))?.[1] ?? '';
    for (const recipient of to) take({ at: Date.now(), to: recipient, subject });
    to = [];
    body = undefined;
    return TAKEN;
  };
  const command = (line: string): string => {
    const recipient = /^RCPT TO:<([^>]*)>/i.exec(line)?.[1];
    if (recipient !== undefined) to.push(recipient.toLowerCase());
    if (/^RSET/i.test(line)) to = [];
    if (/^QUIT/i.test(line)) return '221 bye';
    if (!/^DATA/i.test(line)) return '250 ok';
    body = [];
    return '354 go on';
  };
  /** To a command, or to the line that ends a mail. */
  const answer = (line: string): void => {
    const now = conduct();
    if (now === 'is silent') return;
    if (now === 'refuses') {
      socket.end(`${REFUSAL}\r\n`);
      return;
    }
    const said = body === undefined ? command(line) : endOfMail(body);
    if (now === 'cuts after the mail' && said === TAKEN) socket.destroy();
    else socket.write(`${said}\r\n`);
  };
  socket.on('data', (chunk) => {
    unread += chunk.toString('latin1');
    const lines = unread.split('\r\n');
    unread = lines.pop() ?? '';
    for (const line of lines) {
      if (body !== undefined && line !== '.') body.push(line);
      else answer(line);
    }
  });
}

if (import.meta.main) {
  const mails: SunkMail[] = [];
  smtpServer((mail) => mails.push(mail)).listen(2525);
  httpServer(mails).listen(8025);
  process.on('SIGTERM', () => process.exit(0));
}
