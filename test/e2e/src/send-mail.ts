import { once } from 'node:events';
import net from 'node:net';
import { createInterface } from 'node:readline';

const ANSWERED_WITHIN_MS = 60_000;

/** A mail as it is sent, with one recipient. */
export interface SentMail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/**
 * Hands a mail to an SMTP server at `host:port`, line by line; resolves with what the server said last.
 *
 * @throws Error when the server refuses a line.
 */
export async function sendMail(address: string, { from, to, subject, text }: SentMail): Promise<string> {
  const { hostname, port } = new URL(`smtp://${address}`);
  const socket = net.connect({ host: hostname, port: Number(port), timeout: ANSWERED_WITHIN_MS });
  socket.once('timeout', () => socket.destroy(new Error(`${address} does not answer`)));
  await once(socket, 'connect');
  const answers = createInterface({ input: socket })[Symbol.asyncIterator]();
  const say = async (line: string, expected: number): Promise<string> => {
    if (line !== '') socket.write(`${line}\r\n`);
    for (;;) {
      const { value: answer = 'nothing', done = false } = await answers.next();
      // A hyphen after the code: more lines of this answer come.
      if (!done && answer[3] === '-') continue;
      if (answer.startsWith(String(expected))) return answer;
      throw new Error(`${address} answered ${answer} to ${line}`);
    }
  };
  try {
    await say('', 220);
    await say('EHLO probe.example.com', 250);
    await say(`MAIL FROM:<${from}>`, 250);
    await say(`RCPT TO:<${to}>`, 250);
    await say('DATA', 354);
    return await say([`From: ${from}`, `To: ${to}`, `Subject: ${subject}`, '', text, '.'].join('\r\n'), 250);
  } finally {
    socket.destroy();
  }
}
