import { ALERT_LIMITS, compileTemplate, ConditionSet, Priority } from '@tocsin/events';
import { z } from 'zod';

/** What a request says about its trouble; `ignore` is neither its beginning nor its end. */
const STATES = ['open', 'close', 'acknowledge', 'ignore'] as const;
export type State = (typeof STATES)[number];

const MAX_SOURCES = 20;
const MAX_WORDS = 100;
const MAX_CONDITIONS = 20;

const text = z.string().min(1).max(1_000);
const name = z.string().regex(/^[a-z0-9][a-z0-9-]{0,49}$/, 'should be lower case letters, digits and hyphens');

/** A path, or a template: a text with `{{`. */
const source = text.refine(
  (written) => !written.includes('{{') || compileTemplate(written).unread === undefined,
  'is a template with a part that is not understood',
);
const sources = z.array(source).min(1).max(MAX_SOURCES);

/** Words in any case; one that ends in `*` stands for all that begin so. */
const words = <T>(value: z.ZodType<T>) =>
  z.record(text, value).refine((map) => Object.keys(map).length <= MAX_WORDS, `should have at most ${MAX_WORDS} words`);

const condition = z
  .strictObject({
    field: text,
    not: z.boolean().default(false),
    operation: ConditionSet.shape.conditions.element.shape.operation,
    expectedValue: z.string().default(''),
  })
  .refine(({ operation }) => operation !== 'matches', { path: ['operation'], message: 'should be no pattern' });

/** Conditions all of which hold; none hold never. */
const conditions = z
  .array(condition)
  .max(MAX_CONDITIONS)
  .default([])
  .transform((list): ConditionSet | undefined =>
    list.length === 0 ? undefined : { type: 'match-all-conditions', conditions: list },
  );

/** The fields of an item by which Tocsin makes an alert, and any others, for the actions of users. */
const fields = z
  .strictObject({
    state: sources.optional(),
    key: sources,
    summary: sources,
    severity: sources.optional(),
    text: sources.optional(),
    object: sources.optional(),
    link: sources.optional(),
    source: sources.optional(),
  })
  .catchall(sources);

/** How the requests of one tool are read: see docs/how-to/write-a-preset.md. */
export const Preset = z
  .strictObject({
    name,
    /** The tool, as its users write it. */
    title: z.string().min(1).max(ALERT_LIMITS.user),
    /** Where the tool documents its requests. */
    docs: z.url().optional(),
    /** The types of integrations that have it, in any case. */
    types: z.array(text).max(MAX_WORDS).default([]),
    /** The words of `/v1/json/{vendor}` that have it, in any case. */
    vendors: z.array(text).max(MAX_WORDS).default([]),
    /** By which its requests are known where neither type nor vendor says so. */
    detect: conditions,
    /** The path of the list of which each item is an alert. Without it the payload is the one item. */
    items: text.optional(),
    fields,
    /** What each value of the field `state` means. */
    states: words(z.enum(STATES)).default({}),
    /** What each value of the field `severity` means; P1 to P5 need no entry. */
    priorities: words(Priority).default({}),
    /** Paths of maps and values that become details. */
    details: z.array(text).max(MAX_WORDS).default([]),
    /** Sources of tags: of a list its items, of a text its parts between commas. */
    tags: z.array(source).max(MAX_SOURCES).default([]),
    /** By which a test of the tool is known: it opens an alert of priority P5 with the tag `test`. */
    test: conditions,
    /** What to set in the tool, one line of Markdown each. */
    setUp: z.array(text).max(MAX_WORDS).default([]),
    /** What users should know, one line of Markdown each. */
    notes: z.array(text).max(MAX_WORDS).default([]),
    /** What nothing but the documentation of the tool shows, one line of Markdown each. */
    unsure: z.array(text).max(MAX_WORDS).default([]),
  })
  .refine(({ fields: { state }, states }) => (state === undefined) === (Object.keys(states).length === 0), {
    path: ['states'],
    message: 'should stand beside the field state',
  });
export type Preset = Readonly<z.infer<typeof Preset>>;

/** By what the preset for a request is chosen. */
export interface PresetChoice {
  /** Of the integration. */
  readonly type: string;
  /** That of the path. */
  readonly name?: string | undefined;
  /** That of the path. */
  readonly vendor?: string | undefined;
}

/** The preset for requests that no other one takes. */
export const FALLBACK = 'fallback';

/** So many presets of a folder of the operator are tried to recognise a request. */
const MAX_DETECTING = 20;

/** The presets of an installation: those of a folder of its operator, and those that come with Tocsin. */
export class Presets {
  readonly #byName: ReadonlyMap<string, Preset>;
  readonly #byType: ReadonlyMap<string, Preset>;
  readonly #byVendor: ReadonlyMap<string, Preset>;
  /** That which reads requests that no other one takes. */
  readonly fallback: Preset;
  readonly #own: ReadonlySet<Preset>;

  /**
   * Those of the operator (`own`) are tried before the others to recognise a request.
   *
   * @throws Error where two of them have one name, type or vendor, where too many of the operator have conditions, and where there is no fallback.
   */
  constructor(builtIn: readonly Preset[], own: readonly Preset[] = []) {
    const presets = [...own, ...builtIn];
    if (own.filter(({ detect }) => detect !== undefined).length > MAX_DETECTING)
      throw new Error(`More than ${MAX_DETECTING} presets of the folder have conditions in detect.`);
    this.#own = new Set(own);
    this.#byName = indexed(presets, 'name', (preset) => [preset.name]);
    this.#byType = indexed(presets, 'type', ({ types }) => types);
    this.#byVendor = indexed(presets, 'vendor', ({ vendors }) => vendors);
    const fallback = this.#byName.get(FALLBACK);
    if (fallback === undefined) throw new Error(`There is no preset [${FALLBACK}].`);
    this.fallback = fallback;
  }

  get all(): readonly Preset[] {
    return [...this.#byName.values()];
  }

  /** Whether the operator has written it. */
  isOwn(preset: Preset): boolean {
    return this.#own.has(preset);
  }

  named(name: string): Preset | undefined {
    return this.#byName.get(name.toLowerCase());
  }

  /**
   * That with the name in the path, else that of the type of the integration, else of the vendor in the path, else the first that knows the
   * request, else the fallback.
   */
  chosen({ type, name, vendor }: PresetChoice, knows: (preset: Preset) => boolean): Preset {
    return (
      this.named(name ?? '') ??
      this.#byType.get(type.toLowerCase()) ??
      this.#byVendor.get((vendor ?? '').toLowerCase()) ??
      this.all.find((preset) => preset.detect !== undefined && knows(preset)) ??
      this.fallback
    );
  }
}

function indexed(
  presets: readonly Preset[],
  kind: string,
  keysOf: (preset: Preset) => readonly string[],
): ReadonlyMap<string, Preset> {
  const index = new Map<string, Preset>();
  for (const preset of presets)
    for (const key of keysOf(preset)) {
      const other = index.get(key.toLowerCase());
      if (other !== undefined)
        throw new Error(`The presets [${other.name}] and [${preset.name}] have the same ${kind} [${key}].`);
      index.set(key.toLowerCase(), preset);
    }
  return index;
}
