import { monthShare, PROMISED_SHARE, type PhaseBalance } from './balance.ts';

/** How a run stands when its table is written. */
export type RunState = 'under way' | 'stopped' | 'ended';

/** A sentence for every bar that is missed; none where all is as promised. Before the end of a run, what is pending misses none. */
export function problems(balances: readonly PhaseBalance[]): readonly string[] {
  return balances.flatMap((balance) =>
    [
      ...(balance.isFinal ? outstandingProblems(balance) : []),
      ...listed('wrong pages', balance.wrong),
      ...listed('pages that came again without an interruption in the log', unexplainedOf(balance)),
      ...(balance.accepted === 0 && balance.phase.kind !== 'last-pages'
        ? ['no alert was accepted, so nothing is shown']
        : []),
      ...timeProblems(balance),
      ...ledgerProblems(balance),
    ].map((what) => `${balance.phase.name}: ${what}`),
  );
}

/** What misses the bar at the end of a run. `broken` says why it did not come to its end. */
export function missedBars(balances: readonly PhaseBalance[], broken: readonly string[]): readonly string[] {
  const { share } = monthShare(balances);
  const hasRun = balances.some(({ phase: { kind } }) => kind === 'fault' || kind === 'no-fault');
  return [
    ...problems(balances),
    ...(share < PROMISED_SHARE && balances.every(({ isFinal }) => isFinal)
      ? [
          `month: ${percent(share, 4)} of the pages are handed over within 10 s, less than ${percent(PROMISED_SHARE, 2)}`,
        ]
      : []),
    ...(hasRun || broken.length > 0 ? [] : ['no fault was run, so nothing is shown']),
    ...broken,
  ];
}

/** The paragraph below the table. `notRun` is the number of chosen faults that were skipped. */
export function conclusion(state: RunState, missed: readonly string[], notRun: number): string {
  const unfinished = { 'under way': 'The run is under way', stopped: 'The run was stopped before its end' };
  const sentences = [
    ...(state === 'ended' ? [] : [`${unfinished[state]}: what is pending is not judged.`]),
    ...(missed.length === 0 ? metText(state, notRun) : ['Missed:']),
  ];
  return [sentences.join(' '), ...(missed.length === 0 ? [] : [missed.map((line) => `- ${line}`).join('\n')])].join(
    '\n\n',
  );
}

function metText(state: RunState, notRun: number): readonly string[] {
  if (state !== 'ended') return [];
  if (notRun === 0) return ['Every bar is met.'];
  return [`Every bar that was measured is met; ${notRun} ${notRun === 1 ? 'fault was' : 'faults were'} not run.`];
}

const outstandingProblems = ({ missing, notAccepted, unsettled }: PhaseBalance): readonly string[] => [
  ...listed('accepted alerts that are not settled', unsettled),
  ...listed('missing pages', missing),
  ...listed('requests that were refused to the end', notAccepted),
];

const unexplainedOf = ({ twice }: PhaseBalance): readonly string[] =>
  twice.filter(({ unexplained }) => unexplained > 0).map(({ what }) => what);

function timeProblems({ phase, recoveryMs, slow }: PhaseBalance): readonly string[] {
  const late = slow.map(({ excessMs, what }) => `${what} by ${seconds(excessMs)}`);
  const limitMs = phase.fault?.recoveryLimitMs ?? Infinity;
  return [
    ...(phase.endedFast && recoveryMs !== undefined ? [] : ['pages did not stay fast']),
    ...(recoveryMs !== undefined && recoveryMs > limitMs
      ? [`the recovery took ${seconds(recoveryMs)}, longer than its limit of ${seconds(limitMs)}`]
      : []),
    ...listed('pages that came later than their bar', late),
  ];
}

const ledgerProblems = ({ phase: { ledger } }: PhaseBalance): readonly string[] =>
  ledger?.problem === undefined ? [] : [`the ledger does not balance: ${ledger.problem}`];

const SHOWN = 5;

function listed(what: string, items: readonly string[]): readonly string[] {
  if (items.length === 0) return [];
  const more = items.length > SHOWN ? ', …' : '';
  return [`${what}: ${items.length} (${items.slice(0, SHOWN).join(', ')}${more})`];
}

/** Milliseconds as seconds with one digit. */
export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** A share from 0 to 1 in percent. */
export const percent = (share: number, digits: number): string => `${(share * 100).toFixed(digits)} %`;
