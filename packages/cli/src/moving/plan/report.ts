import { markdownText } from '../../output/markdown.ts';
import { counted, plain } from '../../output/text.ts';
import type { Loss } from '../bodies/body.ts';
import type { FieldDifference } from './merge.ts';
import { type Plan, PLAN_STATES, type PlannedThing, type PlanState } from './plan.ts';
import type { DanglingReference } from './references.ts';

/** A heading with its lines. */
export type Section = readonly [title: string, lines: readonly string[]];

/** So many things of one state are named in the text; Markdown and JSON have all. */
const MAX_NAMED = 50;
const MAX_VALUE = 200;

const TITLES: Readonly<Record<Exclude<PlanState, 'same'>, string>> = {
  create: 'Created',
  change: 'Changed',
  delete: 'Deleted, because the snapshot has them no longer',
  conflict: 'To be decided: both sides differ',
  cannot: 'Cannot be moved',
  gone: 'No longer in the snapshot: --prune deletes them',
  keep: 'Kept as in Tocsin, where alone they were changed',
};

/** The number of things of each kind in each state; kinds without things are left out. */
export const rowsOf = ({ things }: Plan): readonly (readonly string[])[] =>
  [...Map.groupBy(things, ({ kind }) => kind)].map(([kind, all]) => [
    kind,
    ...PLAN_STATES.map((state) => String(all.filter((thing) => thing.state === state).length)),
  ]);

/** What the plan does, and what is not moved. */
export function sectionsOf(plan: Plan, limit = MAX_NAMED): readonly Section[] {
  const states = (Object.keys(TITLES) as (keyof typeof TITLES)[]).map((state): Section => {
    const lines = plan.things.filter((thing) => thing.state === state).map(thingLine);
    return [TITLES[state], cutTo(lines, limit)];
  });
  return [...states, ...lossSections(plan.losses, plan.dangling)].filter(([, lines]) => lines.length > 0);
}

/** What is not moved as it is, and the references to things that neither side has. */
export const lossSections = (losses: readonly Loss[], dangling: readonly DanglingReference[]): readonly Section[] => [
  ['Not moved as it is', losses.map(({ kind, name, what }) => `${kind} [${name}]: ${what}`)],
  danglingSection(dangling),
];

export const danglingSection = (dangling: readonly DanglingReference[]): Section => [
  'References to things that neither the snapshot nor Tocsin has',
  dangling.map(({ field, kind, name, to }) => `${kind} [${name}]: ${field} names ${to}`),
];

const cutTo = (lines: readonly string[], limit: number): readonly string[] =>
  lines.length <= limit
    ? lines
    : [...lines.slice(0, limit), `… and ${lines.length - limit} more: see --markdown or --json`];

function thingLine({ differences, kind, name, state, why }: PlannedThing): string {
  const shown = differences.filter(({ decision }) => state !== 'conflict' || decision === 'conflict');
  const reasons = [...(why === undefined ? [] : [why]), ...shown.map(differenceText)];
  return `${kind} [${name}]${reasons.length === 0 ? '' : `: ${reasons.join('; ')}`}`;
}

const differenceText = ({ field, old, ours }: FieldDifference): string =>
  `${field} is ${valueText(old)} in Opsgenie and ${valueText(ours)} in Tocsin`;

/** A value as JSON, cut where it is long. */
export function valueText(value: unknown): string {
  const text = value === undefined ? 'not set' : JSON.stringify(value);
  return text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE)}…`;
}

export const textOf = (sections: readonly Section[]): string =>
  sections.map(([title, lines]) => [`${title}:`, ...lines.map((line) => `  - ${plain(line)}`)].join('\n')).join('\n\n');

export const markdownOf = (title: string, sections: readonly Section[]): string =>
  [
    `# ${markdownText(title)}`,
    ...sections.map(([name, lines]) =>
      [`## ${markdownText(name)}`, '', ...lines.map((line) => `- ${markdownText(line)}`)].join('\n'),
    ),
  ].join('\n\n');

/** One line that says how much there is to do. */
export function summaryOf({ things }: Plan): string {
  const count = (state: PlanState): number => things.filter((thing) => thing.state === state).length;
  return `${counted(things.length, 'thing')}: ${count('create')} to create, ${count('change')} to change, ${count('delete')} to delete, ${count('conflict')} to decide, ${count('cannot')} that cannot be moved.`;
}

/** The plan as JSON, without the things that are the same. */
export const jsonOf = ({ adopted, dangling, losses, things }: Plan): object => ({
  counts: Object.fromEntries(
    PLAN_STATES.map((state) => [state, things.filter((thing) => thing.state === state).length]),
  ),
  things: things
    .filter(({ state }) => state !== 'same')
    .map(({ differences, id, kind, name, state, why }) => ({ kind, id, name, state, why, differences })),
  adopted: Object.fromEntries(adopted),
  losses,
  dangling,
});
