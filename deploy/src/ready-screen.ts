import { DEMO_ESCALATION } from '../../charts/tocsin/files/demo-plan.mjs';
import { calledHost } from './settings.ts';

/** Where the parts of an installation that runs are. */
export interface InstallationFacts {
  /** Holds the key. */
  readonly secretsFile: string;
  /** Undefined where mails go to a server of the person. */
  readonly mailboxUrl: string | undefined;
  /** Where mail for Email integrations is received. */
  readonly mailPort: number;
  /** Whether the gateway has the console. */
  readonly hasConsole: boolean;
  /** Where data and logs are, and what empties them. */
  readonly data: string;
}

/** The facts about a running installation for the user at the terminal. */
export interface ReadyFacts extends InstallationFacts {
  readonly gatewayHost: string;
  readonly gatewayPort: number;
  /** Undefined where it may not be shown, because what is said is kept. */
  readonly apiKey: string | undefined;
  readonly demo: boolean;
  readonly ownerEmail: string;
}

/** The screen that `npm start` ends with; its first line begins with `Tocsin is ready at`. */
export function readyScreen(facts: ReadyFacts): string {
  const base = `http://${calledHost(facts)}:${facts.gatewayPort}`;
  const request = (path: string, body: unknown): string =>
    [
      `  curl -X POST '${base}${path}' \\`,
      `    -H ${facts.apiKey === undefined ? '"Authorization: GenieKey $KEY"' : `'Authorization: GenieKey ${facts.apiKey}'`} -H 'Content-Type: application/json' \\`,
      `    -d '${JSON.stringify(body)}'`,
    ].join('\n');
  const alert = { message: 'Disk full on db-1', alias: 'disk-db-1', responders: respondersOf(facts) };
  return [
    `Tocsin is ready at ${base}`,
    '',
    ...(facts.hasConsole ? [`  Console   ${base}/console/, ${signIn(facts)}`] : []),
    `  API key   ${facts.apiKey ?? `KEY=$(node -p 'require("${facts.secretsFile}").apiKey'), not shown where output is kept`}`,
    `  Mailbox   ${facts.mailboxUrl ?? 'your own mail server (SMTP_URL)'}`,
    `  Mail in   127.0.0.1:${facts.mailPort} (SMTP), for the addresses of Email integrations`,
    `  API docs  ${base}/docs`,
    `  Data      ${facts.data}`,
    '',
    facts.demo ? 'Page the person on call, and the next one after a minute:' : 'Create an alert:',
    request('/v2/alerts', alert),
    '',
    'Acknowledge it, which stops the escalation:',
    request('/v2/alerts/disk-db-1/acknowledge?identifierType=alias', {}),
    '',
    'Say who is on call (`npm run -s tocsin -- help` says what else):',
    `  TOCSIN_URL=${base} TOCSIN_KEY=${facts.apiKey ?? '$KEY'} npm run -s tocsin -- who`,
    '',
    'Ctrl-C stops everything.',
  ].join('\n');
}

function signIn({ mailboxUrl, ownerEmail }: ReadyFacts): string {
  const mail = mailboxUrl === undefined ? 'mailed' : 'in the mailbox';
  return `sign in as ${ownerEmail}, with the code that is ${mail}`;
}

function respondersOf({ demo, ownerEmail }: ReadyFacts): unknown {
  if (demo) return [{ type: 'escalation', name: DEMO_ESCALATION }];
  return [{ type: 'user', username: ownerEmail }];
}
