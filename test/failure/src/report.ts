import { table } from '@tocsin/test-e2e/cluster';
import { monthShare, type PhaseBalance, PROMISED_SHARE, seconds } from './balance.ts';

const COLUMNS = [
  'fault',
  'lasts',
  'accepted',
  'refused tries',
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

/** The result of a run as a table of Markdown, with the faults that were skipped and a sentence about a month. */
export function report(
  balances: readonly PhaseBalance[],
  skipped: readonly { readonly name: string; readonly reason: string }[],
): string {
  const rows = balances.map(rowOf);
  const left = skipped.map(({ name, reason }) => `- Not run: ${name}, because ${reason}.`);
  return [table([COLUMNS, ...rows]), ...left, monthText(balances)].join('\n\n');
}

function rowOf(balance: PhaseBalance): readonly string[] {
  const { late, pages, phase, recoveryMs } = balance;
  const { faultAt, healedAt, isTimed } = phase;
  return [
    phase.name,
    faultAt === undefined || healedAt === undefined ? '-' : seconds(healedAt - faultAt),
    String(balance.accepted),
    String(balance.refusals),
    String(balance.unsettled.length),
    String(pages),
    String(balance.missing.length),
    String(balance.wrong.length),
    twiceText(balance),
    seconds(balance.medianMs),
    seconds(balance.worstMs),
    faultAt === undefined || !isTimed ? '-' : recoveryMs === undefined ? 'none' : seconds(recoveryMs),
    pages === 0 ? '-' : percent((pages - late) / pages, 2),
    phase.ledgerProblem === undefined ? 'balances' : 'does not balance',
  ];
}

/** `3, 1 unexplained`: how many messages came again, and of how many of these no log says why. */
function twiceText({ twice }: PhaseBalance): string {
  const sum = (repeats: PhaseBalance['twice']): number => repeats.reduce((all, { times }) => all + times, 0);
  const unexplained = sum(twice.filter(({ isExplained }) => !isExplained));
  return unexplained === 0 ? String(sum(twice)) : `${sum(twice)}, ${unexplained} unexplained`;
}

function monthText(balances: readonly PhaseBalance[]): string {
  const { allowedMs, lateMs, share } = monthShare(balances);
  const promised = percent(PROMISED_SHARE, 2);
  return (
    `In a month in which each of these faults happens once, pages take longer than 10 s for ${seconds(lateMs)}: ` +
    `${percent(share, 4)} are handed over within 10 s. The objective is ${promised}, which allows ${seconds(allowedMs)}.`
  );
}

const percent = (share: number, digits: number): string => `${(share * 100).toFixed(digits)} %`;
