import fs from 'node:fs';
import net from 'node:net';
import tls from 'node:tls';

/** Mechanisms by which a process proves to a broker who it is. */
const MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;
type Mechanism = (typeof MECHANISMS)[number];

/** How the connections to a cluster are protected; without `ssl` they are not encrypted, without `sasl` nobody logs in. */
export interface KafkaSecurity {
  /** PEM texts; without `ca` the authorities that Node knows are believed. */
  readonly ssl?: { readonly ca?: string; readonly cert?: string; readonly key?: string } | undefined;
  readonly sasl?: { readonly mechanism: Mechanism; readonly username: string; readonly password: string } | undefined;
}

/** Either the security, or every problem with its settings; none of them holds a secret. */
export type KafkaSecurityResult = { readonly security: KafkaSecurity } | { readonly problems: readonly string[] };

/** PEM texts; each may lie in a file instead, whose path is in the name with `_FILE`. */
const TEXTS = ['KAFKA_SSL_CA', 'KAFKA_SSL_CERT', 'KAFKA_SSL_KEY'] as const;
const LOGIN = ['KAFKA_SASL_MECHANISM', 'KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'] as const;

/** Reads `KAFKA_SSL…` and `KAFKA_SASL_…`. An empty variable counts as absent; without any, nothing is protected. */
export function readKafkaSecurity(environment: Readonly<Record<string, string | undefined>>): KafkaSecurityResult {
  const problems: string[] = [];
  const given = (name: string): string | undefined => (environment[name] === '' ? undefined : environment[name]);
  const ssl = readSsl(given, problems);
  const sasl = readSasl(given, problems);
  if (sasl?.mechanism === 'plain' && given('KAFKA_SSL') !== 'true')
    problems.push(
      'KAFKA_SASL_MECHANISM=plain sends the password as it is: it needs KAFKA_SSL=true, or use scram-sha-512',
    );
  return problems.length > 0 ? { problems } : { security: { ssl, sasl } };
}

type Given = (name: string) => string | undefined;

function readSsl(given: Given, problems: string[]): KafkaSecurity['ssl'] {
  const wanted = given('KAFKA_SSL') ?? 'false';
  if (wanted === 'true') return readTexts(given, problems);
  if (wanted !== 'false') problems.push('KAFKA_SSL should be true or false');
  const set = TEXTS.flatMap((name) => [name, `${name}_FILE`]).filter((name) => given(name) !== undefined);
  if (set.length > 0) problems.push(`${set.join(', ')}: only with KAFKA_SSL=true`);
  return undefined;
}

function readTexts(given: Given, problems: string[]): KafkaSecurity['ssl'] {
  const [ca, cert, key] = TEXTS.map((name) => readPem(name, given, problems));
  if ((cert === undefined) !== (key === undefined))
    problems.push('KAFKA_SSL_CERT and KAFKA_SSL_KEY go together: set both or none');
  const ssl = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
  if (problems.length === 0) problems.push(...unusable(ssl));
  return ssl;
}

function readPem(name: string, given: Given, problems: string[]): string | undefined {
  const [text, file] = [given(name), given(`${name}_FILE`)];
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

/** What a connection would fail by, each time: a text that is cut off, or a key that belongs to another certificate. */
function unusable(ssl: NonNullable<KafkaSecurity['ssl']>): readonly string[] {
  try {
    tls.createSecureContext(ssl);
    return [];
  } catch (error) {
    return [`KAFKA_SSL_CA, KAFKA_SSL_CERT and KAFKA_SSL_KEY cannot be used: ${(error as Error).message}`];
  }
}

function readSasl(given: Given, problems: string[]): KafkaSecurity['sasl'] {
  const missing = LOGIN.filter((name) => given(name) === undefined);
  if (missing.length === LOGIN.length) return undefined;
  if (missing.length > 0) problems.push(`${missing.join(', ')}: missing, the KAFKA_SASL_… go together`);
  const [name, username = '', password = ''] = LOGIN.map(given);
  const mechanism = MECHANISMS.find((each) => each === name?.toLowerCase());
  if (mechanism !== undefined) return { mechanism, username, password };
  if (name !== undefined) problems.push(`KAFKA_SASL_MECHANISM should be one of ${MECHANISMS.join(', ')}`);
  return undefined;
}

/** The brokers of `host:port` that lie outside this machine. */
export function foreignBrokers(brokers: readonly string[]): readonly string[] {
  return brokers.filter((broker) => {
    const host = broker.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
    return host !== 'localhost' && host !== '::1' && !(net.isIPv4(host) && host.startsWith('127.'));
  });
}

/** The cluster answers and does not let us in: waiting will not help. Its message names the setting that is wrong. */
export class AccessRefusedError extends Error {
  override name = 'AccessRefusedError';
}

/** How Node says that it does not believe a certificate. */
const DISTRUST = /^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|CERT_|ERR_TLS_CERT)/;

/**
 * Why trying again is of no use: the cluster refuses our login, or we do not believe its certificate. Undefined for anything
 * that may pass.
 */
export function refusalOf(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown };
    if (cause.name === 'KafkaJSSASLAuthenticationError')
      return `Kafka refuses the login of KAFKA_SASL_…: ${cause.message}`;
    if (typeof code === 'string' && DISTRUST.test(code))
      return `The certificate of Kafka is not believed (KAFKA_SSL_CA): ${cause.message}`;
  }
  return undefined;
}
