import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Secrets } from '../data-folder.ts';
import { passwordVariables } from '../mongo-users.ts';
import type { Page, Settings } from '../settings.ts';

/** The default port of each page, where it is free. */
export const USUAL_PORTS: Readonly<Record<Page, number>> = { mailbox: 8025, prometheus: 9090, grafana: 3000 };

/**
 * The variables of Docker Compose for one installation: files, project, secrets and ports. `kept` is what an earlier start was
 * told: volumes belong to the name of a project, so the name stays. What else the person sets reaches it by the environment.
 */
export function composeVariables(
  root: string,
  settings: Settings,
  secrets: Secrets,
  pagePorts: Readonly<Record<Page, number>>,
  kept: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const deploy = path.join(root, 'deploy');
  const files = [
    path.join(deploy, 'compose.yaml'),
    ...(settings.mailPort === undefined ? [] : [path.join(deploy, 'compose', 'mail-in.yaml')]),
  ];
  return {
    COMPOSE_PROJECT_NAME: kept['COMPOSE_PROJECT_NAME'] ?? projectOf(settings.dataFolder),
    COMPOSE_FILE: files.join(path.delimiter),
    INTERNAL_SIGNING_KEY: secrets.signingKey,
    BOOTSTRAP_API_KEY: secrets.apiKey,
    MONGODB_KEY: secrets.mongoKey,
    ...passwordVariables(secrets.mongoKey),
    TOCSIN_BIND: settings.gatewayHost,
    GATEWAY_PORT: String(settings.gatewayPort),
    MAILBOX_PORT: String(pagePorts.mailbox),
    PROMETHEUS_PORT: String(pagePorts.prometheus),
    GRAFANA_PORT: String(pagePorts.grafana),
    ...(settings.mailPort === undefined ? {} : { SMTP_PORT: String(settings.mailPort) }),
  };
}

/** Two installations on one engine have names of their own. */
function projectOf(dataFolder: string): string {
  return `tocsin-${createHash('sha256').update(dataFolder).digest('hex').slice(0, 8)}`;
}

/** What of the settings an installation in containers cannot do, a sentence each. */
export function dockerProblems({ kafkaBrokers, mongoUri, smtpUrl }: Settings): readonly string[] {
  const own = Object.entries({ KAFKA_BROKERS: kafkaBrokers, MONGODB_URI: mongoUri });
  const problems = own
    .filter(([, value]) => value !== undefined)
    .map(([name]) => `${name}: containers have their own, so it cannot be set with Docker.`);
  const host = smtpUrl === undefined ? '' : new URL(smtpUrl).hostname;
  if (/^(localhost|127\..*|\[::1\])$/.test(host))
    problems.push('SMTP_URL: inside a container this machine is called host.docker.internal, not by its own loopback.');
  return problems;
}
