import { parseArgs } from 'node:util';

/** The command of the user. */
export type Command =
  { readonly kind: 'help' } | { readonly kind: 'reconcile'; readonly since: Date; readonly json: boolean };

export type Reading = { readonly command: Command } | { readonly problem: string };

export const HELP = `The ledger: whether every accepted command is settled, and all due work is done.

  npm run ledger                      since an hour ago
  npm run ledger -- --since 1d        counts losses and messages since then: 90m, 12h, 7d, or an instant such as 2026-03-02T08:00:00Z
  npm run ledger -- --json            for programs

It asks the services that npm start runs in TOCSIN_DATA or, where ALERT_PROCESSOR_URL, SCHEDULING_URL, NOTIFIER_URL and
INTERNAL_SIGNING_KEY are set, those services.
Exit codes: 0 where the ledger balances, 1 where it does not, 2 for an unknown command, 3 where a service could not be
asked.`;

const OPTIONS = { since: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean' } } as const;
const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const WANTED = '--since should be 90m, 12h, 7d, or an instant such as 2026-03-02T08:00:00Z.';

/** Reads the arguments behind `npm run ledger --`; `now` is what `--since` counts from. */
export function readCommand(args: readonly string[], now: Date): Reading {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
    if (values.help === true || positionals[0] === 'help') return { command: { kind: 'help' } };
    if (positionals.length > 0) return { problem: `There is no command ${positionals.join(' ')}.` };
    const since = instant(values.since ?? '1h', now);
    if (since === undefined || since > now) return { problem: WANTED };
    return { command: { kind: 'reconcile', since, json: values.json ?? false } };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function instant(given: string, now: Date): Date | undefined {
  const [, amount, unit] = /^(\d{1,6})([mhd])$/.exec(given) ?? [];
  if (amount !== undefined) return new Date(now.getTime() - Number(amount) * UNITS_MS[unit as keyof typeof UNITS_MS]);
  const at = new Date(/^\d{4}-\d{2}-\d{2}/.test(given) ? given : '');
  return Number.isNaN(at.getTime()) ? undefined : at;
}
