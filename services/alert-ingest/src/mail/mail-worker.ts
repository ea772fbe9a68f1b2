import { parentPort } from 'node:worker_threads';
import { readMail } from './read-mail.ts';

/** A thread that reads one mail after the other for a `MailReader`; what becomes of it is nobody else's trouble. */
parentPort?.on('message', (raw: Uint8Array) => {
  readMail(raw).then(
    (mail) => {
      parentPort?.postMessage({ mail });
    },
    () => {
      parentPort?.postMessage({});
    },
  );
});
