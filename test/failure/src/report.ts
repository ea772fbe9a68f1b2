import { table } from '@tocsin/test-e2e/cluster';
import { monthShare, type PhaseBalance, PROMISED_SHARE } from './balance.ts';
import { percent, seconds } from './problems.ts';

const COLUMNS = [
  'fault',
  'lasts',
  'accepted',
  'refused requests',
  'unsettled',
  'pages',
  'missing',
  'wrong',
  'twice',
  'median page',
  'worst page',
  'recovery',
  'within 10 s',
  'ledger',
] as const;

/** A fault that this machine cannot run. */
export interface Skipped {
  readonly name: string;
  readonly reason: string;
}

/** The result of a run as a table of Markdown, with the faults that were skipped and a sentence about a month. */
export function report(balances: readonly PhaseBalance[], skipped: readonly Skipped[]): string {
  const rows = balances.map(rowOf);
  const left = skipped.map(({ name, reason }) => `- Not run: ${name}, because ${reason}.`);
  return [table([COLUMNS, ...rows]), ...left, monthText(balances)].join('\n\n');
}

function rowOf(balance: PhaseBalance): readonly string[] {
  const { late, pages, phase, recoveryMs } = balance;
  const { fault } = phase;
  return [
    phase.name,
    fault === undefined ? '-' : seconds(fault.removedAt - fault.beganAt),
    String(balance.accepted),
    String(balance.refusals),
    outstandingText(balance.unsettled.length, balance),
    String(pages),
    outstandingText(balance.missing.length, balance),
    String(balance.wrong.length),
    twiceText(balance),
    seconds(balance.medianMs),
    seconds(balance.worstMs),
    fault === undefined ? '-' : recoveryMs === undefined ? 'none' : seconds(recoveryMs),
    pages === 0 ? '-' : percent((pages - late) / pages, 2),
    ledgerText(balance),
  ];
}

/** Before the end of a run, what has not come may still come. */
const outstandingText = (count: number, { isFinal }: PhaseBalance): string =>
  isFinal || count === 0 ? String(count) : `${count} pending`;

function ledgerText({ phase: { ledger } }: PhaseBalance): string {
  if (ledger === undefined) return '-';
  return ledger.problem === undefined ? 'balances' : 'does not balance';
}

/** `3, 1 unexplained`: how many pages came again, and of how many of these no log says why. */
function twiceText({ twice }: PhaseBalance): string {
  const times = twice.reduce((sum, each) => sum + each.times, 0);
  const unexplained = twice.reduce((sum, each) => sum + each.unexplained, 0);
  return unexplained === 0 ? String(times) : `${times}, ${unexplained} unexplained`;
}

function monthText(balances: readonly PhaseBalance[]): string {
  const { allowedMs, lateMs, share } = monthShare(balances);
  const promised = percent(PROMISED_SHARE, 2);
  return (
    `In a month in which each of these faults happens once, pages take longer than 10 s for ${seconds(lateMs)}: ` +
    `${percent(share, 4)} are handed over within 10 s. The objective is ${promised}, which allows ${seconds(allowedMs)}.`
  );
}
