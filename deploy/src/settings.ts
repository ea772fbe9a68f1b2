import net from 'node:net';
import path from 'node:path';
import { timeZone } from '@tocsin/events';

/** The options of `npm start`, from the environment and the command line. */
export interface Settings {
  /** The IPv4 address on which the API listens; 0.0.0.0: on all of this machine. */
  readonly gatewayHost: string;
  readonly gatewayPort: number;
  /** The folder of all data and downloads, absolute. */
  readonly dataFolder: string;
  /** A UUID; generated at the first start unless given. */
  readonly apiKey: string | undefined;
  readonly ownerEmail: string;
  /** Undefined: the bundled sink. */
  readonly smtpUrl: string | undefined;
  /** Where mail for Email integrations is taken; undefined: a free one. */
  readonly mailPort: number | undefined;
  /** Undefined: a Kafka of our own. */
  readonly kafkaBrokers: string | undefined;
  /** Undefined: a MongoDB of our own. */
  readonly mongoUri: string | undefined;
  readonly topicPrefix: string;
  /** Stands before the name of every database. */
  readonly databasePrefix: string;
  readonly account: { readonly name: string; readonly timeZone: string; readonly locale: string };
  readonly demo: boolean;
}

/** Either the settings, or every problem with them. */
export type SettingsResult = { readonly settings: Settings } | { readonly problems: readonly string[] };

type Environment = Readonly<Record<string, string | undefined>>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const EMAIL = /^[^\s@]+@[^\s@]+$/;
const BROKERS = /^[^\s,:]+:\d+(,[^\s,:]+:\d+)*$/;

const LOOPBACK = '127.0.0.1';

const OPTIONS = ['--no-demo'];

/** The user of the console with all rights. */
const OWNER = 'owner@example.com';

/** Settings that may hold a secret are not shown in errors, because the output of a terminal is often kept. */
const SECRET = ['BOOTSTRAP_API_KEY', 'MONGODB_URI', 'SMTP_URL'];

/** Reads the settings; `root` is the repository, against which TOCSIN_DATA is resolved. An empty variable is absent. */
export function readSettings(environment: Environment, args: readonly string[], root: string): SettingsResult {
  const problems: string[] = [];
  const checked = (name: string, right: (value: string) => boolean, wanted: string): string | undefined => {
    const value = given(environment, name);
    if (value === undefined || right(value)) return value;
    problems.push(`${name} should be ${wanted}${SECRET.includes(name) ? '' : `, not "${value}"`}.`);
    return undefined;
  };
  const text = (name: string, usual: string): string => given(environment, name) ?? usual;
  const port = (name: string): number | undefined => numbered(checked(name, isPort, 'a port between 1 and 65535'));
  problems.push(
    ...args.filter((arg) => !OPTIONS.includes(arg)).map((arg) => `${arg} is not an option; ${OPTIONS.join(', ')} is.`),
  );
  // `npm start --no-demo`, without the two dashes before it, reaches us as this variable of npm.
  const demo = !args.includes('--no-demo') && environment['npm_config_demo'] !== '';
  const settings: Settings = {
    gatewayHost: checked('TOCSIN_BIND', net.isIPv4, 'an IPv4 address such as 0.0.0.0') ?? LOOPBACK,
    gatewayPort: port('GATEWAY_PORT') ?? 8080,
    dataFolder: path.resolve(root, text('TOCSIN_DATA', '.tocsin')),
    apiKey: checked('BOOTSTRAP_API_KEY', (value) => UUID.test(value), 'a UUID'),
    ownerEmail: checked('OWNER_EMAIL', (value) => EMAIL.test(value), 'an e-mail address') ?? OWNER,
    smtpUrl: checked('SMTP_URL', isSmtpUrl, 'an address such as smtp://host:587'),
    mailPort: port('SMTP_PORT'),
    kafkaBrokers: checked('KAFKA_BROKERS', (value) => BROKERS.test(value), 'host:port, or several with commas'),
    mongoUri: checked(
      'MONGODB_URI',
      (value) => /^mongodb(\+srv)?:\/\//.test(value),
      'an address such as mongodb://host:27017/?replicaSet=rs0',
    ),
    topicPrefix: text('KAFKA_TOPIC_PREFIX', ''),
    databasePrefix: text('MONGODB_DATABASE_PREFIX', 'tocsin_'),
    account: {
      name: text('ACCOUNT_NAME', 'Tocsin'),
      timeZone:
        checked(
          'ACCOUNT_TIMEZONE',
          (value) => timeZone.safeParse(value).success,
          'a time zone such as Europe/Berlin',
        ) ?? 'UTC',
      locale: text('ACCOUNT_LOCALE', 'en_US'),
    },
    demo,
  };
  problems.push(...ownKafkaOnly(environment));
  return problems.length > 0 ? { problems } : { settings };
}

/** The address by which this machine reaches the API. */
export function calledHost({ gatewayHost }: Pick<Settings, 'gatewayHost'>): string {
  return gatewayHost === '0.0.0.0' ? LOOPBACK : gatewayHost;
}

/** Our own Kafka listens on loopback, without TLS and logins. */
function ownKafkaOnly(environment: Environment): readonly string[] {
  const set = Object.keys(environment).filter((name) => /^KAFKA_(SSL|SASL_)/.test(name) && given(environment, name));
  if (set.length === 0 || given(environment, 'KAFKA_BROKERS') !== undefined) return [];
  return [`${set.join(', ')}: only for a Kafka of your own, which KAFKA_BROKERS names.`];
}

function given(environment: Environment, name: string): string | undefined {
  const value = environment[name]?.trim();
  return value === '' ? undefined : value;
}

const numbered = (value: string | undefined): number | undefined => (value === undefined ? undefined : Number(value));

function isPort(value: string): boolean {
  return /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535;
}

function isSmtpUrl(value: string): boolean {
  return /^smtps?:\/\/[^\s/]+/.test(value) && URL.canParse(value);
}
