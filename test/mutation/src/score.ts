/** A report of Stryker, in the part that is read here. @see https://github.com/stryker-mutator/mutation-testing-elements */
export interface MutationReport {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { readonly status: string }[] }>>;
}

/** How many changes of an area there were, and what the tests made of them. */
export interface Score {
  readonly area: string;
  readonly changes: number;
  /** A test failed, or did not end within its time. */
  readonly found: number;
  /** All tests passed that reach the change. */
  readonly survived: number;
  /** No test reaches the change. */
  readonly uncovered: number;
}

/** The share of changes that the tests must find. */
export const LEAST_SHARE = 0.85;

const FOUND = new Set(['Killed', 'Timeout', 'RuntimeError']);

/** The score of an area. Changes that Stryker left out, or that do not compile, are not counted. */
export function scoreOf(area: string, report: MutationReport): Score {
  const statuses = Object.values(report.files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  const count = (isOne: (status: string) => boolean): number => statuses.filter(isOne).length;
  const found = count((status) => FOUND.has(status));
  const survived = count((status) => status === 'Survived');
  const uncovered = count((status) => status === 'NoCoverage');
  return { area, changes: found + survived + uncovered, found, survived, uncovered };
}

/** From 0 to 1; 0 where nothing was changed, because such a run shows nothing. */
export const shareOf = ({ changes, found }: Score): number => (changes === 0 ? 0 : found / changes);

/** A table in Markdown, a row for each score. */
export function tableOf(scores: readonly Score[]): string {
  const rows = scores.map((score) => {
    const { area, changes, found, survived, uncovered } = score;
    return `| ${[area, changes, found, survived, uncovered, `${(shareOf(score) * 100).toFixed(1)} %`].join(' | ')} |`;
  });
  return [
    '| area | changes | found | survived | not reached | share |',
    '| --- | --: | --: | --: | --: | --: |',
    ...rows,
  ].join('\n');
}
