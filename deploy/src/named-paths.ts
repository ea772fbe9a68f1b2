const FENCE = /^(```|~~~)[^]*?^\1/gm;
const CODE = /`([^`\n]+)`/g;
const LINK = /\]\(([^)\s]+)\)/g;
/** What a path in this repository begins with, seen from the repository or from a workspace. */
const BEGINNING =
  /^(\.{1,2}\/|(packages|services|deploy|docs|test|charts|src|domain|application|ports|http|events|jobs|storage|\.ci)\/)/;
/** Placeholders and patterns are not paths. */
const PATTERN = /[*<>{}$…|:?=\s]/;
/** What is made here and not committed, and what only looks like a path. */
const NOT_COMMITTED = /^http\/protobuf$|(^|\/)(\.env$|reports\/)/;
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

function isRelative(target: string): boolean {
  return BEGINNING.test(target) || FILE_NAME.test(withoutFragment(target));
}

/** `file.ts#L10` and `file.ts,` name the file. */
function withoutFragment(named: string): string {
  return named.replace(/#.*$/, '').replace(/[.,;]+$/, '');
}
