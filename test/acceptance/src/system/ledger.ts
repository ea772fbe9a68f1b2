import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { ServiceName } from '@tocsin/events';
import type { Installation } from './installation.ts';

const BOOTSTRAP = fileURLToPath(new URL('../../../../deploy/bootstrap.mjs', import.meta.url));
const SCRIPT = fileURLToPath(new URL('../../../../deploy/src/ledger.ts', import.meta.url));

/** The output of `npm run ledger -- --json`. */
export interface Reconciliation {
  readonly commands: { readonly accepted: number; readonly lost: number; readonly waiting: number };
  readonly flows: { readonly runs: number; readonly overdue: number };
  readonly messages: { readonly sent: number; readonly waiting: number; readonly undelivered: number };
  readonly balances: boolean;
}

/** `npm run ledger -- …` against the services of an installation. */
export class Ledger {
  readonly #asking: Readonly<Record<string, string>>;

  constructor(installation: Installation) {
    const urlOf = (name: ServiceName): string => `http://127.0.0.1:${installation.environmentOf(name)['PORT'] ?? ''}`;
    this.#asking = {
      INTERNAL_SIGNING_KEY: installation.environmentOf('gateway')['INTERNAL_SIGNING_KEY'] ?? '',
      ALERT_PROCESSOR_URL: urlOf('alert-processor'),
      SCHEDULING_URL: urlOf('scheduling'),
      NOTIFIER_URL: urlOf('notifier'),
    };
  }

  /** Its standard output, its error output, and its exit code. */
  async run(
    ...args: readonly string[]
  ): Promise<{ readonly said: string; readonly complained: string; readonly code: number | null }> {
    const child = spawn(process.execPath, [BOOTSTRAP, SCRIPT, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], ...this.#asking },
    });
    const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { said, complained, code: await exit };
  }

  /** @throws SyntaxError when it prints no ledger, because a service could not be asked. */
  async read(): Promise<Reconciliation> {
    return JSON.parse((await this.run('--json')).said) as Reconciliation;
  }
}
