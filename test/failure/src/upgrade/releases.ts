import type { SourceEdit } from '@tocsin/testkit/source-edits';

/** The release that is in the repository, and those that follow it, in their order. */
export const RELEASE_NAMES = ['present', 'next', 'after-next'] as const;
export type ReleaseName = (typeof RELEASE_NAMES)[number];

/** What a release has that the one before it has not. */
export interface Release {
  /** What it writes into the new field of each command, by which alerts and pages are known that it accepted. */
  readonly acceptedBy: string;
  readonly edits: readonly SourceEdit[];
}

const EVENTS = 'packages/events/src/messages';
const INGEST = 'services/alert-ingest/src/alerts/operations.ts';
const PROCESSOR = 'services/alert-processor/src';
const EFFECTS = 'services/scheduling/src/paging/effects.ts';
const BY_NEXT = 'next release';
const BY_AFTER_NEXT = 'release after next';

const fieldWhereSet = (owner: string): string =>
  `...(${owner}.acceptedBy !== undefined && { acceptedBy: ${owner}.acceptedBy }),`;

/** Adds a line behind another one. */
const behind = (line: string, added: string): readonly [string, string] => [line, `${line}\n${added}`];

/** The topics on the path of a page: of commands, events and pages. */
const versions = (change: (name: string) => readonly [string, string]): readonly SourceEdit[] => [
  {
    file: `${EVENTS}/alert-commands.ts`,
    replace: [change('alert-commands.v1'), change('alert-commands-bulk.v1')],
  },
  { file: `${EVENTS}/alert-events.ts`, replace: [change('alert-events.v1')] },
  { file: `${EVENTS}/pages.ts`, replace: [change('pages.v1')] },
];

/**
 * A new optional field, which goes with each alert from the request to the mail and is stored with it; an index for it; and `source` in
 * a new form, which this release reads and does not write yet.
 */
const next: Release = {
  acceptedBy: BY_NEXT,
  edits: [
    ...versions((name) => behind(`  name: '${name}',\n  version: 2,`, '  reads: 3,')),
    {
      file: `${EVENTS}/shared.ts`,
      replace: [
        [
          '/** The fields of an alert that events',
          'export const SourceName = z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]);\n\n/** The fields of an alert that events',
        ],
        ['  source: z.string(),\n  entity', '  source: SourceName,\n  acceptedBy: z.string().optional(),\n  entity'],
      ],
    },
    {
      file: `${EVENTS}/alert-commands.ts`,
      replace: [
        ['IntegrationReference, ResponderReference }', 'IntegrationReference, ResponderReference, SourceName }'],
        ['  source: z.string(),', '  source: SourceName,\n  acceptedBy: z.string().optional(),'],
      ],
    },
    {
      file: INGEST,
      replace: [behind('      source: source ?? callerAddress,', `      acceptedBy: '${BY_NEXT}',`)],
    },
    {
      file: `${PROCESSOR}/alerts/create.ts`,
      replace: [
        [
          'const { alert, integration, source } = command;',
          'const { acceptedBy, alert, integration, source } = command;',
        ],
        behind('    source,', '    ...(acceptedBy !== undefined && { acceptedBy }),'),
      ],
    },
    {
      file: `${PROCESSOR}/alerts/alert.ts`,
      replace: [
        behind('  readonly source: string;', '  readonly acceptedBy?: string;'),
        behind('    source: alert.source,', `    ${fieldWhereSet('alert')}`),
      ],
    },
    {
      file: `${PROCESSOR}/database.ts`,
      replace: [
        behind(
          'export const indexPlans: readonly IndexPlan[] = [',
          "  { collection: ALERTS, keys: { acceptedBy: 1, createdAt: 1 }, serves: 'the alerts that a release accepted' },",
        ),
      ],
    },
    {
      file: EFFECTS,
      replace: [
        [
          '    return { ...fields, responders, createdAt };',
          `    return { ...fields, ${fieldWhereSet('alert')} responders, createdAt };`,
        ],
      ],
    },
    {
      file: 'services/notifier/src/pages/content.ts',
      replace: [
        [
          '`[${alert.priority}] ${alert.message} (#${alert.tinyId})`',
          '`[${alert.priority}] ${alert.message} (#${alert.tinyId})${alert.acceptedBy === undefined ? "" : ` by ${alert.acceptedBy}`}`',
        ],
      ],
    },
  ],
};

/** Writes `source` in the new form, which the release before it reads. */
const afterNext: Release = {
  acceptedBy: BY_AFTER_NEXT,
  edits: [
    ...versions((name) => [`  name: '${name}',\n  version: 2,\n  reads: 3,`, `  name: '${name}',\n  version: 3,`]),
    {
      file: INGEST,
      replace: [
        [`acceptedBy: '${BY_NEXT}'`, `acceptedBy: '${BY_AFTER_NEXT}'`],
        [
          '    const sent = trace === undefined ? command : { ...command, trace };',
          '    const written = { ...command, source: { name: command.source } as unknown as string };\n    const sent = trace === undefined ? written : { ...written, trace };',
        ],
      ],
    },
    {
      file: `${PROCESSOR}/alerts/alert.ts`,
      replace: [behind('    ...alertContent(alert),', '    source: { name: alert.source } as unknown as string,')],
    },
    {
      file: EFFECTS,
      replace: [
        [
          'const fields = { tinyId, alias, message, description, source, entity,',
          'const fields = { tinyId, alias, message, description, source: { name: source } as unknown as string, entity,',
        ],
      ],
    },
  ],
};

/** The releases that follow the present one. */
export const RELEASES: Readonly<Record<Exclude<ReleaseName, 'present'>, Release>> = { next, 'after-next': afterNext };

/** What is changed of the sources of the repository to make a release of them, in this order. @throws TypeError where there is none. */
export function editsOf(name: string): readonly SourceEdit[] {
  const position = RELEASE_NAMES.findIndex((known) => known === name);
  if (position < 0) throw new TypeError(`There is no release ${name}. There are ${RELEASE_NAMES.join(', ')}.`);
  return [next, afterNext].slice(0, position).flatMap(({ edits }) => edits);
}
