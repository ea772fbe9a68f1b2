import fs from 'node:fs';
import net from 'node:net';
import tls from 'node:tls';

/** The SASL mechanisms that we support. */
const MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;
type Mechanism = (typeof MECHANISMS)[number];

/** How the connections to a cluster are protected. Without `ssl` they are not encrypted, without `sasl` there is no login. */
export interface KafkaSecurity {
  /** PEM texts. Without `ca`, the authorities that Node knows are trusted. */
  readonly ssl?: { readonly ca?: string; readonly cert?: string; readonly key?: string } | undefined;
  readonly sasl?: { readonly mechanism: Mechanism; readonly username: string; readonly password: string } | undefined;
}

/** Either the security, or every problem with its settings. A problem never contains a secret. */
export type KafkaSecurityResult = { readonly security: KafkaSecurity } | { readonly problems: readonly string[] };

/** PEM texts. Each may be in a file instead; then the variable of that name with `_FILE` has its path. */
const PEM_SETTINGS = ['KAFKA_SSL_CA', 'KAFKA_SSL_CERT', 'KAFKA_SSL_KEY'] as const;
const LOGIN_SETTINGS = ['KAFKA_SASL_MECHANISM', 'KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'] as const;

/** Reads `KAFKA_SSL…` and `KAFKA_SASL_…`. An empty variable counts as absent. */
export function readKafkaSecurity(environment: Readonly<Record<string, string | undefined>>): KafkaSecurityResult {
  const problems: string[] = [];
  const readSetting = (name: string): string | undefined => (environment[name] === '' ? undefined : environment[name]);
  const ssl = readSsl(readSetting, problems);
  const sasl = readSasl(readSetting, problems);
  if (sasl?.mechanism === 'plain' && readSetting('KAFKA_SSL') !== 'true')
    problems.push(
      'KAFKA_SASL_MECHANISM=plain sends the password in plain text: it needs KAFKA_SSL=true, or use scram-sha-512',
    );
  return problems.length > 0 ? { problems } : { security: { ssl, sasl } };
}

type ReadSetting = (name: string) => string | undefined;

function readSsl(readSetting: ReadSetting, problems: string[]): KafkaSecurity['ssl'] {
  const wanted = readSetting('KAFKA_SSL') ?? 'false';
  if (wanted === 'true') return readCertificates(readSetting, problems);
  if (wanted !== 'false') problems.push('KAFKA_SSL should be true or false');
  const set = PEM_SETTINGS.flatMap((name) => [name, `${name}_FILE`]).filter((name) => readSetting(name) !== undefined);
  if (set.length > 0) problems.push(`${set.join(', ')}: only with KAFKA_SSL=true`);
  return undefined;
}

function readCertificates(readSetting: ReadSetting, problems: string[]): KafkaSecurity['ssl'] {
  const [ca, cert, key] = PEM_SETTINGS.map((name) => readPem(name, readSetting, problems));
  if ((cert === undefined) !== (key === undefined))
    problems.push('KAFKA_SSL_CERT and KAFKA_SSL_KEY go together: set both or none');
  const ssl = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
  if (problems.length === 0) problems.push(...problemsOf(ssl));
  return ssl;
}

function readPem(name: string, readSetting: ReadSetting, problems: string[]): string | undefined {
  const [text, file] = [readSetting(name), readSetting(`${name}_FILE`)];
  if (text !== undefined && file !== undefined) problems.push(`${name} and ${name}_FILE say the same: set one`);
  const pem = text ?? (file === undefined ? undefined : contentOf(file, `${name}_FILE`, problems));
  if (pem !== undefined && !pem.includes('-----BEGIN '))
    problems.push(`${text === undefined ? `${name}_FILE` : name} should hold PEM, with a line -----BEGIN …-----`);
  return pem;
}

function contentOf(file: string, name: string, problems: string[]): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    problems.push(`${name} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'no file'}`);
    return undefined;
  }
}

/** Finds what would fail each connection: a PEM text that is cut off, or a key that belongs to another certificate. */
function problemsOf(ssl: NonNullable<KafkaSecurity['ssl']>): readonly string[] {
  try {
    tls.createSecureContext(ssl);
    return [];
  } catch (error) {
    return [`KAFKA_SSL_CA, KAFKA_SSL_CERT and KAFKA_SSL_KEY cannot be used: ${(error as Error).message}`];
  }
}

function readSasl(readSetting: ReadSetting, problems: string[]): KafkaSecurity['sasl'] {
  const missing = LOGIN_SETTINGS.filter((name) => readSetting(name) === undefined);
  if (missing.length === LOGIN_SETTINGS.length) return undefined;
  if (missing.length > 0) problems.push(`${missing.join(', ')}: missing, the KAFKA_SASL_… go together`);
  const [name, username = '', password = ''] = LOGIN_SETTINGS.map(readSetting);
  const mechanism = MECHANISMS.find((each) => each === name?.toLowerCase());
  if (mechanism !== undefined) return { mechanism, username, password };
  if (name !== undefined) problems.push(`KAFKA_SASL_MECHANISM should be one of ${MECHANISMS.join(', ')}`);
  return undefined;
}

/** Those of `brokers` (`host:port`) that are not on this machine. */
export function remoteBrokers(brokers: readonly string[]): readonly string[] {
  return brokers.filter((broker) => {
    const host = broker.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
    return host !== 'localhost' && host !== '::1' && !(net.isIPv4(host) && host.startsWith('127.'));
  });
}

/** The cluster refuses us, so waiting does not help. The message names the setting that is wrong. */
export class AccessRefusedError extends Error {
  override name = 'AccessRefusedError';
}

/** The error codes of Node for a certificate that it does not trust. */
const UNTRUSTED = /^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|CERT_|ERR_TLS_CERT)/;

/** Why a retry is useless: the cluster refuses our login, or we do not trust its certificate. Undefined for other errors. */
export function refusalOf(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown };
    if (cause.name === 'KafkaJSSASLAuthenticationError')
      return `Kafka refuses the login of KAFKA_SASL_…: ${cause.message}`;
    if (typeof code === 'string' && UNTRUSTED.test(code))
      return `The certificate of Kafka is not trusted (KAFKA_SSL_CA): ${cause.message}`;
  }
  return undefined;
}
