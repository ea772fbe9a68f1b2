/** Pure decisions, so that unit tests alone can show that one was changed. */
export interface Area {
  /** The workspace whose unit tests judge the changes. */
  readonly workspace: string;
  /** The files that are changed, from the root of the repository; patterns, of which those with `!` leave files out. */
  readonly files: readonly string[];
}

const inFolder = (folder: string, names: readonly string[]): readonly string[] =>
  names.map((name) => `${folder}/${name}.ts`);

/** What `npm run test:mutation` changes, by the name of the area. */
export const AREAS: ReadonlyMap<string, Area> = new Map([
  [
    'rules',
    {
      workspace: 'packages/rules',
      files: ['packages/rules/src/*.ts', '!packages/rules/src/*.test.ts', '!packages/rules/src/index.ts'],
    },
  ],
  [
    'on-call',
    {
      workspace: 'services/scheduling',
      files: inFolder('services/scheduling/src/on-call', [
        ...['calendar-shifts', 'next-on-call', 'on-call-tree', 'on-call', 'restriction', 'rotation-layer'],
        ...['schedule-timeline', 'shift-count', 'span', 'timeline', 'turns'],
      ]),
    },
  ],
  [
    'escalation',
    {
      workspace: 'services/scheduling',
      files: inFolder('services/scheduling/src/paging', [
        ...['apply-event', 'cancels', 'decide', 'decisions', 'due', 'escalation-state', 'exhausted', 'fire'],
        ...['next-page', 'open', 'repeat', 'routing', 'rule-progress', 'state-change', 'transitions'],
      ]),
    },
  ],
  [
    'planning',
    {
      workspace: 'services/notifier',
      files: inFolder('services/notifier/src/pages', ['expanded-page', 'plan', 'repetition', 'rule-choice', 'steps']),
    },
  ],
]);

/** @throws TypeError where there is no such area; it names those that there are. */
export function areaOf(name: string): Area {
  const area = AREAS.get(name);
  if (area === undefined) throw new TypeError(`There is no area ${name}. There are: ${[...AREAS.keys()].join(', ')}.`);
  return area;
}
