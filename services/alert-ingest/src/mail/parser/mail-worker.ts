import { readMail } from './read-mail.ts';

/**
 * The process that reads one mail after the other for a `MailReader`; a fault in it does not reach the service. It ends with
 * the process that started it, and not at a signal that is meant for all processes of a terminal: a mail may be under way.
 */
process.on('message', (raw: Uint8Array) => {
  readMail(raw).then(
    (mail) => process.send?.({ mail }),
    () => process.send?.({}),
  );
});
process.on('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.send?.({ ready: true });
