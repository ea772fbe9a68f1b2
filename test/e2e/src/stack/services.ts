import { SERVICES, type ServiceName } from '@tocsin/events';

export const WITH_A_DATABASE = SERVICES.filter((service) => service !== 'gateway');

/** The port of every service. */
export const PORT = 3_000;
/** Where it says whether it is ready, and its metrics. */
export const ADMIN_PORT = 9_000;
/** Where alert-ingest takes mail. */
export const MAIL_PORT = 2_525;
/** The limits of a service, as in the chart. Those of alert-ingest include the processes that read mails. */
const MEMORY_MIB: Partial<Record<ServiceName, number>> = {
  gateway: 512,
  'alert-ingest': 1_280,
  'alert-processor': 512,
};
const USUAL_MEMORY_MIB = 384;
export const memoryMiBOf = (service: ServiceName): number => MEMORY_MIB[service] ?? USUAL_MEMORY_MIB;

/** The key of `Default API`. */
export const API_KEY = '5f1d0a52-6d2b-4e0f-9d3f-2f6f3c1f5a11';

/** The ports of a service that tests ask. */
export function portsOf(service: ServiceName): readonly number[] {
  if (service === 'gateway') return [PORT, ADMIN_PORT];
  return service === 'alert-ingest' ? [MAIL_PORT, ADMIN_PORT] : [ADMIN_PORT];
}

/** Settings that only one service gets: a service cannot leak a secret that it does not have. */
const ONE_SERVICE_ONLY: Partial<Record<ServiceName, Readonly<Record<string, string>>>> = {
  'alert-ingest': { BOOTSTRAP_API_KEY: API_KEY, SMTP_PORT: String(MAIL_PORT) },
};

/** The settings of a service, as an installation in a cluster would give them. */
export function environmentOf(
  service: ServiceName,
  { smtpUrl }: { readonly smtpUrl: string },
): Readonly<Record<string, string>> {
  return {
    ADMIN_HOST: '0.0.0.0',
    DATABASE_SETUP: 'verify',
    KAFKA_BROKERS: 'kafka:9092',
    // As many as two replicas of each service would have to share.
    KAFKA_TOPIC_PARTITIONS: '4',
    MONGODB_URI: 'mongodb://mongo:27017/?replicaSet=rs0',
    INTERNAL_SIGNING_KEY: 'a signing key of end-to-end tests of 32 characters or more',
    // There is no load balancer here.
    STOP_WAIT_MS: '0',
    ...ONE_SERVICE_ONLY[service],
    // Each page is a mail that can be counted.
    ...(service === 'notifier' && { SMTP_URL: smtpUrl, BUNDLE_LIMITS: 'off' }),
  };
}
