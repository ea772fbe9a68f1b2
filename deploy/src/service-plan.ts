import { fileURLToPath } from 'node:url';
import { calledHost, type Settings } from './settings.ts';
import type { Secrets } from './data-folder.ts';

/** Those of the contracts, whose schemas would take memory in the supervisor. */
export const SERVICES = [
  'directory',
  'scheduling',
  'alert-ingest',
  'alert-processor',
  'heartbeat-monitor',
  'notifier',
  'gateway',
] as const;

export type ServiceName = (typeof SERVICES)[number];

/** Every alert passes through these. */
const HOT: readonly ServiceName[] = ['gateway', 'alert-ingest', 'alert-processor'];

/**
 * The flags of Node for one service: room for short-lived objects where every alert passes. It is taken only under load; at
 * rest the services stay small, while a young generation of a few MB costs a third of the throughput.
 */
export function flagsOf(service: ServiceName): readonly string[] {
  return [
    '--conditions=source',
    '--disable-warning=TimeoutNegativeWarning',
    '--disable-warning=ExperimentalWarning',
    `--max-semi-space-size=${HOT.includes(service) ? 32 : 8}`,
  ];
}

/** These take requests and alerts from callers: what they do not accept in time is lost to a caller that does not repeat. */
const ACCEPTING: readonly ServiceName[] = ['gateway', 'alert-ingest'];

/**
 * How far a service gives way to others of this machine. Consumers get a third of the share of those that accept: Kafka keeps
 * what is accepted, and all consumers are on one level, so that no page waits behind the work of another.
 */
export function nicenessOf(service: ServiceName): number {
  return ACCEPTING.includes(service) ? 0 : 5;
}

/** The two ports of one service: on 127.0.0.1, but for that of the API. */
export interface ServicePorts {
  readonly port: number;
  readonly adminPort: number;
}

/** Where the engines are, and where mail goes out and comes in. */
export interface Surroundings {
  readonly kafkaBrokers: string;
  /** How each service reaches MongoDB. */
  readonly mongoUriOf: (service: ServiceName) => string;
  readonly smtpUrl: string;
  /** Where mail for Email integrations comes in. */
  readonly mailPort: number;
}

/** The page at `/docs`: an installation on this machine shows it. */
const DOCS_PAGE_SCRIPT = fileURLToPath(
  new URL('../../node_modules/@scalar/api-reference/dist/browser/standalone.js', import.meta.url),
);

/** Settings that only one service gets: no other service uses them, and a service cannot leak a secret that it does not have. */
const ONE_SERVICE_ONLY: Readonly<Record<string, ServiceName>> = {
  BOOTSTRAP_API_KEY: 'alert-ingest',
  DOCS_PAGE_SCRIPT: 'gateway',
  SMTP_PORT: 'alert-ingest',
  OWNER_EMAIL: 'directory',
  SMTP_URL: 'notifier',
  SMTP_USERNAME: 'notifier',
  SMTP_PASSWORD: 'notifier',
  OPENID_CLIENT_SECRET: 'directory',
  PUSH_TOKEN: 'notifier',
  PUSHOVER_TOKEN: 'notifier',
  TELEGRAM_BOT_TOKEN: 'notifier',
  SLACK_BOT_TOKEN: 'notifier',
  MATTERMOST_BOT_TOKEN: 'notifier',
  VAPID_PRIVATE_KEY: 'notifier',
  TWILIO_ACCOUNT_SID: 'notifier',
  TWILIO_AUTH_TOKEN: 'notifier',
  SMS_HTTP_URL: 'notifier',
  SMS_HTTP_HEADERS: 'notifier',
  SMS_HTTP_BODY: 'notifier',
  SMS_HTTP_REPLY_TOKEN: 'notifier',
  VOICE_HTTP_URL: 'notifier',
  VOICE_HTTP_HEADERS: 'notifier',
  VOICE_HTTP_BODY: 'notifier',
};

/** The environment of one service: what it inherits, over it what an installation decides, less what is for others. */
export function environmentOf(
  service: ServiceName,
  ports: ReadonlyMap<ServiceName, ServicePorts>,
  installation: { settings: Settings; secrets: Secrets; surroundings: Surroundings },
  inherited: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const { settings, secrets, surroundings } = installation;
  const own = ports.get(service);
  if (own === undefined) throw new Error(`${service} has no ports`);
  const urls = [...ports].map(([name, { port }]) => {
    const host = name === 'gateway' ? calledHost(settings) : '127.0.0.1';
    return [urlVariable(name), `http://${host}:${port}`] as const;
  });
  const [, gatewayUrl] = urls.find(([name]) => name === 'GATEWAY_URL') ?? [];
  const environment = {
    ...inherited,
    // Links in messages lead to this machine. The gateway writes links by the host that its caller used.
    PUBLIC_URL: inherited['PUBLIC_URL'] ?? (service === 'notifier' ? gatewayUrl : undefined),
    NODE_OPTIONS: undefined,
    // Fewer arenas of the C library: 10 to 20 MB less in each process, for nothing that shows.
    MALLOC_ARENA_MAX: '2',
    HOST: service === 'gateway' ? settings.gatewayHost : '127.0.0.1',
    PORT: String(own.port),
    ADMIN_PORT: String(own.adminPort),
    // There is one process of each service.
    STOP_WAIT_MS: '0',
    KAFKA_BROKERS: surroundings.kafkaBrokers,
    KAFKA_TOPIC_PREFIX: settings.topicPrefix,
    MONGODB_URI: surroundings.mongoUriOf(service),
    MONGODB_DATABASE_PREFIX: settings.databasePrefix,
    INTERNAL_SIGNING_KEY: secrets.signingKey,
    ...Object.fromEntries<string>(urls),
    ACCOUNT_NAME: settings.account.name,
    ACCOUNT_TIMEZONE: settings.account.timeZone,
    ACCOUNT_LOCALE: settings.account.locale,
    SMTP_URL: surroundings.smtpUrl,
    SMTP_PORT: String(surroundings.mailPort),
    BOOTSTRAP_API_KEY: secrets.apiKey,
    VAPID_PRIVATE_KEY: inherited['VAPID_PRIVATE_KEY'] ?? secrets.vapidPrivateKey,
    DOCS_PAGE_SCRIPT,
    OWNER_EMAIL: settings.ownerEmail,
  };
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => (ONE_SERVICE_ONLY[name] ?? service) === service),
  );
}

function urlVariable(service: ServiceName): string {
  return `${service.toUpperCase().replaceAll('-', '_')}_URL`;
}
