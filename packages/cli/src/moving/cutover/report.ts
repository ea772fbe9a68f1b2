import { markdownText } from '../../output/markdown.ts';
import { plain } from '../../output/text.ts';
import type { Check } from './check.ts';
import type { Condition, ConditionState } from './condition.ts';

/** So many lines of what is missing are in the text; Markdown and JSON have all that was kept. */
const MAX_LINES = 20;

/** The rows of a table: condition, state, summary. */
export const conditionRows = ({ conditions }: Check): readonly (readonly [string, string, string])[] =>
  conditions.map(({ name, state, summary }) => [name, WORDS[state], summary]);

const WORDS: Readonly<Record<ConditionState, string>> = { met: 'met', unmet: 'UNMET', unknown: 'UNKNOWN' };

/** What is missing for each condition and each step of the switch, a line each. */
export const missingLines = ({ conditions, steps }: Check): readonly string[] => [
  ...conditions.flatMap((condition) => {
    const lines = listed(linesOf(condition));
    return lines.length === 0 ? [] : [`${condition.name}:`, ...lines, ''];
  }),
  'The switch:',
  ...steps.flatMap(({ missing, step, title }) => [`${step}. ${title}`, ...listed(missing)]),
];

const listed = (missing: readonly string[]): readonly string[] => {
  const more = missing.length - MAX_LINES;
  return [
    ...missing.slice(0, MAX_LINES).map((line) => `  - ${plain(line)}`),
    ...(more > 0 ? [`  - and ${more} more: --markdown and --json have them`] : []),
  ];
};

const linesOf = ({ missing, missingCount = missing.length }: Condition): readonly string[] =>
  missingCount === missing.length ? missing : [...missing, `and ${missingCount - missing.length} more`];

export const markdownOf = (check: Check): string =>
  [
    ...['# Where the move stands', ''],
    ...[`${markdownText(check.from)} to ${markdownText(check.to)}, checked at ${check.checkedAt}.`, ''],
    ...['| condition | state | |', '| --- | --- | --- |'],
    ...conditionRows(check).map((row) => `| ${row.map(markdownText).join(' | ')} |`),
    ...check.conditions
      .filter(({ missing }) => missing.length > 0)
      .flatMap((each) => section(each.name, linesOf(each))),
    ...['', '## The switch'],
    ...check.steps.flatMap(({ missing, step, title }) => [
      ...['', `${step}. ${markdownText(title)}`],
      ...missing.map((line) => `   - ${markdownText(line)}`),
    ]),
  ].join('\n');

const section = (title: string, lines: readonly string[]): readonly string[] => [
  ...['', `## ${markdownText(title)}`, ''],
  ...lines.map((line) => `- ${markdownText(line)}`),
];
