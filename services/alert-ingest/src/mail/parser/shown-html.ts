import { compile, type FormatCallback } from 'html-to-text';

/** Properties of an element that its types lack. */
type Element = Parameters<FormatCallback>[0] & { readonly prev?: Element | null };

const MAX_DEPTH = 100;

/** A row of a table is a line. */
const row: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1 });
  walk(element.children, builder);
  builder.closeBlock({ trailingLineBreaks: 1 });
};

/** Cells of a row stand apart. Cells that are there for the layout alone show nothing. */
const cell: FormatCallback = (element, walk, builder) => {
  if (!showsText(element)) return;
  if (hasTextBefore(element)) builder.addInline(' | ');
  walk(element.children, builder);
};

function hasTextBefore(element: Element): boolean {
  for (let before = element.prev ?? undefined; before !== undefined; before = before.prev ?? undefined)
    if (showsText(before)) return true;
  return false;
}

/** Of what is nested deeper than is shown, it is not known. */
function showsText(element: Element, depth = 0): boolean {
  if (element.type === 'text') return element.data?.trim() !== '';
  if (depth > MAX_DEPTH) return false;
  return 'children' in element && element.children.some((child) => showsText(child, depth + 1));
}

/** The visible text of the first `maxLength` UTF-16 units of HTML. Linear, and limited in depth. */
export const shownHtml = (maxLength: number): ((html: string) => string) =>
  compile({
    wordwrap: false,
    limits: { maxInputLength: maxLength, maxDepth: MAX_DEPTH, maxChildNodes: 10_000 },
    formatters: { row, cell },
    selectors: [
      { selector: 'img', format: 'skip' },
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
      { selector: 'tr', format: 'row' },
      ...['td', 'th'].map((selector) => ({ selector, format: 'cell' })),
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    ],
  });
