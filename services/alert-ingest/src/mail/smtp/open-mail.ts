import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { ServiceContext } from '@tocsin/service';
import type { InboundMail } from '../operations.ts';
import type { Config } from '../../config.ts';
import { MailListener, type Certificate, type MailOutcome } from './mail-listener.ts';
import { MailReaders } from '../parser/mail-readers.ts';

/**
 * Takes mail until the stop, where a port for it is set.
 *
 * @throws Error that names the setting when the certificate or its key cannot be used, or the port is taken.
 */
export async function openMail(context: ServiceContext<Config>, inboundMail: InboundMail): Promise<void> {
  const { activity, config, health, lifecycle } = context;
  const { smtpPort, smtpHost = config.common.host, emailDomain: domain, smtpAllowedRanges: allowedRanges } = config;
  if (smtpPort === undefined) return;
  const certificate = await certificateOf(config);
  const reader = await lifecycle.start(
    'mail readers',
    () => new MailReaders(),
    (part) => {
      part.stop();
    },
  );
  const onMail = (outcome: MailOutcome): void => {
    report(context, outcome);
  };
  const listener = await lifecycle.startListener(
    'mail listener',
    () =>
      new MailListener({ inboundMail, reader, domain, allowedRanges, certificate, onMail }).start(smtpPort, smtpHost),
    (part) => part.stop(),
  );
  health.require('mail', () => listener.listening);
  activity.add('mail', { pending: () => listener.underWay });
}

type TlsFiles = Pick<Config, 'smtpTlsCertFile' | 'smtpTlsKeyFile'>;

/** The certificate that the settings name; it is read once, at the start. */
export async function certificateOf(files: TlsFiles): Promise<Certificate | undefined> {
  const { smtpTlsCertFile, smtpTlsKeyFile } = files;
  if (smtpTlsCertFile === undefined || smtpTlsKeyFile === undefined) return undefined;
  const certificate = {
    cert: await fileOf('SMTP_TLS_CERT_FILE', smtpTlsCertFile),
    key: await fileOf('SMTP_TLS_KEY_FILE', smtpTlsKeyFile),
  };
  try {
    createSecureContext(certificate);
  } catch (error) {
    throw new Error(`SMTP_TLS_CERT_FILE and SMTP_TLS_KEY_FILE do not go together: ${reasonOf(error)}`, {
      cause: error,
    });
  }
  return certificate;
}

async function fileOf(setting: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new Error(`${setting} can not be read: ${reasonOf(error)}`, { cause: error });
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Logs the outcome of a mail, and none of its content. */
function report(
  { logger, metrics }: Pick<ServiceContext, 'logger' | 'metrics'>,
  { refusal, requestIds, bytes, remoteAddress }: MailOutcome,
): void {
  if (refusal === undefined) {
    metrics.count('tocsin_mails_taken_total');
    logger.info({ requestIds, bytes, remoteAddress }, 'a mail was taken');
  } else if (refusal.mayPass) {
    metrics.count('tocsin_mails_put_off_total');
    logger.warn({ err: refusal, bytes, remoteAddress }, 'a mail was put off');
  } else {
    metrics.count('tocsin_mails_refused_total');
    logger.info({ reason: refusal.message, bytes, remoteAddress }, 'a mail was refused');
  }
}
