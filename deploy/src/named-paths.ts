const FENCE = /^(```|~~~)[^]*?^\1/gm;
const CODE = /`([^`\n]+)`/g;
const LINK = /\]\(([^)\s]+)\)/g;
/** The first part of a path in this repository, relative to the repository or to a workspace. */
const BEGINNING =
  /^(\.{1,2}\/|(packages|services|deploy|docs|test|charts|src|domain|application|ports|http|events|jobs|storage|\.ci)\/)/;
/** Placeholders and patterns are not paths. */
const PATTERN = /[*<>{}$…|:?=\s]/;
/** Files that are made here and not committed, and texts that only look like a path. */
const NOT_COMMITTED = /^http\/protobuf$|(^|\/)(\.env$|reports\/)/;
const HEADING = /^#{1,6} +(.+?) *#*$/gm;
const HEADING_LINK = /^((?:[\w./-]+\.md)?)#([^#]+)$/;
const FILE_NAME = /^[\w.-]+\.(ts|mjs|cjs|md|yaml|yml|js)$/;

/**
 * The paths of the repository that a Markdown text names: targets of relative links, and code spans that begin with one
 * of its folders. URLs, API paths, patterns such as `services/*`, what is not committed, and fenced blocks are left out.
 */
export function pathsNamedIn(markdown: string): readonly string[] {
  const text = markdown.replaceAll(FENCE, '');
  const spans = [...text.matchAll(CODE)].map(([, span = '']) => span).filter((span) => BEGINNING.test(span));
  const links = [...text.matchAll(LINK)].map(([, target = '']) => target).filter(isRelative);
  const paths = [...spans, ...links]
    .map(withoutFragment)
    .filter((named) => named !== '' && !PATTERN.test(named) && !NOT_COMMITTED.test(named));
  return [...new Set(paths)];
}

/** A link to a heading. */
export interface HeadingLink {
  /** The document as the link names it; empty: the document that has the link. */
  readonly document: string;
  /** The id of the heading. */
  readonly id: string;
}

/** The links of a Markdown text to headings of documents of the repository. Fenced blocks are left out. */
export function headingLinksIn(markdown: string): readonly HeadingLink[] {
  return [...markdown.replaceAll(FENCE, '').matchAll(LINK)].flatMap(([, target = '']) => {
    const [, document = '', id = ''] = HEADING_LINK.exec(target) ?? [];
    return id === '' ? [] : [{ document, id }];
  });
}

/** The ids that GitHub gives to the headings of a Markdown text: a second heading of the same text gets `-1`. */
export function headingIdsOf(markdown: string): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const [, heading = ''] of markdown.replaceAll(FENCE, '').matchAll(HEADING)) {
    const id = idOf(heading);
    let unique = id;
    for (let n = 1; ids.has(unique); n += 1) unique = `${id}-${n}`;
    ids.add(unique);
  }
  return ids;
}

/** Of a link in a heading its text counts. */
function idOf(heading: string): string {
  const text = heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase();
  return text.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-');
}

function isRelative(target: string): boolean {
  return BEGINNING.test(target) || FILE_NAME.test(withoutFragment(target));
}

/** `file.ts#L10` and `file.ts,` name the file. */
function withoutFragment(named: string): string {
  return named.replace(/#.*$/, '').replace(/[.,;]+$/, '');
}
