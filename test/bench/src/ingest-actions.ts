/** Looks for what no alert of the bench has, in three fields, the last by a regular expression. */
const NEVER = {
  conditionMatchType: 'match-any-condition',
  conditions: [
    { field: 'message', not: false, operation: 'contains', expectedValue: 'all is well' },
    { field: 'source', not: false, operation: 'equals', expectedValue: 'unknown' },
    { field: 'entity', not: false, operation: 'matches', expectedValue: '^web-[0-9]+[.]example[.]org$' },
  ],
};

const GROUPS = ['ignore', 'close', 'acknowledge', 'addNote'] as const;

type Actions = Readonly<Record<(typeof GROUPS)[number], readonly object[]>>;

/** `count` actions in all groups that are tried before the one that creates; each is compared with every alert. */
export function idleActions(count: number): Actions {
  const all = Array.from({ length: count }, (_, index) => {
    return { name: `Idle ${index}`, order: index + 1, alias: '{{alias}}', note: 'Seen {{message}}', filter: NEVER };
  });
  const of = (at: number) => all.filter((_, index) => index % GROUPS.length === at);
  return Object.fromEntries(GROUPS.map((group, at) => [group, of(at)])) as unknown as Actions;
}
