// The mailbox of the demo: takes every mail on SMTP_PORT, forwards none, keeps the last 200 and shows them on HTTP_PORT.
// It runs on the image of alert-ingest, whose modules it uses; MODULES names the package.json of others.
import { createRequire } from 'node:module';
import { MailboxPage } from './mailbox-page.mjs';

const { SMTP_PORT = '1025', HTTP_PORT = '8025', MODULES = '/app/package.json' } = process.env;
const KEEP = 200;
const MAX_BYTES = 1_000_000;
const TOO_LARGE = 552;
const require = createRequire(MODULES);
const { SMTPServer } = require('smtp-server');
const { default: PostalMime } = require('postal-mime');

const listeners = new Set();
let received = 0;
const keeper = {
  mails: [],
  onMail(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  forgetAll() {
    keeper.mails = [];
  },
};

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  size: MAX_BYTES,
  onData: (stream, session, done) => {
    take(stream, session).then(() => done(), done);
  },
});
// A client that is killed during a mail resets its connection.
server.on('error', (error) => console.error(error.message));
server.listen(Number(SMTP_PORT));
const page = await new MailboxPage(keeper).start(Number(HTTP_PORT), '::').catch((error) => {
  // A node without IPv6.
  if (error.code !== 'EAFNOSUPPORT') throw error;
  return new MailboxPage(keeper).start(Number(HTTP_PORT), '0.0.0.0');
});
process.once('SIGTERM', () => {
  server.close();
  void page.stop();
});
console.log('The mailbox takes mails.');

async function take(stream, session) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  if (stream.sizeExceeded) throw Object.assign(new Error('message too large'), { responseCode: TOO_LARGE });
  const parsed = await PostalMime.parse(Buffer.concat(chunks));
  const mail = {
    id: ++received,
    receivedAt: new Date(),
    from: parsed.from?.address ?? '',
    to: session.envelope.rcptTo.map(({ address }) => address.toLowerCase()),
    subject: parsed.subject ?? '',
    text: parsed.text ?? '',
  };
  keeper.mails = [mail, ...keeper.mails].slice(0, KEEP);
  for (const listener of listeners) listener(mail);
}
