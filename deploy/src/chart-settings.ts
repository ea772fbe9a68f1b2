import { SERVICES } from '@tocsin/events';

/** Settings that Node.js itself reads. */
const NODE_SETTINGS = ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS', 'TZ', 'UV_THREADPOOL_SIZE'];
/** Headings of `docs/operations.md` above settings of all services. */
const COMMON_HEADINGS = ['## Settings of every service', '## Traces'];
/** Headings above settings of single services. */
const SINGLE_HEADINGS = ['## Settings of single services', '### Settings of text messages, calls and pushes'];

/** The sorted names of the settings that `docs/operations.md` lists for each service. The chart refuses other names in `env`. */
export function settingsByService(page: string): Readonly<Record<string, readonly string[]>> {
  const common = COMMON_HEADINGS.flatMap((heading) => rowsBelow(page, heading).flatMap(([names]) => quoted(names)));
  const singleRows = SINGLE_HEADINGS.flatMap((heading) => rowsBelow(page, heading));
  const sentence = /^`(ACCOUNT_NAME)` .*$/m.exec(page);
  return Object.fromEntries(
    SERVICES.map((service) => {
      const own = singleRows
        .filter(([, services = '']) => services.split(', ').includes(service))
        .flatMap(([names]) => quoted(names));
      const accountName = sentence?.[0].includes(`(${service})`) === true ? ['ACCOUNT_NAME'] : [];
      return [service, [...new Set([...common, ...own, ...accountName, ...NODE_SETTINGS])].toSorted()];
    }),
  );
}

/** The cells of the first table below a heading, without its head. */
function rowsBelow(page: string, heading: string): readonly (readonly string[])[] {
  const from = page.indexOf(`\n${heading}\n`);
  if (from === -1) throw new Error(`There is no heading "${heading}".`);
  const lines = page.slice(from + 1).split('\n');
  const first = lines.findIndex((line) => line.startsWith('|'));
  const length = lines.slice(first).findIndex((line) => !line.startsWith('|'));
  return lines.slice(first + 2, first + length).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const quoted = (cell = ''): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
