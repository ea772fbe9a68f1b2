import { createTransport, type Transporter } from 'nodemailer';
import type SMTPPool from 'nodemailer/lib/smtp-pool';
import type { SendResult } from '../domain/delivery.ts';
import type { Mail } from '../domain/mail.ts';
import type { MailProvider } from '../ports/mail-provider.ts';
import { isLoopback } from './smtp-security.ts';

export interface SmtpSettings {
  /** `smtp://host:port`, or `smtps://host:port` for TLS from the first byte. */
  readonly url: string;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly tls: 'auto' | 'required' | 'off';
  readonly verifyCertificate: boolean;
  readonly maxConnections: number;
  readonly from: string;
  /** A server that says nothing for so long, in milliseconds, counts as silent; 10 000 unless given. */
  readonly silenceLimitMs?: number;
  /** So long may a hand-over take from its beginning to the last answer, in milliseconds; 20 000 unless given. */
  readonly sendLimitMs?: number;
}

/** The part of the notifier's configuration that is about mail. */
interface SmtpConfig {
  readonly smtpUrl: string;
  readonly smtpUsername?: string | undefined;
  readonly smtpPassword?: string | undefined;
  readonly smtpTls: SmtpSettings['tls'];
  readonly smtpTlsVerify: boolean;
  readonly smtpMaxConnections: number;
  readonly mailFrom: string;
}

/** The settings that a configuration spells out. */
export function smtpSettings(config: SmtpConfig): SmtpSettings {
  return {
    url: config.smtpUrl,
    username: config.smtpUsername,
    password: config.smtpPassword,
    tls: config.smtpTls,
    verifyCertificate: config.smtpTlsVerify,
    maxConnections: config.smtpMaxConnections,
    from: config.mailFrom,
  };
}

const CONNECT_LIMIT_MS = 5_000;
/** Unless the settings say otherwise. */
const SILENCE_LIMIT_MS = 10_000;
/** Unless the settings say otherwise. */
const SEND_LIMIT_MS = 20_000;

/**
 * Hands mail to an SMTP server over a pool of connections. An open connection may be silent for 10 s; a whole hand-over, from
 * the connection to the last answer, may take 20 s. Each call hands over once: what a lost connection leaves unknown is told.
 */
export class SmtpMailProvider implements MailProvider {
  readonly #transport: Transporter<SMTPPool.SentMessageInfo>;
  readonly #from: string;
  readonly #sendLimitMs: number;

  constructor(settings: SmtpSettings) {
    this.#from = settings.from;
    this.#sendLimitMs = settings.sendLimitMs ?? SEND_LIMIT_MS;
    this.#transport = createTransport(poolOptions(settings));
  }

  async send(mail: Mail): Promise<SendResult> {
    const signal = AbortSignal.timeout(this.#sendLimitMs);
    try {
      const { response } = await this.#transport.sendMail({
        from: this.#from,
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
        messageId: mail.messageId,
        headers: { ...mail.headers },
        // Ends the connection as well, so that a server that never comes to an end holds none.
        signal,
      });
      return { kind: 'accepted', response };
    } catch (error) {
      return signal.aborted ? { kind: 'unknown', reason: 'the mail server took too long' } : refusalOf(error);
    }
  }

  /** Closes the connections once nothing is being sent. */
  close(): void {
    this.#transport.close();
  }
}

function poolOptions(settings: SmtpSettings): SMTPPool.Options {
  const { hostname, port, protocol } = new URL(settings.url);
  const secure = protocol === 'smtps:';
  return {
    pool: true,
    host: hostname,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    // A login never goes over a network in the clear, not even where somebody on the way hides that the server offers TLS.
    requireTLS: settings.tls === 'required' || (settings.username !== undefined && !isLoopback(hostname)),
    ignoreTLS: settings.tls === 'off',
    tls: { rejectUnauthorized: settings.verifyCertificate },
    ...(settings.username !== undefined && { auth: { user: settings.username, pass: settings.password ?? '' } }),
    maxConnections: settings.maxConnections,
    maxMessages: Infinity,
    // The pool would send again by itself what may have arrived, without a word in any log.
    maxRequeues: 0,
    connectionTimeout: CONNECT_LIMIT_MS,
    greetingTimeout: CONNECT_LIMIT_MS,
    socketTimeout: settings.silenceLimitMs ?? SILENCE_LIMIT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** What the server says of this one message for good is final; whatever else is in the way may pass. */
function refusalOf(error: unknown): SendResult {
  const reason = error instanceof Error ? error.message : String(error);
  if (reason === SILENCE) return { kind: 'unknown', reason: 'the mail server fell silent' };
  return { kind: isAboutTheMessage(error) && !mayPass(error) ? 'permanent' : 'temporary', reason };
}

/** The words of the client for a connection that was open and brought nothing any more. */
const SILENCE = 'Timeout';

function isAboutTheMessage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EENVELOPE' || error.code === 'EMESSAGE');
}

const mayPass = (error: unknown): boolean =>
  error instanceof Error &&
  'responseCode' in error &&
  typeof error.responseCode === 'number' &&
  error.responseCode < 500;
